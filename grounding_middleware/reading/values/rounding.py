"""Exact numbers against each other: equality, honest rounding, and what kind of difference remains."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.model import Value, ValueKind
from grounding_middleware.reading.values.relation import Comparison, disjoint, entailed, other
from grounding_middleware.records import Kind

_MARKED_ERROR: Final = Fraction(1, 10)  # "about 1" is no honest rounding of 1.4, though it rounds to it
_UNMARKED_ERROR: Final = Fraction(1, 20)
_WRONG_SIDE: Final = Fraction(1, 50)  # "just under 100" for 101 is loose, for 105 it is wrong
_CONVERTED_ERROR: Final = Fraction(1, 20)
_MEASURED: Final = frozenset(
    {ValueKind.PERCENT, ValueKind.PERCENTAGE_POINT, ValueKind.QUANTITY, ValueKind.NUMBER, ValueKind.RATIO}
)


def compare_points(claim: Value, source: Value) -> Comparison:
    """Both values name one number each."""
    said, true = claim.interval.low, source.interval.low
    if said is None or true is None:
        return other("a number is missing")
    if said == true:
        return _equal(claim, source)
    if source.approx:
        return _from_approximate(claim, source, said, true)
    if claim.approx:
        return _approximate(claim, source, said, true)
    return _plain(claim, source, said, true)


def _equal(claim: Value, source: Value) -> Comparison:
    if source.approx and not claim.approx:
        return other(f"the source says {source.approx!r}, the claim states the number as exact", Kind.ROUNDING)
    if claim.approx_side and not source.approx:
        return other(f"the claim says {claim.approx!r}, the source has the number itself", Kind.ROUNDING)
    return entailed("the same value")


def _from_approximate(claim: Value, source: Value, said: Fraction, true: Fraction) -> Comparison:
    reach = max(claim.quantum, source.quantum, rounded_places(source)[0]) / 2
    if abs(said - true) <= reach or _error(said, true) <= _MARKED_ERROR:
        return other(f"the source only says {source.approx} {source.text}", Kind.ROUNDING)
    return disjoint(f"{claim.text} is not {source.approx} {source.text}", difference(claim, source))


def _approximate(claim: Value, source: Value, said: Fraction, true: Fraction) -> Comparison:
    """The claim says "about": honest at the place where it was written, whole tens and hundreds at two digits."""
    coarse, fine = rounded_places(claim)
    gap, error = abs(said - true), _error(said, true)
    if gap <= fine / 2 and error <= _MARKED_ERROR:
        wrong_side = (claim.approx_side == "below" and true > said) or (claim.approx_side == "above" and true < said)
        if wrong_side and error > _WRONG_SIDE:
            return disjoint(f"{source.text} is on the other side of {claim.approx} {claim.text}", Kind.ROUNDING)
        if wrong_side:
            return other(f"{source.text} is on the other side of {claim.approx} {claim.text}", Kind.ROUNDING)
        return entailed(f"{source.text} rounds to {claim.text}")
    if gap <= coarse / 2:
        return other(f"{source.text} rounds to {claim.text} only coarsely", Kind.ROUNDING)
    kind = Kind.ROUNDING if error <= _MARKED_ERROR else difference(claim, source)
    return disjoint(f"{source.text} does not round to {claim.text}", kind)


def _plain(claim: Value, source: Value, said: Fraction, true: Fraction) -> Comparison:
    gap, error = abs(said - true), _error(said, true)
    converted = claim.unit_key != source.unit_key and bool(claim.unit_key)
    honest = gap <= claim.quantum / 2 and error <= _UNMARKED_ERROR
    if honest and (claim.quantum > source.quantum or converted):
        if converted or claim.kind in _MEASURED or claim.scale:
            return entailed(f"{source.text} is {claim.text} at the precision written")
        return other(f"{source.text} is rounded to {claim.text} without saying so", Kind.ROUNDING)
    if gap <= source.quantum / 2 and source.quantum > claim.quantum:
        return other(f"{source.text} is coarser than {claim.text}", Kind.ROUNDING)
    if converted and error <= _CONVERTED_ERROR and claim.written != source.written:
        return other(f"{claim.text} is near {source.text} after conversion", Kind.ROUNDING)
    if gap <= rounded_places(claim)[1] / 2 and error <= _UNMARKED_ERROR and claim.kind is not ValueKind.ORDINAL:
        return other(f"{source.text} is rounded to {claim.text} without saying so", Kind.ROUNDING)
    return disjoint(f"{claim.text} is not {source.text}", difference(claim, source))


def _error(said: Fraction, true: Fraction) -> Fraction:
    return abs(said - true) / abs(true) if true else Fraction(1)


def rounded_places(value: Value) -> tuple[Fraction, Fraction]:
    """Coarsest and finest place a written number may have been rounded at.

    Zeros at the end of a whole number may be filler: the coarse place is that of the last other digit; with a single
    such digit (3,000) the fine place is one further down, so that two digits are meant.
    """
    written = value.written
    if written is None or written.denominator != 1 or written == 0:
        return value.quantum, value.quantum
    number, zeros = abs(int(written)), 0
    while number % 10 == 0:
        number //= 10
        zeros += 1
    if not zeros:
        return value.quantum, value.quantum
    coarse = value.quantum * 10**zeros
    return coarse, coarse / 10 if number < 10 else coarse


def difference(claim: Value, source: Value) -> Kind:
    """What differs between two numbers that are not equal."""
    same_digits = claim.written is not None and claim.written == source.written
    if same_digits and claim.unit_key != source.unit_key and claim.scale == source.scale:
        return Kind.UNIT
    said, true = claim.interval, source.interval
    left = said.low if said.low is not None else said.high
    right = true.low if true.low is not None else true.high
    if left and right and (claim.scale or source.scale) and claim.scale != source.scale and _thousands(left / right):
        return Kind.SCALE
    if claim.dimension in ("ratio", "ratio_points"):
        return Kind.PERCENT
    return Kind.NUMBER


def _thousands(ratio: Fraction) -> bool:
    """True for a factor of 1,000, 1,000,000 ... either way."""
    ratio = max(ratio, 1 / ratio)
    while ratio >= 1000 and ratio % 1000 == 0:
        ratio /= 1000
    return ratio == 1
