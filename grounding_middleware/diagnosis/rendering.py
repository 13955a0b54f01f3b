"""Probable causes on a terminal; text of the answer and of sources is printed as text, as in the report itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from grounding_middleware.diagnosis.records import Diagnosis
from grounding_middleware.printable import one_line
from grounding_middleware.records import Report

__all__ = ["render"]


def render(report: Report, found: Sequence[Diagnosis]) -> Group:
    """One paragraph a diagnosis: cause, claim, why, and the passages it was told by; a line when there is none."""
    numbers = {verdict.id: number for number, verdict in enumerate(report.claims, 1)}
    lines: list[RenderableType] = [Text(""), Text("Probable causes", style="bold")]
    if not found:
        lines.append(_line("no claim failed", indent=3))
    for one in found:
        lines += _paragraph(one, report, numbers[one.claim_id])
    return Group(*lines)


def _paragraph(one: Diagnosis, report: Report, number: int) -> Iterator[RenderableType]:
    claim = report.claims[number - 1]
    yield Text.assemble(f"{number:>2} ", (one.cause.value, "bold"), f"  {one_line(one.reason)}")
    yield _line(f"“{one_line(claim.text)}” [{claim.start}:{claim.end}]", style="dim", indent=3)
    for quote in one.quotes:
        yield _line(
            f"{one_line(quote.span_id)} [{quote.start}:{quote.end}] “{one_line(quote.text)}”", style="dim", indent=5
        )


def _line(text: str, *, style: str = "", indent: int = 0) -> RenderableType:
    return Padding(Text(text, style=style, overflow="fold"), (0, 0, 0, indent))
