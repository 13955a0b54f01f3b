"""`compare`: does a claim's value follow from a source's value, can both not hold, or neither?

1. Different dimensions are INCOMPARABLE; another currency, rate or day type with the same number is DISJOINT.
2. Exact numbers: equal, or honestly rounded (rounding.py). 3. Limits and ranges keep their ends (limits.py).
4. Dates, times, versions by their parts (calendars.py).
5. Where the characters leave another reading open, DISJOINT needs all readings to be apart.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.calendars import compare_dates, compare_times, compare_versions
from grounding_middleware.reading.values.limits import compare_intervals, phrase
from grounding_middleware.reading.values.model import Value, ValueKind
from grounding_middleware.reading.values.relation import Comparison, Relation, disjoint, entailed, incomparable, other
from grounding_middleware.reading.values.rounding import compare_points
from grounding_middleware.records import Kind

_BARE: Final = frozenset({ValueKind.NUMBER, ValueKind.COUNT})
_DAY: Final = 86400  # seconds
_MONTH: Final = Fraction(487, 16)  # mean days of a month, 365.25 / 12
_SLACK: Final = 3  # days by which months and working days may stray from their mean


def compare(claim: Value, source: Value) -> Comparison:
    """How `claim` stands to `source`, taken to be values of the same property."""
    results = [_one(mine, theirs) for mine in (claim, *claim.others) for theirs in (source, *source.others)]
    first, comparable = results[0], [each for each in results if each.relation is not Relation.INCOMPARABLE]
    if len(results) == 1 or not comparable:
        return first
    if _alike(claim, source):
        return entailed("the same value, written alike")
    if len(comparable) == 1:
        return comparable[0]
    ambiguous_date = claim.kind is ValueKind.DATE and source.kind is ValueKind.DATE and _open_date(claim, source)
    if first.relation is Relation.ENTAILED and not ambiguous_date:
        return first
    if all(each.relation is Relation.DISJOINT for each in comparable):
        return first if first.relation is Relation.DISJOINT else comparable[0]
    if any(each.relation is Relation.ENTAILED for each in comparable):
        return other(f"{claim.text} and {source.text} agree only in one of their readings", first.kind)
    return next(each for each in comparable if each.relation is Relation.OTHER)


def _open_date(claim: Value, source: Value) -> bool:
    """03/04/2026: day and month cannot be told apart."""
    return any(each.date and each.date.month for value in (claim, source) for each in value.others)


def _alike(claim: Value, source: Value) -> bool:
    """The same reading in every respect but the place in the text."""
    mine = replace(claim, start=0, end=0, text="", phrase=(0, 0), bound=None, others=(), spelled=False, noun="")
    theirs = replace(source, start=0, end=0, text="", phrase=(0, 0), bound=None, others=(), spelled=False, noun="")
    return mine == theirs and claim.text == source.text and (claim.bound is None) == (source.bound is None)


def _one(claim: Value, source: Value) -> Comparison:
    """One reading against one reading."""
    if _alike(claim, source):
        return entailed("the same value")
    kinds = {claim.kind, source.kind}
    if ValueKind.VERSION in kinds:
        versions = all(value.kind is ValueKind.VERSION or value.kind in _BARE for value in (claim, source))
        return compare_versions(claim, source) if versions else incomparable("a version and something else")
    if kinds == {ValueKind.DATE}:
        return compare_dates(claim, source)
    if kinds == {ValueKind.TIME}:
        return compare_times(claim, source)
    if kinds & {ValueKind.DATE, ValueKind.TIME} or (ValueKind.ORDINAL in kinds and len(kinds) > 1):
        return incomparable(f"{claim.kind.value} and {source.kind.value}")
    if claim.is_name or source.is_name:
        return _names(claim, source)
    if claim.dimension != source.dimension:
        return _dimensions(claim, source)
    return _amounts(claim, source)


def _names(claim: Value, source: Value) -> Comparison:
    if not (claim.is_name and source.is_name):
        return incomparable("a number that names something and an amount")
    same = claim.interval == source.interval
    return entailed("the same number") if same else other(f"{claim.text} and {source.text} name different things")


def _amounts(claim: Value, source: Value) -> Comparison:
    if claim.currency and not claim.currency & source.currency:
        same = claim.interval == source.interval
        if same:
            return disjoint(f"{claim.text} is another currency than {source.text}", Kind.CURRENCY)
        return other(f"{claim.text} and {source.text} are in different currencies", Kind.CURRENCY)
    if (
        claim.unit_key == "day"
        and source.unit_key == "calendar day"
        or claim.unit_key == "calendar day"
        and source.unit_key == "day"
    ):
        return _days_unsaid(claim, source)
    found = _numbers(claim, source)
    if {claim.sense, source.sense} == {"of", "change"} and claim.dimension == "ratio":
        return other(
            f"the claim has {claim.text} {_SENSES[claim.sense]}, the source {source.text} {_SENSES[source.sense]}",
            Kind.PERCENT,
        )
    if claim.per != source.per:
        return _rates(claim, source, found)
    if found.relation is Relation.ENTAILED and claim.negative_notation != source.negative_notation:
        return other("one of the two is written as a loss", Kind.NUMBER)
    return found


_SENSES: Final = {"of": "of something", "change": "more or less"}


def _numbers(claim: Value, source: Value) -> Comparison:
    if claim.interval.is_point and source.interval.is_point:
        return compare_points(claim, source)
    return compare_intervals(claim, source)


def _days_unsaid(claim: Value, source: Value) -> Comparison:
    """Days and calendar days are the same length; only the claim may leave the type unsaid."""
    found = _numbers(claim, source)
    if found.relation is Relation.ENTAILED and claim.unit_key == "calendar day":
        return other("the source does not say calendar days", Kind.DEADLINE)
    return found


def _rates(claim: Value, source: Value, found: Comparison) -> Comparison:
    """Per month is not per year; a rate that one side leaves out is a doubt, not a conflict."""
    if claim.per and source.per and found.relation is Relation.ENTAILED:
        return disjoint(f"{claim.text} per {claim.per} is not {source.text} per {source.per}", Kind.UNIT)
    written = [value.per or "nothing" for value in (claim, source)]
    return other(f"the claim counts per {written[0]}, the source per {written[1]}", Kind.UNIT)


def _dimensions(claim: Value, source: Value) -> Comparison:
    """Different dimensions: days of different types, months and days, or a number without its unit."""
    dimensions = {claim.dimension, source.dimension}
    if dimensions <= {"time", "months", "working_time"}:
        return _durations(claim, source)
    if dimensions == {"degrees", "temperature"}:
        return other("degrees of what scale is not said", Kind.UNIT)
    if dimensions == {"ratio", "ratio_points"}:
        return other("percent and percentage points are different measures", Kind.PERCENT)
    if "" in dimensions and not (claim.noun or source.noun) and {claim.kind, source.kind} & _BARE:
        return _bare(claim, source)
    return incomparable(f"{claim.dimension or 'a plain number'} and {source.dimension or 'a plain number'}")


def _bare(claim: Value, source: Value) -> Comparison:
    """A number without a unit beside one that has it: 64 for an age of 64 years."""
    figure = {
        value.interval.low / _factor(value)
        for value in (claim, source)
        if value.interval.low is not None and value.interval.is_point
    }
    same = len(figure) == 1 and claim.interval.is_point and source.interval.is_point
    if same and not claim.dimension and source.unit_key == "year":
        return entailed(f"{claim.text} is the number of {source.text}")
    return other(f"one of {claim.text} and {source.text} has no unit", Kind.UNIT)


def _factor(value: Value) -> Fraction:
    """Base units in one written unit, scale word left in."""
    if value.written and value.interval.low and value.unit_key and not value.scale:
        return value.interval.low / value.written
    return Fraction(1)


def _durations(claim: Value, source: Value) -> Comparison:
    """Days, working days, months: no exact factor exists, but far apart is apart."""
    days, working = {claim.unit_key, source.unit_key}, "working_time" in (claim.dimension, source.dimension)
    low, high = _in_days(claim), _in_days(source)
    if low is None or high is None:
        return other(f"{phrase(claim)} and {phrase(source)} count different days", Kind.DEADLINE)
    same = claim.written == source.written and claim.written is not None
    if working and "calendar day" in days:
        if same:
            return disjoint(f"{claim.text} are not {source.text}", Kind.DEADLINE)
    elif working and "months" not in (claim.dimension, source.dimension) and same and days <= {"day", "working day"}:
        return other(f"{claim.text} leaves open which days, {source.text} does not", Kind.DEADLINE)
    if low[1] < high[0] or high[1] < low[0]:
        return disjoint(f"{claim.text} is not {source.text}", Kind.UNIT if same else Kind.NUMBER)
    return other(f"{claim.text} may be {source.text}", Kind.DEADLINE)


def _in_days(value: Value) -> tuple[Fraction, Fraction] | None:
    """Fewest and most days that one stated number may be; None for ranges."""
    interval = value.interval
    if interval.is_range:
        return None
    number = interval.low if interval.low is not None else interval.high
    if number is None:
        return None
    if value.dimension == "time":
        return number / _DAY, number / _DAY
    if value.dimension == "months":
        return number * _MONTH - _SLACK, number * _MONTH + _SLACK
    return number, number * Fraction(7, 5) + _SLACK
