"""The answer with its unsupported statements marked, for a reviewer who may see it (SPEC ES-5), never a reader."""

from __future__ import annotations

from grounding_middleware.records import Report
from grounding_middleware.review.rulings import is_flag

__all__ = ["draft"]


def draft(report: Report, before: str = "[[{number} {label}: ", after: str = "]]") -> str:
    """The answer, untouched but for a mark around every claim that is not SUPPORTED.

    `number` counts the report's statements from 1, as its rendering does. Claims that lie inside others keep their own
    marks. The answer may hold such brackets itself; the offsets in the report tell the difference.
    """
    marks: list[tuple[int, int, str]] = []
    for number, verdict in enumerate(report.claims, 1):
        if is_flag(verdict.label):
            marks.append((verdict.start, -verdict.end, before.format(number=number, label=verdict.label)))
            marks.append((verdict.end, -len(report.answer) - 1, after))
    text = report.answer
    for position, _, mark in sorted(marks, reverse=True):
        text = text[:position] + mark + text[position:]
    return text
