"""Dates moved by a duration, and the time between two dates or two clock times."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from itertools import combinations

from grounding_middleware.reading.values.days import interval_of
from grounding_middleware.reading.values.model import Interval, PartialDate, Value, ValueKind

_DAY = 86400  # seconds
Candidate = tuple[Value, str, tuple[Value, ...]]


def date_candidates(sources: list[Value]) -> Iterator[Candidate]:
    """Every complete date moved forward by every duration in whole days, weeks, months or years."""
    starts = [
        value
        for value in sources
        if value.kind is ValueKind.DATE and value.date and value.date.complete and not value.date_to
    ]
    spans = [value for value in sources if value.dimension in ("time", "months") and not value.per]
    for start in starts:
        for span in spans:
            moved = _moved(start.date, span)
            if moved:
                part = PartialDate(moved.year, moved.month, moved.day)
                made = replace(
                    start, date=part, interval=interval_of(part), bound=None, others=(), text=moved.isoformat()
                )
                yield made, f"{start.text} + {span.text} = {moved.isoformat()}", (start, span)


def _moved(start: PartialDate | None, span: Value) -> date | None:
    """`start` plus the length of `span`: its one number, or the end of its limit."""
    number = span.interval.high if span.interval.high is not None else span.interval.low
    if start is None or number is None or number <= 0 or span.interval.is_range:
        return None
    first = date(start.year or 1, start.month or 1, start.day or 1)
    if span.dimension == "months":
        return _plus_months(first, number)
    days = number / _DAY
    return first + timedelta(days=int(days)) if days.denominator == 1 and days < 40_000 else None


def _plus_months(first: date, months: Fraction) -> date | None:
    """The same day of a later month, or its last day where it is shorter."""
    if months.denominator != 1 or months > 1200:
        return None
    index = first.year * 12 + first.month - 1 + int(months)
    year, month = divmod(index, 12)
    return date(year, month + 1, min(first.day, monthrange(year, month + 1)[1])) if year <= 9999 else None


def span_candidates(claim: Value, sources: list[Value]) -> Iterator[Candidate]:
    """Days, months or years between two dates; minutes between two clock times."""
    for left, right in combinations([value for value in sources if value.kind is ValueKind.DATE], 2):
        yield from _between_dates(claim, left, right)
    for value in sources:
        if value.kind is ValueKind.DATE and value.date_to:
            end = replace(value, date=value.date_to, date_to=None)
            yield from _between_dates(claim, replace(value, date_to=None), end)
    yield from _between_times(claim, [value for value in sources if value.kind is ValueKind.TIME])


def _between_dates(claim: Value, left: Value, right: Value) -> Iterator[Candidate]:
    first, last = left.date, right.date
    if first is None or last is None or left.date_to or right.date_to or first.edge or last.edge:
        return
    number: Fraction | None = None
    if claim.dimension == "months":
        number = _months_between(first, last)
    elif claim.dimension == "time" and first.complete and last.complete:
        low, high = interval_of(first).low, interval_of(last).low
        number = abs(high - low) * _DAY if low is not None and high is not None else None
    if number:
        yield _span(claim, number), f"from {left.text} to {right.text}", (left, right)


def _months_between(first: PartialDate, last: PartialDate) -> Fraction | None:
    """Whole months when both dates are written to the same part, else None."""
    if first.year is None or last.year is None or first.quarter or last.quarter or first.year_to or last.year_to:
        return None
    if (first.month is None) != (last.month is None) or first.day != last.day:
        return None
    return Fraction(abs((last.year - first.year) * 12 + (last.month or 0) - (first.month or 0)))


def _between_times(claim: Value, times: list[Value]) -> Iterator[Candidate]:
    if claim.dimension != "time":
        return
    for value in times:
        low, high = value.interval.low, value.interval.high
        if value.interval.is_range and low is not None and high is not None:
            yield _span(claim, ((high - low) % 1440) * 60), f"from start to end of {value.text}", (value,)
    for left, right in combinations([value for value in times if value.interval.is_point], 2):
        low, high = left.interval.low, right.interval.low
        if low is not None and high is not None and left.zone == right.zone and high > low:
            yield _span(claim, (high - low) * 60), f"from {left.text} to {right.text}", (left, right)


def _span(claim: Value, number: Fraction) -> Value:
    return replace(
        claim, interval=Interval.point(number), approx="", bound=None, quantum=Fraction(0), written=None, others=()
    )
