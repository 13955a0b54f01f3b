"""Numbers put into words for reasons and derivations."""

from __future__ import annotations

from fractions import Fraction

from grounding_middleware.reading.values.model import Value
from grounding_middleware.reading.values.tables import units


def decimal(number: Fraction) -> str:
    """At most six significant places, no exponent: 1/3 -> 0.333333."""
    if number.denominator == 1:
        return f"{int(number):,}"
    return f"{float(number):,.6f}".rstrip("0").rstrip(".")


def number_words(number: Fraction, like: Value) -> str:
    """`number`, given in the base unit, in the unit and currency of `like`."""
    if like.currency:
        return f"{like.unit} {decimal(number)}".strip()
    if like.dimension in ("ratio", "ratio_points"):
        return f"{decimal(number * 100)}%" if like.dimension == "ratio" else f"{decimal(number * 100)} points"
    unit = units().get(like.unit_key)
    if unit is None:
        return decimal(number)
    return f"{decimal((number - unit.offset) / unit.factor)} {like.unit}".strip()
