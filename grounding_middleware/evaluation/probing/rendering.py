"""A probe on a terminal: one row for each transformation, both directions of error, the smallest examples."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grounding_middleware.evaluation.probing.judging import Grade
from grounding_middleware.evaluation.probing.records import Controls, Example, Probed, Row
from grounding_middleware.printable import one_line
from grounding_middleware.records import Range

__all__ = ["marked", "render"]

_COLUMNS = ("tried", "passed", "95 %", "left", "caught", "held", "failed")
_LEGEND = (
    "passed: called supported; left: in the text, but nobody could check it; caught: flagged or taken out; "
    "held: undecided and withheld; failed: the verifier raised an error"
)
_NOTHING = "nothing to change"


def render(result: Probed, *, examples: bool = True) -> Group:
    """The table, the controls, what was not tried, and one example for each transformation that leaks."""
    shown: list[RenderableType] = [
        _table(result),
        _line(_LEGEND),
        Text(""),
        *_totals(result),
        *_controls(result.controls),
    ]
    shown += _untried(result)
    if examples:
        for one in sorted(result.examples, key=lambda one: one.grade is not Grade.PASSED):
            shown += _example(one)
    return Group(*shown)


def marked(text: str, changed: tuple[Range, ...]) -> str:
    """The text with its changed words in double arrows, "«ten»"; a cut shows as "«»"."""
    for start, end in sorted(changed, reverse=True):
        text = f"{text[:start]}«{text[start:end]}»{text[end:]}"
    return text


def _table(result: Probed) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("transformation", no_wrap=True)
    for name in _COLUMNS:
        table.add_column(name, justify="right", no_wrap=True)
    for row in result.rows:
        if row.tried:
            table.add_row(row.name, *_figures(row), style="bold" if row.passed or row.failed else "")
    return table


def _figures(row: Row) -> tuple[str, ...]:
    low, high = row.leak
    interval = f"{low:.0%} - {high:.0%}"
    return (str(row.tried), str(row.passed), interval, str(row.left), str(row.caught), str(row.held), str(row.failed))


def _totals(result: Probed) -> Iterator[RenderableType]:
    left = sum(row.left for row in result.rows)
    yield _line(
        f"{result.tried} false statements made of {result.statements} supported ones: {result.passed} passed as"
        f" supported, {left} left in the text unchecked; seed {result.seed}, at most {result.most} a transformation"
    )


def _controls(controls: Controls) -> Iterator[RenderableType]:
    low, high = controls.false_alarm
    yield _line(
        f"{controls.tried} of the statements unchanged: {controls.supported} supported, {controls.undecided} undecided,"
        f" {controls.held} held back, {controls.flagged} falsely flagged (95 %: {low:.1%} - {high:.1%})"
    )
    for text in controls.examples:
        yield _line(f"falsely flagged: {one_line(text)}", indent=3)


def _untried(result: Probed) -> Iterator[RenderableType]:
    idle = [row.name for row in result.rows if not row.tried]
    if idle:
        yield _line(f"{_NOTHING} for: {', '.join(idle)}")
    if result.unread:
        languages = ", ".join(f"{code} ({count})" for code, count in sorted(result.unread.items()))
        yield _line(f"numbers, dates, codes and citations only, no words, in: {languages}")


def _example(one: Example) -> Iterator[RenderableType]:
    grade = "passed as SUPPORTED" if one.grade is Grade.PASSED else "left in the text unchecked"
    yield Text("")
    yield Text.assemble((one.transformation, "bold"), f"  {grade}: {one_line(one.note)}")
    yield _line(f"“{one_line(marked(one.answer, one.changed))}”", indent=3)
    if one.was != one.answer[one.start : one.end]:
        yield _line(f"was “{one_line(one.was)}”", indent=3)
    for span in one.evidence:
        yield _line(f"{one_line(span.id)} “{one_line(span.text)}”", indent=5)


def _line(text: str, *, indent: int = 0) -> RenderableType:
    return Padding(Text(text, overflow="fold"), (0, 0, 0, indent))
