"""Segments, worst first by the lower end of the interval; those with few answers come after all others, in grey."""

from __future__ import annotations

from typing import Final

from grounding_middleware.evaluation.metrics import Rate, SegmentRates, Summary
from grounding_middleware.evaluation.page.blocks import Cell, Note, Row, Section, Table
from grounding_middleware.evaluation.page.passages import line
from grounding_middleware.evaluation.page.sections.telling import FEW, capital, count, number, share

__all__ = ["section"]

SHOWN: Final = 40  # rows; the rest is counted
WITH_GOLD: Final = ("unsupported_after", "escapes", "false_positives", "supported_lost", "missing_facts_after")
WITHOUT: Final = ("found_wrong_before", "found_wrong_after", "abstention_after")


def section(summary: Summary) -> Section:
    """One row a segment."""
    names = WITH_GOLD if summary.confusion else WITHOUT
    ordered = sorted(
        summary.segments, key=lambda one: (one.answers < FEW, -_surely(one, names[0]), one.segment, one.value)
    )
    if not ordered:
        return Section("segments", "Segments", "", (Note("The answers carry no segments to group them by."),))
    titles = [ordered[0].rate(name).title for name in names]
    more = f" {count(len(ordered) - SHOWN, 'further segment')} left out." if ordered[SHOWN:] else ""
    return Section(
        "segments",
        "Segments",
        f"Sorted by “{titles[0]}”, the lower end of its interval: what is bad for sure. Small segments come last.",
        (
            Table(
                "Rates by segment, with 95 % intervals",
                ("Segment", "Answers", *map(capital, titles)),
                tuple(_row(one, names) for one in ordered[:SHOWN]),
                f"In grey italics: fewer than {FEW} answers, too few to conclude anything.{more}",
            ),
        ),
    )


def _surely(segment: SegmentRates, name: str) -> float:
    low = segment.rate(name).low
    return -1.0 if low is None else low


def _row(one: SegmentRates, names: tuple[str, ...]) -> Row:
    return Row(
        (
            Cell(f"{line(one.segment)} = {line(one.value) or '(empty)'}"),
            number(f"{one.answers:,}"),
            *(number(_told(one.rate(name))) for name in names),
        ),
        faint=one.answers < FEW,
    )


def _told(rate: Rate) -> str:
    if rate.low is None or rate.high is None:
        return share(rate)
    return f"{share(rate)} ({rate.low * 100:.1f}–{rate.high * 100:.1f})"  # without the signs, so that the table fits
