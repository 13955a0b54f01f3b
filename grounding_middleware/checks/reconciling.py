"""Readings under which a claim is right although it does not have the value of the source (CH-1)."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.reading.tokens import Token
from grounding_middleware.reading.units import Unit
from grounding_middleware.reading.values import Value, ValueKind

__all__ = ["of_a_name", "rounded_down"]

_LITTLE: Final = Fraction(6, 5)  # a limit this much higher is still the one that was rounded


def of_a_name(alignment: Alignment, value: Value, other: Value) -> bool:
    """A year right behind a name, where the other year has no such name: "Harbour 2049" is a title, not a date."""
    if value.kind is not ValueKind.DATE or other.kind is not ValueKind.DATE:
        return False
    mine, theirs = _before(alignment.claim, value), _before(alignment.source, other)
    return mine is not None and mine.capital and (theirs is None or theirs.norm != mine.norm)


def rounded_down(value: Value, other: Value) -> bool:
    """A round number a little below the limit: "more than 30", where there are 33 or more."""
    mine, theirs = value.interval, other.interval
    if value.bound is None or value.bound.sign != ">" or mine.low is None:
        return False
    if theirs.low is None or theirs.high is not None:
        return False
    digits = str(value.written or "").rstrip("0")
    return len(digits) == 1 and mine.low < theirs.low <= mine.low * _LITTLE


def _before(unit: Unit, value: Value) -> Token | None:
    return next((token for token in reversed(unit.tokens) if token.end <= value.start), None)
