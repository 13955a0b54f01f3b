"""`compare`: does a claim's value follow from a source's value, can both not hold, or neither?

1. Different dimensions are INCOMPARABLE; another currency, rate or day type with the same number is DISJOINT.
2. Exact numbers: equal, or honestly rounded (rounding.py). 3. Limits and ranges keep their ends (limits.py).
4. Dates, times and versions by their parts (compare_*.py). 5. Days, working days and months (durations.py).
6. Where the characters leave another reading open, DISJOINT needs all readings to be apart.
"""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from operator import attrgetter
from typing import Final

from grounding_middleware.reading.values.compare_dates import compare_dates
from grounding_middleware.reading.values.compare_times import compare_times
from grounding_middleware.reading.values.compare_versions import compare_versions
from grounding_middleware.reading.values.durations import UNSAID_DAYS, compare_durations, compare_unsaid_days
from grounding_middleware.reading.values.limits import compare_numbers
from grounding_middleware.reading.values.model import Value, ValueKind
from grounding_middleware.reading.values.relation import (
    Comparison,
    Relation,
    disjoint,
    entailed,
    incomparable,
    other,
)
from grounding_middleware.records import Kind

_BARE: Final = frozenset({ValueKind.NUMBER, ValueKind.COUNT})
_OWN_KIND_ONLY: Final = frozenset({ValueKind.DATE, ValueKind.TIME, ValueKind.VERSION, ValueKind.ORDINAL})
_DURATIONS: Final = frozenset({"time", "months", "working_time"})
_SENSES: Final = {"of": "of something", "change": "more or less"}
_PLACED: Final = ("start", "end", "phrase", "bound", "others", "noun")
_placeless: Final = attrgetter(*(field.name for field in fields(Value) if field.name not in _PLACED))
"""What a value is, apart from its place and what stands around it."""


def compare(claim: Value, source: Value) -> Comparison:
    """How `claim` stands to `source`, taken to be values of the same property; every value entails itself."""
    if not claim.others and not source.others:
        return _one(claim, source)
    if _alike(claim, source):
        return entailed("the same value, written alike")
    results = [_one(mine, theirs) for mine in (claim, *claim.others) for theirs in (source, *source.others)]
    comparable = [each for each in results if each.relation is not Relation.INCOMPARABLE]
    return _settled(claim, source, results[0], comparable) if comparable else results[0]


def _settled(claim: Value, source: Value, first: Comparison, comparable: list[Comparison]) -> Comparison:
    """One answer from the comparable pairs of readings."""
    if len(comparable) == 1 or (first.relation is Relation.ENTAILED and not _open(claim, source)):
        return comparable[0]
    relations = {each.relation for each in comparable}
    if relations == {Relation.DISJOINT}:
        return comparable[0]
    if Relation.ENTAILED in relations:
        return other(f"{claim.text} and {source.text} agree only in one of their readings", comparable[0].kind)
    return next(each for each in comparable if each.relation is Relation.OTHER)


def _open(claim: Value, source: Value) -> bool:
    """03/04/2026: day and month cannot be told apart; Python 3.10 and 3.1 are equal only as decimals."""
    return any((each.date and each.date.month) or each.version for value in (claim, source) for each in value.others)


def _alike(claim: Value, source: Value) -> bool:
    """The same in every respect but the place in the text."""
    if claim is source:
        return True
    same = claim.text == source.text and _sign(claim) == _sign(source)
    return same and bool(_placeless(claim) == _placeless(source))


def _sign(value: Value) -> str:
    return value.bound.sign if value.bound else ""


