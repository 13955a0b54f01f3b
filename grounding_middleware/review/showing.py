"""Items and cases as plain text. Whatever an answer, a source or a reviewer wrote is printed, never obeyed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final

from grounding_middleware.marking import Marks, marked
from grounding_middleware.printable import one_line, printable
from grounding_middleware.report import to_text
from grounding_middleware.review.items import Case, Item
from grounding_middleware.review.rulings import Adjudication, AnswerRuling, ClaimRuling

__all__ = ["case_text", "item_lines", "moment"]

_MARKS: Final = Marks(reasons=False, numbering="statements")  # the reasons follow, with the same numbers


def moment(time: datetime | None) -> str:
    """To the minute, in UTC."""
    return f"{time:%Y-%m-%d %H:%MZ}" if time else "-"


def item_lines(items: Iterable[Item]) -> Iterator[str]:
    """One line an item."""
    for item in items:
        holder = f" by {item.reviewer}" if item.reviewer else ""
        yield one_line(
            f"{item.id}  {item.priority}  {item.state}{holder}  {item.action}  {item.unsupported}/{item.claims}  "
            f"{moment(item.created)}  {item.question or '(no question)'}"
        )


def case_text(case: Case, width: int) -> str:
    """What a reviewer reads: the item, the answer with its unsupported statements marked, the report, the rulings."""
    lines = [
        *item_lines([case.item]),
        one_line(f"reason: {case.item.reason}"),
        f"until: {moment(case.item.until)}" if case.item.until else "",
        "",
        printable(marked(case.report, _MARKS)),
        "",
        to_text(case.report, width),
        *_rulings(case),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _rulings(case: Case) -> Iterator[str]:
    if case.adjudications:
        yield "Rulings"
    numbers = {verdict.id: number for number, verdict in enumerate(case.report.claims, 1)}
    for each in case.adjudications:
        yield one_line(f"   {moment(each.at)} {each.reviewer}: {_told(each, numbers)}")


def _told(each: Adjudication, numbers: dict[str, int]) -> str:
    given = each.given
    subject = "answer" if isinstance(given, AnswerRuling) else f"claim {numbers.get(given.claim_id, '?')}"
    told = [f"{subject}: {given.ruling}, was {each.was}"]
    if isinstance(given, ClaimRuling):
        told += [f"right is {given.label} {given.kind or ''}".strip()] if given.label else []
        told += [f"evidence {given.quote.span_id} “{given.quote.text}”"] if given.quote else []
    else:
        told += [f"right is {given.action}"] if given.action else []
    told += [f"new text, not verified: “{given.text}”"] if given.text else []
    told += [f"note: {given.note}"] if given.note else []
    return "; ".join(told)
