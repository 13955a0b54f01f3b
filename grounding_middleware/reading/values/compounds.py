"""Two amounts that are one: 1 h 30 min, 2 weeks and 3 days, 6 ft 2 in."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.model import Interval, ValueKind
from grounding_middleware.reading.values.page import Page
from grounding_middleware.reading.values.tables import Unit, units

_DURATIONS: Final = frozenset({"time", "months"})
_PAIRS: Final = frozenset({("ft", "in"), ("lb", "oz"), ("st", "lb")})
_INCHES: Final = ("in", '"', "”", "″")


def compound(page: Page, left: Draft, right: Draft) -> Draft | None:
    """The sum of both, when the second is smaller than one unit of the first and nothing but "and" parts them."""
    if left.unit is None or left.raw is None or left.raw.denominator != 1 or not _touch(page, left, right):
        return None
    right = _bare_minutes(page, left, _minutes(left, _inches(page, left, right)))
    if right.unit is None or right.raw is None or right.raw < 0 or not _fits(left.unit, right.unit):
        return None
    small = right.raw * right.unit.factor
    if small >= left.unit.factor:
        return None
    total = (left.interval.low or Fraction(0)) + small
    return replace(
        left,
        last=right.last,
        end=right.end,
        interval=Interval.point(total),
        unit_text=f"{left.unit_text} {right.unit_text}".strip(),
        quantum=right.quantum,
        written=None,
        raw=total / left.unit.factor,
        others=[],
    )


def _fits(big: Unit, small: Unit) -> bool:
    if big.dimension != small.dimension or small.factor >= big.factor:
        return False
    return big.dimension in _DURATIONS or (big.key, small.key) in _PAIRS


def _touch(page: Page, left: Draft, right: Draft) -> bool:
    """Nothing, a comma, a hyphen or "and" between them; not after "between"."""
    scan, words = page.scan, page.lexicon.range
    gap = scan.folded[left.last + 1 : right.first]
    text = scan.text[left.end : right.start]
    if "\n" in text or "  " in text or "\t" in text or len(gap) > 1 or left.interval.is_range:
        return False  # two columns of a table are two values
    joined = not gap or gap[0] in (",", "-")
    return joined or (gap[0] in words["and"] and scan.folded[left.first - 1] not in words["between"])


def _minutes(left: Draft, right: Draft) -> Draft:
    """1h 30m: behind hours, "m" is minutes."""
    if left.unit is None or left.unit.key != "hour" or right.unit_text != "m" or right.raw is None:
        return right
    minute = units()["minute"]
    return replace(
        right, unit=minute, kind=ValueKind.DURATION, interval=Interval.point(right.raw * 60), quantum=minute.factor
    )


def _bare_minutes(page: Page, left: Draft, right: Draft) -> Draft:
    """1 h 30 as French writes it: two digits behind hours, with nothing of which they are the number."""
    hours = left.unit is not None and left.unit.key == "hour" and page.lexicon.language == "fr"
    plain = right.unit is None and right.kind is ValueKind.NUMBER and not right.currency and not right.spelled
    raw = page.scan.raw(right.first)
    if not (hours and plain and len(raw) == 2 and right.raw is not None) or page.noun_at(right.last + 1):
        return right
    if right.first != left.last + 1:
        return right
    minute = units()["minute"]
    return replace(
        right, unit=minute, kind=ValueKind.DURATION, interval=Interval.point(right.raw * 60), quantum=minute.factor
    )


def _inches(page: Page, left: Draft, right: Draft) -> Draft:
    """6 ft 2 in: "in" is a unit only here."""
    scan, after = page.scan, right.last + 1
    plain = right.unit is None and right.kind is ValueKind.NUMBER and left.unit is not None and left.unit.key == "ft"
    if not plain or scan.folded[after] not in _INCHES or right.raw is None:
        return right
    inch = units()["in"]
    return replace(
        right,
        unit=inch,
        unit_text=scan.raw(after),
        last=after,
        end=scan.ends[after],
        quantum=right.quantum * inch.factor,
    )
