"""Partial dates as days: which calendar days a date may be, and drafts of dates."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import replace
from datetime import date
from fractions import Fraction

from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.model import Interval, PartialDate, ValueKind
from grounding_middleware.reading.values.page import Page


def interval_of(part: PartialDate) -> Interval:
    """First and last day of what was written, as day ordinals; unbounded when the year is missing or out of range."""
    if part.year is None or not 1 <= part.year <= 9999:
        return Interval(None, None)
    if part.day and part.month:
        return _day(part.year, part.month, part.day)
    first, last = _months_of(part)
    end_year = part.year_to if part.year_to and part.year <= part.year_to <= 9999 else part.year
    start = Fraction(date(part.year, first, 1).toordinal())
    end = Fraction(date(end_year, last, monthrange(end_year, last)[1]).toordinal())
    if part.edge == "start":
        return Interval(start, start)
    return Interval(end, end) if part.edge == "end" else Interval(start, end)


def _day(year: int, month: int, day: int) -> Interval:
    if day > monthrange(year, month)[1]:
        return Interval(None, None)
    return Interval.point(Fraction(date(year, month, day).toordinal()))


def _months_of(part: PartialDate) -> tuple[int, int]:
    if part.month:
        return part.month, part.month
    if part.quarter:
        return 3 * part.quarter - 2, 3 * part.quarter
    return (6 * part.half - 5, 6 * part.half) if part.half else (1, 12)


def is_real(part: PartialDate) -> bool:
    """True when such a day can exist."""
    if not (part.month and 1 <= part.month <= 12):
        return False
    year = part.year if part.year and 1 <= part.year <= 9999 else 2000
    return part.day is None or 1 <= part.day <= monthrange(year, part.month)[1]


def is_year(number: int | None) -> bool:
    """Years people write about without saying so."""
    return number is not None and 1000 <= number <= 2199


def whole(text: str) -> int | None:
    """A whole number of at most four digits, in any script."""
    return int(text) if len(text) <= 4 and text.isdigit() else None


def short_year(number: int) -> int:
    """A year of two digits: 69 is 2069, 70 is 1970."""
    return 2000 + number if number < 70 else 1900 + number


def dated(page: Page, first: int, last: int, part: PartialDate, *others: PartialDate) -> Draft:
    """A draft of the date `part`, with the other readings the characters allow."""
    scan = page.scan
    draft = Draft(first, last, scan.starts[first], scan.ends[last], ValueKind.DATE, interval_of(part), date=part)
    draft.others = [replace(draft, date=other, interval=interval_of(other), others=[]) for other in others]
    return draft


def first_real(page: Page, first: int, last: int, parts: list[PartialDate]) -> Draft | None:
    """The first of `parts` that can exist, the rest as other readings; None when none can."""
    real = list(dict.fromkeys(part for part in parts if is_real(part)))
    return dated(page, first, last, real[0], *real[1:]) if real else None
