"""A comparison on a terminal: the verdict first, then what broke it, the rates, the segments, the changed claims."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grounding_middleware.evaluation.comparing.changes import WORSE, Change, ChangedClaim
from grounding_middleware.evaluation.comparing.differences import Difference
from grounding_middleware.evaluation.comparing.records import Comparison, SegmentDifferences
from grounding_middleware.evaluation.measures import Better
from grounding_middleware.evaluation.runs import RunHeader
from grounding_middleware.printable import one_line

__all__ = ["render"]

SEGMENTS: Final = 12  # segments shown, those with most claims that fared worse
BOTH_DIRECTIONS: Final = ("recall", "false_positives")


def render(found: Comparison, *, examples: int = 10) -> Group:
    """Everything a person decides from; `examples` is how many changed claims are shown of each way."""
    return Group(
        *_verdict(found), *_rates(found), *_costs(found), *_segments(found), *_changes(found), *_claims(found, examples)
    )


def _verdict(found: Comparison) -> Iterator[RenderableType]:
    word, style = ("REGRESSION", "bold red") if found.regressed else ("NO REGRESSION", "bold green")
    yield Text.assemble((word, style), f"  limits broken: {len(found.breaches)}; answers compared: {found.answers}")
    yield _line(f"before: {_named(found.before)}", style="dim")
    yield _line(f"after:  {_named(found.after)}", style="dim")
    for breach in found.breaches:
        yield _line(f"! {breach.limit}: {one_line(breach.text)}", style="red")


def _named(header: RunHeader) -> str:
    parts = (header.name, f"{header.created:%Y-%m-%d %H:%M}", f"version {header.package}", header.grounder)
    return one_line(", ".join(part for part in parts if part))


def _rates(found: Comparison) -> Iterator[RenderableType]:
    table = _table("rate", "before", "after", "difference [95 %]", "")
    for one in found.differences:
        if one.before is not None or one.after is not None:
            table.add_row(one.title, _share(one.before), _share(one.after), _difference(one), _word(one))
    yield from (Text(""), Text("Rates", style="bold"), table)


def _costs(found: Comparison) -> Iterator[RenderableType]:
    both = found.costs_before.keys() & found.costs_after.keys()
    if both:
        told = (f"{cost} {found.costs_before[cost]:.1f} -> {found.costs_after[cost]:.1f}" for cost in sorted(both))
        yield _line(f"an answer costs: {', '.join(told)}")


def _segments(found: Comparison) -> Iterator[RenderableType]:
    worse = sorted((one for one in found.segments if one.worse), key=lambda one: (-one.worse, one.answers, one.name))
    if not worse:
        return
    table = _table("segment", "answers", "fared worse", "of them", "recall", "false positive rate")
    for one in worse[:SEGMENTS]:
        kinds = ", ".join(f"{change} {count}" for change, count in one.changes.items() if change in WORSE)
        rates = (_moved(one, name) for name in BOTH_DIRECTIONS)
        table.add_row(one_line(one.name), str(one.answers), str(one.worse), kinds, *rates)
    yield from (Text(""), Text("Segments with claims that fared worse", style="bold"), table)
    if len(worse) > SEGMENTS:
        yield _line(f"and {len(worse) - SEGMENTS} more", style="dim")


def _moved(segment: SegmentDifferences, name: str) -> str:
    rate = segment.difference(name)
    return f"{_share(rate.before)} -> {_share(rate.after)}"


def _changes(found: Comparison) -> Iterator[RenderableType]:
    told = {word: _counted(found, worse=worse) for word, worse in (("worse", True), ("better", False))}
    yield from (Text(""), Text("Claims", style="bold"))
    for word, counts in told.items():
        yield _line(f"fared {word}: {counts or 'none'}")


def _counted(found: Comparison, *, worse: bool) -> str:
    order = [one for one in Change if (one in WORSE) is worse and found.changes.get(one)]
    return ", ".join(f"{one} {found.changes[one]}" for one in order)


def _claims(found: Comparison, examples: int) -> Iterator[RenderableType]:
    shown: dict[Change, int] = {}
    for one in found.changed:
        shown[one.change] = shown.get(one.change, 0) + 1
        if one.worse and shown[one.change] <= examples:
            yield from _claim(one)


def _claim(one: ChangedClaim) -> Iterator[RenderableType]:
    labels = f"{one.before or '-'} -> {one.after or '-'}, right is {one.gold}" if one.gold else one_line(one.note)
    yield Text.assemble((one.change.value, "bold red"), f"  {one_line(one.id)} [{one.start}:{one.end}]  {labels}")
    yield _line(f"“{_short(one_line(one.text))}”", style="dim", indent=3)
    gone = [rule for rule in one.rules_before if rule not in one.rules_after]
    new = [rule for rule in one.rules_after if rule not in one.rules_before]
    for word, rules in (("no longer", gone), ("new", new)):
        if rules:
            yield _line(f"{word}: {', '.join(rules)}", style="dim", indent=3)


def _table(*heads: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for number, head in enumerate(heads):
        table.add_column(head, justify="left" if number == 0 else "right", overflow="fold", header_style="dim")
    return table


def _difference(one: Difference) -> str:
    if one.change is None:
        return "n/a"
    if not one.change and one.low == one.high == 0:
        return "0"
    return f"{one.change:+.3f} [{one.low:+.3f}, {one.high:+.3f}]"


def _word(one: Difference) -> str:
    if one.worsening is None or one.better is Better.NEITHER or not one.worsening:
        return ""
    sure = one.surely is not None and one.surely > 0
    better = one.low is not None and one.high is not None and not one.low <= 0 <= one.high
    if one.worsening > 0:
        return "worse" if sure else "worse?"
    return "better" if better else "better?"


def _share(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.3f}"


def _short(text: str) -> str:
    return text if len(text) <= 300 else f"{text[:300]} ..."


def _line(text: str, *, style: str = "", indent: int = 0) -> RenderableType:
    return Padding(Text(text, style=style, overflow="fold"), (0, 0, 0, indent))
