"""What readers get: whole answers, completeness, rightly and wrongly not found; and citations, audited apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from grounding_middleware.evaluation.metrics import Rate, Summary
from grounding_middleware.evaluation.page.blocks import Block, Cell, Note, Row, Section, Table
from grounding_middleware.evaluation.page.passages import line
from grounding_middleware.evaluation.page.sections.telling import drawn, number, rates_table

__all__ = ["citations", "completeness"]

COMPLETENESS: Final = (
    *("missing_facts_before", "missing_facts_after", "complete_after", "not_found_right", "not_found_wrong"),
    *("whole_supported_before", "whole_supported_after", "abstention_before", "abstention_after"),
    *("escalation", "withheld", "action_right", "leaked", "repaired", "completed"),
)
DRAWN: Final = ("missing_facts_before", "missing_facts_after", "not_found_right", "not_found_wrong", "abstention_after")
NO_FACTS: Final = (
    "The golden set names no critical facts, so nobody can say whether anything important is missing. A system that "
    "answers nothing would look faultless on the other figures."
)
NO_UNANSWERABLE: Final = "No question is marked as unanswerable, so “not found, rightly” cannot be said."


def completeness(summary: Summary) -> Section:
    """Beside the errors: what it costs the reader to be protected from them."""
    return Section(
        "completeness",
        "Completeness and “not found”",
        "An assistant that answers nothing makes no mistake; these figures make it look as bad as it is.",
        tuple(_complete(summary)),
    )


def citations(summary: Summary) -> Section:
    """Markers and where they lead; says nothing about meaning."""
    rates = summary.of_citations
    label = "Citations: rates with 95 % intervals; figures in the table below."
    chart = drawn(label, rates, "invalid")
    markers = Table(
        "Markers of the answers by what became of them",
        ("Outcome", "Markers"),
        tuple(
            Row((Cell(line(name).replace("_", " ")), number(f"{found:,}"))) for name, found in summary.markers.items()
        ),
    )
    return Section(
        "citations",
        "Citation resolver",
        "Whether a marker leads anywhere is decided before meaning: an address is no proof, so it is audited apart.",
        (
            *((chart,) if chart else ()),
            rates_table("The citation resolver", rates),
            markers if markers.rows else Note("The answers hold no citation markers."),
        ),
    )


def _complete(summary: Summary) -> Iterator[Block]:
    facts, unanswerable = summary.rate("missing_facts_after"), summary.rate("not_found_right")
    if not facts.n:
        yield Note(NO_FACTS, warning=True)
    if not unanswerable.n:
        yield Note(NO_UNANSWERABLE)
    label = "What readers miss, and where nothing was found: rates with 95 % intervals; figures in the table below."
    chart = drawn(label, _rates(summary, DRAWN), "unverified")
    if chart:
        yield chart
    yield rates_table("What readers get", _rates(summary, COMPLETENESS))
    yield Table(
        "Answers by what happened to them",
        ("Action", "Answers"),
        tuple(Row((Cell(name), number(f"{found:,}"))) for name, found in summary.actions.items()),
    )


def _rates(summary: Summary, names: Iterable[str]) -> list[Rate]:
    return [summary.rate(name) for name in names]
