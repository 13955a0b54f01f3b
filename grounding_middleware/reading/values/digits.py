"""What a group of digits and separators may mean: every reading with its last written place.

`1.234` is one thousand in German and one and a bit in English; both readings are kept, the likelier first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

MAX_DIGITS: Final = 30  # longer digit strings are codes, and int() of a very long string is refused by Python
_ONE: Final = Fraction(1)
_SPLIT = re.compile(r"[^\d]")
_APOSTROPHES = "'’"
_SPACES = "\u00a0\u202f\u2009 "


@dataclass(frozen=True, slots=True)
class Reading:
    """One meaning of a digit group: the number and the value of its last written place."""

    value: Fraction
    quantum: Fraction


def readings(literal: str, decimal: str) -> tuple[Reading, ...]:
    """Every meaning of `literal`, likeliest first where the decimal sign is `decimal`; () when it is no number."""
    if len(literal) > MAX_DIGITS:
        return ()
    if literal.isdigit() and literal[0] != "0":
        return (Reading(Fraction(int(literal)), _ONE),)
    literal = f"0{literal}" if literal[0] == "." else literal
    groups = _SPLIT.split(literal)
    signs = [char for char in literal if not char.isdigit()]
    if not signs:
        return () if len(literal) > 1 and _zero(literal[0]) and int(literal) else (_whole(groups),)
    if len(set(signs)) == 1:
        return _one_sign(groups, signs, decimal)
    return _two_signs(groups, signs)


def _one_sign(groups: list[str], signs: list[str], decimal: str) -> tuple[Reading, ...]:
    sign = signs[0]
    grouped = _grouped(groups)
    if sign in _APOSTROPHES or sign in _SPACES or sign == "٬":
        return (_whole(groups),) if grouped else ()
    if len(signs) > 1:
        return (_whole(groups),) if grouped or (sign == "," and _indian(groups)) else ()
    as_decimal = _decimal(groups[:1], groups[1])
    if sign == "٫" or not grouped:
        return (as_decimal,) if groups[0] == "0" or not _zero(groups[0][0]) or len(groups[0]) == 1 else ()
    return (as_decimal, _whole(groups)) if sign == decimal else (_whole(groups), as_decimal)


def _two_signs(groups: list[str], signs: list[str]) -> tuple[Reading, ...]:
    """The last sign is the decimal one, all before it group."""
    head = set(signs[:-1])
    whole = groups[:-1]
    if len(head) == 1 and signs[-1] not in head and signs[-1] in ".,٫" and (_grouped(whole) or _indian(whole)):
        return (_decimal(whole, groups[-1]),)
    return ()


def _grouped(groups: list[str]) -> bool:
    return (
        len(groups) > 1
        and 1 <= len(groups[0]) <= 3
        and not _zero(groups[0][0])
        and all(len(g) == 3 for g in groups[1:])
    )


def _indian(groups: list[str]) -> bool:
    """12,34,567: pairs, then three."""
    inner = groups[1:-1]
    return len(groups) > 2 and len(groups[0]) <= 2 and all(len(g) == 2 for g in inner) and len(groups[-1]) == 3


def _zero(char: str) -> bool:
    return int(char) == 0


def _whole(groups: list[str]) -> Reading:
    return Reading(Fraction(int("".join(groups))), Fraction(1))


def _decimal(groups: list[str], tail: str) -> Reading:
    place = Fraction(1, 10 ** len(tail))
    return Reading(int("".join(groups)) + int(tail) * place, place)
