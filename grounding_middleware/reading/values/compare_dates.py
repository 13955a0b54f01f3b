"""Dates against each other, by their parts: what the claim says must be said by the source, and be the same.

Limits and ranges are compared by the days they cover.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Final

from grounding_middleware.reading.values.days import interval_of
from grounding_middleware.reading.values.limits import compare_intervals, phrase
from grounding_middleware.reading.values.model import Interval, PartialDate, Value
from grounding_middleware.reading.values.relation import Comparison, Relation, disjoint, entailed, other
from grounding_middleware.records import Kind

_PARTS: Final = ("year", "quarter", "half", "month", "day", "weekday")
_SOME_MONTH: Final = 1  # the same for "by the 5th of each month"
_SOME_YEAR: Final = 2000  # for "until 30 June" against "until 30 June": any year does, a leap year holds every day


def compare_dates(claim: Value, source: Value) -> Comparison:
    """Every part of the claim must be present and equal; limits and ranges keep their ends."""
    if claim.date is None or source.date is None:
        return other("no date was read")
    if claim.bound or source.bound:
        return _limited(claim, source, claim.date, source.date)
    if claim.date_to or source.date_to:
        return _ranges(claim, source)
    return _dates(claim.date, source.date, claim.text, source.text)


def _dates(said: PartialDate, true: PartialDate, claim: str, source: str) -> Comparison:
    if said.edge or true.edge or said.year_to or true.year_to:
        return _periods(said, true, claim, source)
    missing = []
    for name in _PARTS:
        wanted, given = getattr(said, name), _part(true, name)
        if wanted is not None and given is None:
            missing.append(name)
        elif wanted is not None and wanted != given:
            return disjoint(f"{claim} is not {source}: the {name} differs", Kind.DATE)
    if missing:
        return other(f"{source} does not say the {' and '.join(missing)} of {claim}", Kind.DATE)
    if said.fiscal != true.fiscal:
        return other("fiscal and calendar years may differ", Kind.DATE)
    return entailed("the same date" if said == true else f"{source} is in {claim}")


def _part(day: PartialDate, name: str) -> int | None:
    """A part as written, or as it follows from the others."""
    month = day.month or (3 * day.quarter if day.quarter else None)
    if name == "quarter" and day.quarter is None and month:
        return (month + 2) // 3
    if name == "half" and day.half is None and month:
        return 1 if month <= 6 else 2
    if name == "weekday" and day.weekday is None and day.complete and interval_of(day).low is not None:
        return date(day.year or 1, day.month or 1, day.day or 1).weekday()
    found = getattr(day, name)
    return None if found is None else int(found)


def _periods(said: PartialDate, true: PartialDate, claim: str, source: str) -> Comparison:
    """Ends of periods and spans of years, by the days they cover."""
    wider = replace(true, edge="")
    if said in (true, wider):
        return entailed("the same period" if said == true else f"{source} is in {claim}")
    mine, theirs, whole = interval_of(said), interval_of(true), interval_of(replace(said, edge=""))
    if mine.low is None or theirs.low is None:
        return other("a year is missing", Kind.DATE)
    if not whole.meets(interval_of(wider)) or (
        said.edge and true.edge and said.edge != true.edge and whole == interval_of(wider)
    ):
        return disjoint(f"{claim} is not {source}", Kind.DATE)
    if theirs.within(mine) and said.edge in ("", "start", "end"):
        return entailed(f"{source} is {claim}")
    return other(f"{source} may be {claim}", Kind.DATE)


def _ranges(claim: Value, source: Value) -> Comparison:
    """At least one of the two is a range of dates without a limit word."""
    if claim.date_to and source.date_to and claim.date and source.date:
        first = _dates(claim.date, source.date, claim.text, source.text)
        last = _dates(claim.date_to, source.date_to, claim.text, source.text)
        return first if first.relation is not Relation.ENTAILED else last
    mine, theirs = claim.interval, source.interval
    if mine.low is None or theirs.low is None:
        return other("a year is missing", Kind.DATE)
    if claim.date_to and theirs.within(mine):
        return entailed(f"{source.text} is in {claim.text}")
    if mine.meets(theirs):
        return other(f"{claim.text} and {source.text} cover different days", Kind.DATE)
    return disjoint(f"{claim.text} is not {source.text}", Kind.DATE)


def _limited(claim: Value, source: Value, said: PartialDate, true: PartialDate) -> Comparison:
    """By days; a year that only one side wrote is lent to the other, but a lent year is never entailed."""
    if (said.weekday is not None and not said.day) or (true.weekday is not None and not true.day):
        return _weekdays(claim, source)
    if _only_day(said) != _only_day(true):
        return other("the month is missing", Kind.DATE)
    mine = _in_year(claim, said.year or true.year or _SOME_YEAR)
    theirs = _in_year(source, true.year or said.year or _SOME_YEAR)
    result = compare_intervals(mine, theirs)
    if result.relation is Relation.ENTAILED and said.year and not true.year:
        return other("the source does not say the year", Kind.DATE)
    if (
        result.relation is Relation.DISJOINT
        and not said.day
        and true.day
        and said.year == true.year
        and said.month in (None, true.month)
    ):
        return other(f"{phrase(claim)} and {phrase(source)} name the end differently", Kind.DATE)
    return (
        replace(result, kind=Kind.DATE)
        if result.relation is Relation.DISJOINT and result.kind is not Kind.THRESHOLD
        else result
    )


def _only_day(day: PartialDate) -> bool:
    """A day of any month: "by the 5th of each month"."""
    return day.day is not None and day.month is None


def _weekdays(claim: Value, source: Value) -> Comparison:
    sign = [value.bound.sign if value.bound else "" for value in (claim, source)]
    if (claim.date, claim.date_to, sign[0]) == (source.date, source.date_to, sign[1]):
        return entailed("the same days")
    return other("weekdays are compared only when they are written alike", Kind.DATE)


def _in_year(value: Value, year: int) -> Value:
    """The value with its year filled in and its interval computed anew."""
    if value.date is None or value.date.year is not None:
        return value
    month = _SOME_MONTH if _only_day(value.date) else value.date.month
    first = interval_of(replace(value.date, year=year, month=month))
    last = interval_of(replace(value.date_to, year=value.date_to.year or year)) if value.date_to else first
    whole = Interval(first.low, last.high)
    return replace(value, interval=whole.limited(value.bound.sign) if value.bound else whole)
