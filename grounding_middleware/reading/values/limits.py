"""Limits and ranges against each other and against exact numbers.

A limit keeps number, direction and end and is never rounded. Only an exact source makes a weaker statement follow.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.model import Interval, Value, ValueKind
from grounding_middleware.reading.values.relation import Comparison, disjoint, entailed, other
from grounding_middleware.reading.values.rounding import compare_points, difference
from grounding_middleware.records import Kind

_CALENDAR: Final = frozenset({ValueKind.DATE, ValueKind.TIME})


def compare_numbers(claim: Value, source: Value) -> Comparison:
    """Numbers, limits and ranges of one dimension."""
    if claim.interval.is_point and source.interval.is_point:
        return compare_points(claim, source)
    return compare_intervals(claim, source)


def compare_intervals(claim: Value, source: Value) -> Comparison:
    """At least one of the two is no single number."""
    said, true = claim.interval, source.interval
    if said == true:
        unknown = said.low is None and said.high is None
        return other("no end is known") if unknown else entailed("the same limits")
    if true.is_point:
        return _from_point(claim, source)
    if said.is_point:
        if said.meets(true):
            return other(f"{phrase(source)} allows {claim.text} but does not state it", Kind.THRESHOLD)
        return disjoint(f"{claim.text} is outside {phrase(source)}", _kind(claim, source, Kind.THRESHOLD))
    if said.is_range or true.is_range:
        return _with_range(claim, source)
    return _two_limits(claim, source)


def phrase(value: Value) -> str:
    """The value with the words that limit it."""
    if value.bound is None:
        return value.text
    before = value.bound.start < value.start
    return f"{value.bound.words} {value.text}" if before else f"{value.text} {value.bound.words}"


def _kind(claim: Value, source: Value, default: Kind) -> Kind:
    if claim.kind is ValueKind.DATE:
        return Kind.DATE
    if claim.kind is ValueKind.TIME:
        return Kind.TIME
    found = difference(claim, source)
    return found if found in (Kind.UNIT, Kind.SCALE) else default


def _from_point(claim: Value, source: Value) -> Comparison:
    """The source has one number: inside is a weaker statement of fact, outside is a conflict."""
    number, said = source.interval.low, claim.interval
    if number is None:
        return other("the source has no number")
    if source.approx:
        return _from_about(claim, source, number)
    if number not in said:
        kind = Kind.RANGE if said.is_range else Kind.THRESHOLD
        return disjoint(f"{source.text} is not {phrase(claim)}", _kind(claim, source, kind))
    if claim.kind in _CALENDAR and not said.is_range and number not in (said.low, said.high):
        return other(f"{source.text} lies within {phrase(claim)}, which the source does not state", Kind.THRESHOLD)
    at_end = number in (said.low, said.high) and not said.is_range
    if at_end and not (claim.bound and claim.bound.ends_period):
        return other(f"the source states {source.text} exactly, the claim makes a limit of it", Kind.THRESHOLD)
    return entailed(f"{source.text} is {phrase(claim)}")


def _from_about(claim: Value, source: Value, number: Fraction) -> Comparison:
    near = any(
        end is not None and abs(end - number) <= abs(number) / 10 for end in (claim.interval.low, claim.interval.high)
    )
    if near:
        return other(f"the source only says {source.approx} {source.text}", Kind.ROUNDING)
    if number in claim.interval:
        return entailed(f"{source.approx} {source.text} is {phrase(claim)}")
    return disjoint(f"{source.approx} {source.text} is not {phrase(claim)}", _kind(claim, source, Kind.THRESHOLD))


def _with_range(claim: Value, source: Value) -> Comparison:
    said, true = claim.interval, source.interval
    if said.is_range and true.is_range:
        return disjoint(f"{claim.text} is not the range {source.text}", _kind(claim, source, Kind.RANGE))
    if not said.meets(true):
        return disjoint(
            f"{phrase(claim)} and {phrase(source)} exclude each other", _kind(claim, source, Kind.THRESHOLD)
        )
    if true.is_range:
        shared = said.high == true.high if said.low is None else said.low == true.low
        if claim.kind in _CALENDAR:
            if shared:
                return entailed(f"{phrase(claim)} is one end of {source.text}")
            return disjoint(f"{phrase(claim)} is not an end of {source.text}", _kind(claim, source, Kind.RANGE))
        return other(
            f"{phrase(claim)} says less than {source.text}" if shared else f"{phrase(claim)} is not {source.text}",
            Kind.RANGE,
        )
    return other(f"{claim.text} adds an end to {phrase(source)}", Kind.RANGE)


def _two_limits(claim: Value, source: Value) -> Comparison:
    said, true = claim.interval, source.interval
    same_direction = (said.low is None) == (true.low is None)
    mine, theirs = _end(said), _end(true)
    if not same_direction:
        if mine == theirs or not said.meets(true):
            return disjoint(f"{phrase(claim)} turns {phrase(source)} round", _kind(claim, source, Kind.THRESHOLD))
        return other(f"{phrase(claim)} and {phrase(source)} limit different ends", Kind.THRESHOLD)
    rule = bool(claim.bound and claim.bound.normative) or bool(source.bound and source.bound.normative)
    if mine == theirs:
        if claim.kind in _CALENDAR:
            return other(
                f"{phrase(claim)} and {phrase(source)} differ in whether the end itself counts", Kind.THRESHOLD
            )
        return disjoint(f"{phrase(claim)} and {phrase(source)} differ at the limit itself", Kind.THRESHOLD)
    if rule:
        return disjoint(f"the limit is {phrase(source)}, not {phrase(claim)}", _kind(claim, source, Kind.NUMBER))
    return other(f"{phrase(claim)} is another limit than {phrase(source)}", Kind.THRESHOLD)


def _end(interval: Interval) -> Fraction | None:
    return interval.low if interval.low is not None else interval.high
