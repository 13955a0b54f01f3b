"""Amounts with a notation of their own: 6'2", 8' x 6', 1h30, 0800 hours, 16:9, 50p."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.model import Interval, ValueKind
from grounding_middleware.reading.values.page import Page
from grounding_middleware.reading.values.tables import Unit, units

_INCH_SIGNS: Final = ('"', "”", "″")
_FOOT_SIGNS: Final = ("'", "′")
_BY: Final = ("x", "×", "by")
_PROPORTION: Final = Unit("proportion", "proportion", Fraction(1))
_CLOCK_LANGUAGES: Final = frozenset({"fr", "es", "it", "pt"})  # 17h30 is a clock time as well


def form_at(page: Page, index: int) -> Draft | None:
    """The amount in such a notation that starts at digits `index`."""
    if not page.scan.glued(index):
        return _military(page, index)
    return _feet(page, index) or _proportion(page, index)


def _draft(page: Page, first: int, last: int, kind: ValueKind, value: Fraction) -> Draft:
    scan = page.scan
    return Draft(first, last, scan.starts[first], scan.ends[last], kind, Interval.point(value), quantum=Fraction(1))


def _measured(draft: Draft, unit: Unit, text: str) -> Draft:
    draft.unit, draft.unit_text = unit, text
    draft.quantum = unit.factor
    return draft


def _feet(page: Page, index: int) -> Draft | None:
    """6'2", and 8' or 6" beside "x"."""
    scan, raw = page.scan, page.scan.raw(index)
    feet, sign, inches = raw.replace("’", "'").partition("'")
    foot, inch = units()["ft"], units()["in"]
    if sign and feet.isdigit() and inches.isdigit() and len(feet) <= 2 and len(inches) <= 2:
        closed = scan.folded[index + 1] in _INCH_SIGNS and scan.glued(index) and int(inches) < 12
        value = int(feet) * foot.factor + int(inches) * inch.factor
        return _measured(_draft(page, index, index + 1, ValueKind.QUANTITY, value), inch, "ft in") if closed else None
    if not raw.isdigit() or len(raw) > 3 or not scan.glued(index):
        return None
    unit = foot if scan.folded[index + 1] in _FOOT_SIGNS else inch if scan.folded[index + 1] in _INCH_SIGNS else None
    beside = scan.folded[index + 2] in _BY or (scan.folded[index - 1] in _BY and scan.shapes[index - 2] in ("d", "s"))
    if unit is None or not beside:
        return None
    found = _measured(
        _draft(page, index, index + 1, ValueKind.QUANTITY, int(raw) * unit.factor), unit, scan.raw(index + 1)
    )
    found.raw = found.written = Fraction(int(raw))
    return found


def _military(page: Page, index: int) -> Draft | None:
    """0800 hours."""
    scan, raw = page.scan, page.scan.raw(index)
    clock = len(raw) == 4 and raw.isdigit() and int(raw[:2]) < 25 and int(raw[2:]) < 60
    if not clock or scan.folded[index + 1] not in ("hours", "hrs") or (raw[0] != "0" and raw[2:] != "30"):
        return None
    return _draft(page, index, index + 1, ValueKind.TIME, Fraction(int(raw[:2]) * 60 + int(raw[2:])))


def _proportion(page: Page, index: int) -> Draft | None:
    """16:9, 3:1."""
    scan = page.scan
    if (
        scan.folded[index + 1] != ":"
        or scan.shapes[index + 2] != "d"
        or not (scan.glued(index) and scan.glued(index + 1))
    ):
        return None
    left, right = scan.raw(index), scan.raw(index + 2)
    longer = scan.glued(index + 2) and scan.folded[index + 3] == ":"
    if longer or not (left.isdigit() and right.isdigit() and len(left) < 4 and len(right) < 6 and int(right)):
        return None
    found = _draft(page, index, index + 2, ValueKind.RATIO, Fraction(int(left), int(right)))
    return _measured(found, _PROPORTION, ":")


def hours_minutes(page: Page, draft: Draft) -> Draft:
    """1h30 as a duration: in English only that; where clocks are written so, the other reading."""
    minutes = draft.interval.low or Fraction(0)
    hour = units()["hour"]
    duration = replace(
        draft, kind=ValueKind.DURATION, interval=Interval.point(minutes * 60), unit=hour, unit_text="h", others=[]
    )
    duration.quantum, duration.raw = Fraction(60), minutes / 60
    if page.lexicon.language not in _CLOCK_LANGUAGES:
        return duration
    draft.others = [duration]
    return draft
