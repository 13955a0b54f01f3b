"""Clock times against each other, brought to one zone where both zones are fixed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.limits import compare_intervals
from grounding_middleware.reading.values.model import Interval, Value
from grounding_middleware.reading.values.relation import Comparison, Relation, disjoint, entailed, other
from grounding_middleware.reading.values.zones import offset_of
from grounding_middleware.records import Kind

_DAY: Final = 1440  # minutes
_ABOUT: Final = 30  # minutes within which "around 5 pm" may lie


def compare_times(claim: Value, source: Value) -> Comparison:
    """Minutes after midnight; a zone the source does not name is not entailed."""
    if not claim.zone or claim.zone == source.zone:
        return _same_zone(claim, source)
    if not source.zone:
        found = _same_zone(replace(claim, zone=""), source)
        return found if found.relation is Relation.DISJOINT else other("the source names no time zone", Kind.TIME)
    mine, theirs = offset_of(claim.zone), offset_of(source.zone)
    if mine is None or theirs is None or not (claim.interval.is_point and source.interval.is_point):
        return other(f"the zones {claim.zone} and {source.zone} cannot be compared here", Kind.TIME)
    moved = ((claim.interval.low or Fraction(0)) - mine + theirs) % _DAY
    return _same_zone(replace(claim, interval=Interval.point(moved)), source)


def _same_zone(claim: Value, source: Value) -> Comparison:
    if not (claim.interval.is_point and source.interval.is_point):
        return compare_intervals(claim, source)
    said, true = claim.interval.low or Fraction(0), source.interval.low or Fraction(0)
    gap = abs(said % _DAY - true % _DAY)
    if not gap and (claim.approx or not source.approx):
        return entailed("the same time")
    if (claim.approx or source.approx) and gap <= _ABOUT:
        return other(f"{claim.text} is near {source.text}", Kind.TIME)
    return disjoint(f"{claim.text} is not {source.text}", Kind.TIME)
