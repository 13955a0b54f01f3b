"""The figures of a run for a terminal: both error directions side by side, every label told apart.

Rates are "value [95 % interval] k/n"; one with nothing to count from is named as n/a, never printed as 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grounding_middleware.evaluation.metrics import Latency, Rate, SegmentRates, Summary
from grounding_middleware.evaluation.ranking import Baseline
from grounding_middleware.evaluation.tally import NOT_COVERED
from grounding_middleware.labels import Label
from grounding_middleware.printable import one_line
from grounding_middleware.report import LABEL_STYLES

__all__ = ["percent", "render"]

_SHORT: Final = {
    "SUPPORTED": "supported",
    "CONTRADICTED": "contradicted",
    "INSUFFICIENT_EVIDENCE": "insufficient",
    "INVALID_CITATION": "invalid citation",
    "UNVERIFIED": "unverified",
    "NOT_A_CLAIM": "not a claim",
    "ABSTENTION": "abstention",
    "UNSUPPORTED": "unsupported, nobody said how",
    NOT_COVERED: NOT_COVERED,
}
_MEANING: Final = {
    Label.UNVERIFIED: "nobody could check it",
    Label.NOT_A_CLAIM: "states nothing",
    Label.ABSTENTION: "says that the sources do not answer",
}
_NA: Final = "n/a"
MOST_VALUES: Final = 12
"""Values of a segment that are still shown without being asked for."""


def render(summary: Summary, *, baseline: bool = False, few: bool = False) -> Group:
    """Everything; `baseline` adds word overlap beside the verifier, `few` leaves out segments with many values."""
    parts: list[Iterable[RenderableType]] = [_head(summary)]
    if summary.header.gold:
        parts.append(_rates("Answers (ME-1)", summary.of_answers))
        parts.append(_rates("Verifier against gold (ME-2)", summary.of_verifier))
        parts.append(_confusion(summary))
        parts.append(_kinds(summary))
    parts.append(_labels(summary))
    parts.append(_rates("By the verifier's own labels: its opinion, no gold", summary.of_opinion))
    if not summary.header.gold:
        parts.append(_rates("Answers", [rate for rate in summary.of_answers if rate.n]))
    parts.append(_rates("Citation resolver, apart from meaning (ME-7)", summary.of_citations))
    if baseline and summary.baseline:
        parts.append(_baseline(summary.baseline))
    parts.append(_costs(summary))
    parts.append(_segments(summary, MOST_VALUES if few else None))
    return Group(*(shown for part in parts for shown in part))


def percent(rate: Rate) -> str:
    """The value of a rate, or n/a."""
    return _percent(rate.value)


def _percent(value: float | None) -> str:
    return _NA if value is None else f"{100 * value:.1f} %"


def _head(summary: Summary) -> Iterator[RenderableType]:
    header = summary.header
    name = f"{one_line(header.name)}: " if header.name else ""
    many = "" if summary.answers == 1 else "s"
    yield Text(f"{name}{summary.answers} answer{many} of {', '.join(map(one_line, header.golden))}", style="bold")
    if header.grounder:
        yield Text(f"{one_line(header.grounder)}; version {header.package}", style="dim")
    if not header.gold:
        yield Text("! nobody labelled these answers: how often the verifier is wrong cannot be told", style="yellow")
    for kind, count in summary.errors.items():
        yield Text(f"! checks that crashed, in no figure below: {count}, {one_line(kind)}", style="bold red")
    yield Text(f"actions: {_counted(summary.actions)}")


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{one_line(name)} {count}" for name, count in sorted(counts.items(), key=lambda one: -one[1]))


def _rates(title: str, rates: Sequence[Rate]) -> Iterator[RenderableType]:
    counted, empty = [rate for rate in rates if rate.n], [rate for rate in rates if not rate.n]
    if not counted and not empty:
        return
    table = _table(title, "", ">", "95 % interval", ">of", "counts")
    for rate in counted:
        interval = "" if rate.low is None or rate.high is None else f"{100 * rate.low:.1f} - {100 * rate.high:.1f}"
        table.add_row(rate.title, percent(rate), interval, f"{rate.k}/{rate.n}", Text(rate.about, style="dim"))
    yield table
    if empty:
        yield Text(f"   {_NA}, nothing to count: {', '.join(rate.title for rate in empty)}", style="dim")


def _labels(summary: Summary) -> Iterator[RenderableType]:
    table = _table("Statements, by the verifier's label", "", ">as written", ">share", ">reach the reader", "")
    claims = sum(summary.before.get(label.value, 0) for label in Label if label.is_claim)
    for label in Label:
        before, after = summary.before.get(label.value, 0), summary.after.get(label.value, 0)
        share = _percent(before / claims) if label.is_claim and claims else "no claim"
        name = Text(_SHORT[label.value], style=LABEL_STYLES[label])
        table.add_row(name, str(before), share, str(after), Text(_MEANING.get(label, ""), style="dim"))
    yield table


def _confusion(summary: Summary) -> Iterator[RenderableType]:
    """Rows are gold labels, columns what the verifier said; nothing is put together."""
    counts = {(one.gold, one.got): one.count for one in summary.confusion}
    if not counts:
        return
    columns = [*Label, NOT_COVERED]
    table = _table("Gold label (row) and verdict (column)", "", *(f">{_SHORT[str(column)]}" for column in columns))
    for gold in [*Label, "UNSUPPORTED"]:
        row = [counts.get((str(gold), str(column)), 0) for column in columns]
        if any(row):
            table.add_row(_SHORT[str(gold)], *(str(count or "-") for count in row))
    yield table


def _kinds(summary: Summary) -> Iterator[RenderableType]:
    if not summary.kinds:
        return
    table = _table("Kinds of unsupported claim", "", ">claims", ">flagged", ">passed", ">undecided", ">same kind named")
    for kind in summary.kinds:
        counts = {one.got: one.count for one in kind.labels}
        passed = sum(counts.get(name, 0) for name in ("SUPPORTED", "NOT_A_CLAIM", "ABSTENTION"))
        unknown = counts.get("UNVERIFIED", 0) + counts.get(NOT_COVERED, 0)
        row = (kind.claims, kind.claims - passed - unknown, passed, unknown, kind.same_kind)
        table.add_row(kind.kind, *map(str, row))
    yield table


def _baseline(found: Baseline) -> Iterator[RenderableType]:
    table = _table("Beside word overlap, on the same claims", "", ">verifier", ">overlap", "")
    table.add_row("AUC", _two(found.verifier_auc), _two(found.overlap_auc), "must pass ranks above must be flagged")
    table.add_row(
        "balanced accuracy", _two(found.verifier_balanced), _two(found.overlap_balanced),
        "undecided is half right; overlap at its best threshold",
    )  # fmt: skip
    table.add_row(
        "supported, right", _two(found.verifier_supported_right), _two(found.overlap_supported_right),
        f"of {found.supported} claims each",
    )  # fmt: skip
    table.add_row(
        "flagged, right", _two(found.verifier_flagged_right), _two(found.overlap_flagged_right),
        f"of {found.flagged} claims each",
    )  # fmt: skip
    yield table


def _two(value: float | None) -> str:
    return _NA if value is None else f"{value:.3f}"


def _costs(summary: Summary) -> Iterator[RenderableType]:
    times = [*summary.latency, *([summary.review_seconds] if summary.review_seconds else [])]
    if times:
        table = _table("Time, ms an answer (ME-3)", "", ">p50", ">p95", ">p99", ">answers")
        for one in times:
            table.add_row(one_line(one.name), *_times(one), str(one.answers))
        yield table
    if summary.costs:
        checked = max(1, summary.answers - sum(summary.errors.values()))
        table = _table(
            "Calls and tokens an answer", "tier", ">calls", ">failed", ">tokens in", ">tokens out", ">reached"
        )
        for tier in summary.costs:
            per_answer = (f"{count / checked:.2f}" for count in (tier.calls, tier.failed))
            tokens = (f"{count / checked:.0f}" for count in (tier.input_tokens, tier.output_tokens))
            table.add_row(one_line(tier.tier), *per_answer, *tokens, _percent(tier.answers / checked))
        yield table


def _times(one: Latency) -> tuple[str, str, str]:
    return f"{one.p50:.1f}", f"{one.p95:.1f}", f"{one.p99:.1f}"


def _segments(summary: Summary, most: int | None) -> Iterator[RenderableType]:
    """Where there is something to compare; segments that are left out are named."""
    left: list[str] = []
    for name in dict.fromkeys(one.segment for one in summary.segments):
        rows = [one for one in summary.segments if one.segment == name]
        if most and not 1 < len(rows) <= most:
            left += [f"{one_line(name)} ({len(rows)})"]
            continue
        columns = _GOLD_COLUMNS if summary.header.gold else _OPINION_COLUMNS
        table = _table(f"By {one_line(name)}", "", ">answers", *(f">{title}" for title in columns.values()))
        for row in rows:
            table.add_row(one_line(row.value), str(row.answers), *(_cell(row, column) for column in columns))
        yield table
    if left:
        yield Text(f"\n   further segments, for --by: {', '.join(left)}", style="dim")


_GOLD_COLUMNS: Final = {
    "unsupported_before": "unsupported",
    "unsupported_after": "after",
    "recall": "recall",
    "false_positives": "false pos.",
    "escapes": "passed, bad",
    "undecided_bad": "undecided, bad",
    "undecided_good": "undecided, good",
    "supported_lost": "good lost",
    "abstention_after": "told nothing",
}
_OPINION_COLUMNS: Final = {
    "found_wrong_before": "found wrong",
    "found_wrong_after": "after",
    "abstention_after": "told nothing",
}


def _cell(row: SegmentRates, name: str) -> str:
    rate = row.rate(name)
    return _NA if rate.value is None else f"{100 * rate.value:.0f} % ({rate.n})"


def _table(title: str, *columns: str) -> Table:
    """A column whose name begins with ">" holds figures."""
    table = Table(
        title=f"\n{title}", title_justify="left", title_style="bold", box=None, pad_edge=False, padding=(0, 2)
    )
    for column in columns:
        table.add_column(column.removeprefix(">"), justify="right" if column.startswith(">") else "left")
    return table