def _one(claim: Value, source: Value) -> Comparison:
    """One reading against one reading."""
    kinds = {claim.kind, source.kind}
    if _alike(claim, source):
        found = entailed("the same value")
    elif kinds == {ValueKind.DATE}:
        found = compare_dates(claim, source)
    elif kinds == {ValueKind.TIME}:
        found = compare_times(claim, source)
    elif ValueKind.VERSION in kinds and kinds <= {ValueKind.VERSION, *_BARE}:
        found = compare_versions(claim, source)
    elif len(kinds) > 1 and kinds & _OWN_KIND_ONLY:
        found = incomparable(f"{claim.kind.value} and {source.kind.value}")
    elif claim.is_name or source.is_name:
        found = _names(claim, source)
    elif claim.dimension == source.dimension:
        found = _amounts(claim, source)
    else:
        found = _dimensions(claim, source)
    return found


def _names(claim: Value, source: Value) -> Comparison:
    if not (claim.is_name and source.is_name):
        return incomparable("a number that names something and an amount")
    if claim.text == source.text or (
        claim.interval == source.interval and claim.text.isdigit() and source.text.isdigit()
    ):
        return entailed("the same number")
    return other(f"{claim.text} and {source.text} name different things", Kind.IDENTIFIER)


# amounts of one dimension


def _amounts(claim: Value, source: Value) -> Comparison:
    if claim.currency and not claim.currency & source.currency:
        return _currencies(claim, source)
    if {claim.unit_key, source.unit_key} == UNSAID_DAYS:
        return compare_unsaid_days(claim, source)
    if {claim.sense, source.sense} == {"of", "change"} and claim.dimension == "ratio":
        senses = f"the claim has {claim.text} {_SENSES[claim.sense]}, the source {source.text} {_SENSES[source.sense]}"
        return other(senses, Kind.PERCENT)
    found = compare_numbers(claim, source)
    if claim.per != source.per:
        return _rates(claim, source, found)
    if found.relation is Relation.ENTAILED and claim.negative_notation != source.negative_notation:
        return other("one of the two is written as a loss", Kind.NUMBER)
    return found


def _currencies(claim: Value, source: Value) -> Comparison:
    """The same number in another currency is a conflict; another number may be the amount converted."""
    if claim.interval == source.interval:
        return disjoint(f"{claim.text} is another currency than {source.text}", Kind.CURRENCY)
    return other(f"{claim.text} and {source.text} are in different currencies", Kind.CURRENCY)


def _rates(claim: Value, source: Value, found: Comparison) -> Comparison:
    """Per month is not per year; a rate that one side leaves out is a doubt, not a conflict."""
    if claim.per and source.per and found.relation is Relation.ENTAILED:
        return disjoint(f"{claim.text} per {claim.per} is not {source.text} per {source.per}", Kind.UNIT)
    said, true = claim.per or "nothing", source.per or "nothing"
    return other(f"the claim counts per {said}, the source per {true}", Kind.UNIT)


# different dimensions


def _dimensions(claim: Value, source: Value) -> Comparison:
    dimensions = {claim.dimension, source.dimension}
    if dimensions <= _DURATIONS:
        return compare_durations(claim, source)
    if dimensions == {"degrees", "temperature"}:
        return other("degrees of what scale is not said", Kind.UNIT)
    if dimensions == {"ratio", "ratio_points"}:
        return other("percent and percentage points are different measures", Kind.PERCENT)
    if "" in dimensions and {claim.kind, source.kind} & _BARE and not (claim.noun or source.noun):
        return _bare(claim, source)
    return incomparable(f"{claim.dimension or 'a plain number'} and {source.dimension or 'a plain number'}")


def _bare(claim: Value, source: Value) -> Comparison:
    """A number without a unit beside one that has it: 64 for an age of 64 years."""
    points = claim.interval.is_point and source.interval.is_point
    if points and not claim.dimension and source.unit_key == "year" and _figure(claim) == _figure(source):
        return entailed(f"{claim.text} is the number of {source.text}")
    return other(f"one of {claim.text} and {source.text} has no unit", Kind.UNIT)


def _figure(value: Value) -> Fraction | None:
    """The number as written, before unit and scale."""
    return value.interval.low if value.written is None else value.written
