"""Days, calendar days, working days and months: no exact factor exists between them, but far apart is apart."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.limits import compare_numbers, phrase
from grounding_middleware.reading.values.model import Value
from grounding_middleware.reading.values.relation import Comparison, Relation, disjoint, other
from grounding_middleware.records import Kind

UNSAID_DAYS: Final = frozenset({"day", "calendar day"})
_SECONDS: Final = 86400  # of a day
_MONTH: Final = Fraction(487, 16)  # mean days of a month, 365.25 / 12
_SLACK: Final = 3  # days by which months and working days may stray from their mean


def compare_unsaid_days(claim: Value, source: Value) -> Comparison:
    """Days and calendar days are the same length; only the claim may leave the type unsaid."""
    found = compare_numbers(claim, source)
    if found.relation is Relation.ENTAILED and claim.unit_key == "calendar day":
        return other("the source does not say calendar days", Kind.DEADLINE)
    return found


def compare_durations(claim: Value, source: Value) -> Comparison:
    """Durations of different sorts: as many calendar as working days is a conflict, unsaid days are a doubt."""
    units = {claim.unit_key, source.unit_key}
    same = claim.written == source.written and claim.written is not None
    if same and "working day" in units and units & UNSAID_DAYS:
        if "calendar day" in units:
            return disjoint(f"{claim.text} are not {source.text}", Kind.DEADLINE)
        return other(f"{claim.text} and {source.text}: one leaves open which days", Kind.DEADLINE)
    mine, theirs = _days(claim), _days(source)
    if mine is None or theirs is None:
        return other(f"{phrase(claim)} and {phrase(source)} count different days", Kind.DEADLINE)
    if mine[1] < theirs[0] or theirs[1] < mine[0]:
        return disjoint(f"{claim.text} is not {source.text}", Kind.UNIT if same else Kind.NUMBER)
    return other(f"{claim.text} may be {source.text}", Kind.DEADLINE)


def _days(value: Value) -> tuple[Fraction, Fraction] | None:
    """Fewest and most days that the one stated number may be; None for ranges."""
    interval = value.interval
    number = interval.low if interval.low is not None else interval.high
    if interval.is_range or number is None:
        return None
    if value.dimension == "time":
        return number / _SECONDS, number / _SECONDS
    if value.dimension == "months":
        return number * _MONTH - _SLACK, number * _MONTH + _SLACK
    return number, number * Fraction(7, 5) + _SLACK
