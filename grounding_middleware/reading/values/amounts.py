"""Numbers with what they count: money, percent, quantities, durations, plain counts."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values import cjk
from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.measures import Measure, money_at, money_before, take_unit, unit_at
from grounding_middleware.reading.values.model import Interval, ValueKind
from grounding_middleware.reading.values.numerals import Numeral
from grounding_middleware.reading.values.page import Page
from grounding_middleware.reading.values.tables import Unit, currency_set, units

_MILLION: Final = 10**6
_MINUS: Final = frozenset("-−–‒")
_LETTERS: Final = {"k": 1000, "M": _MILLION}
_KINDS: Final = {
    "ratio": ValueKind.PERCENT,
    "ratio_points": ValueKind.PERCENTAGE_POINT,
    "time": ValueKind.DURATION,
    "months": ValueKind.CALENDAR_DURATION,
    "working_time": ValueKind.CALENDAR_DURATION,
    "working_hours": ValueKind.CALENDAR_DURATION,
    "nights": ValueKind.CALENDAR_DURATION,
    "multiple": ValueKind.MULTIPLE,
}


def kind_of(dimension: str) -> ValueKind:
    """The kind of an amount of this dimension."""
    return _KINDS.get(dimension, ValueKind.QUANTITY)


def amount(page: Page, numeral: Numeral) -> Draft:
    """The value that `numeral` is part of, with currency or unit taken in."""
    draft = _plain(page, numeral)
    _prefix(page, draft)
    if cjk.follows(page, draft.last):
        cjk.extend(page, draft)
    elif not numeral.ordinal:
        _suffix(page, draft)
    _minus(page, draft)
    settle(draft)
    _idiom(page, draft)
    return draft


def _plain(page: Page, numeral: Numeral) -> Draft:
    scan = page.scan
    kind = ValueKind.ORDINAL if numeral.ordinal else ValueKind.RATIO if numeral.share else ValueKind.NUMBER
    return Draft(
        first=numeral.first,
        last=numeral.last,
        start=scan.starts[numeral.first],
        end=scan.ends[numeral.last],
        kind=kind,
        interval=Interval.point(numeral.value),
        written=numeral.written,
        quantum=numeral.quantum,
        spelled=numeral.spelled,
        scale=numeral.scale,
        readings=numeral.others,
    )


def _prefix(page: Page, draft: Draft) -> None:
    money = money_before(page, draft.first)
    if money:
        first, draft.currency = money
        draft.unit_text = page.scan.between(first, draft.first - 1)
        first = _scale_before(page, draft, first)
        draft.first, draft.start = first, page.scan.starts[first]


def _scale_before(page: Page, draft: Draft, sign: int) -> int:
    """The first token of "k€ 12": a scale letter glued to the sign counts for the number."""
    scan, at = page.scan, sign - 1
    power = _LETTERS.get(scan.raw(at)) if at >= 0 and scan.glued(at) and not scan.raw(sign).isalpha() else None
    if power is None or page.taken[at] or (at and scan.glued(at - 1)):
        return sign
    draft.interval, draft.scale = Interval.point((draft.interval.low or Fraction(0)) * power), scan.raw(at)
    draft.quantum, draft.readings = draft.quantum * power, ()
    return at


def _suffix(page: Page, draft: Draft) -> None:
    """A currency or unit behind the number, after an optional hyphen or one filler word (14 consecutive days)."""
    scan, at = page.scan, _measure_at(page, draft)
    if at is None:
        return
    money = money_at(page, at)
    if money:
        _take_money(draft, money)
    pounds = money is not None and len(money.currency) > 1 and money.currency == currency_set("pound")
    if draft.currency and not pounds:
        return
    unit = unit_at(page, at, glued=scan.glued(at - 1)) or _after_filler(page, at)
    if unit and pounds:
        _pounds(draft, unit)
    elif unit and unit.text == "s" and _aged(page, draft):
        draft.last, draft.end = unit.last, unit.end  # "the over 65s", "in their 30s"
    elif unit:
        take_unit(draft, unit)
        _unit_and_half(page, draft)
        _below_zero(page, draft)


def _aged(page: Page, draft: Draft) -> bool:
    """The over 65s, the under-16s: ages, no seconds."""
    scan, before = page.scan, draft.first - 1
    before -= scan.folded[before] == "-" and scan.glued(before - 1)
    return scan.folded[before] in page.lexicon.number["ages_after"]


def _measure_at(page: Page, draft: Draft) -> int | None:
    """Where a unit may stand: behind the number, its hyphen, or "de" after millions (2 millions d'euros)."""
    scan, at = page.scan, draft.last + 1
    dashed = scan.folded[at] in (",", ".") and scan.folded[at + 1] in _MINUS and scan.glued(draft.last)
    if dashed and scan.glued(at) and page.joined(at + 1) and money_at(page, at + 2):
        return at + 2  # 12,– €: no cents
    if scan.folded[at] in ("-", "‑") and scan.glued(draft.last) and scan.glued(at):
        return at + 1
    if not page.joined(draft.last):
        return None
    if scan.folded[at] in page.lexicon.number["million_of"] and ((draft.interval.low or 0) >= _MILLION or draft.scale):
        return at + 2 if scan.folded[at + 1] == "'" else at + 1
    return at


def _unit_and_half(page: Page, draft: Draft) -> None:
    """One year and a half, 5 ans et demi."""
    if draft.unit is None or draft.unit.dimension not in ("time", "months"):
        return
    part = page.phrase_at(page.lexicon.number["halves"], draft.last + 1)
    if part:
        draft.interval = Interval.point((draft.interval.low or Fraction(0)) + Fraction(part[1]))
        draft.last, draft.end, draft.written = part[0], page.scan.ends[part[0]], draft.interval.low


def _idiom(page: Page, draft: Draft) -> None:
    """Huit jours are a week, quinze jours two, where people say so: both readings are kept."""
    weeks = page.lexicon.number["days_for_weeks"].get(page.scan.folded[draft.first]) if draft.spelled else None
    if weeks is not None and draft.unit is not None and draft.unit.key == "day" and draft.interval.is_point:
        draft.others.append(replace(draft, interval=Interval.point(draft.convert(7 * weeks)), others=[]))


def _below_zero(page: Page, draft: Draft) -> None:
    """Five degrees below zero: the words behind the unit are the sign."""
    degrees = draft.unit is not None and draft.unit.dimension in ("degrees", "temperature")
    hit = page.phrase_at(page.lexicon.number["below_zero"], draft.last + 1) if degrees else None
    if hit:
        draft.interval = Interval.point(-abs(draft.interval.low or Fraction(0)))
        draft.last, draft.end, draft.readings = hit[0], page.scan.ends[hit[0]], ()


def _after_filler(page: Page, index: int) -> Measure | None:
    filler = page.scan.folded[index] in page.lexicon.range["filler"] and page.joined(index)
    return unit_at(page, index + 1) if filler else None


def _take_money(draft: Draft, money: Measure) -> None:
    """The currency, or the narrower one where one was written before as well ("$5 million US dollars")."""
    if draft.currency and not draft.currency & money.currency:
        return
    draft.currency = draft.currency & money.currency or money.currency
    draft.unit_text = draft.unit_text or money.text
    draft.last, draft.end = money.last, money.end
    if money.factor != 1:
        draft.unit = Unit("cent" if money.factor < 1 else "thousand", "money", money.factor)


def _pounds(draft: Draft, unit: Measure) -> None:
    """250 pounds: money or mass; both readings are kept, mass first (money is usually written with its sign)."""
    draft.others.append(replace(draft, kind=ValueKind.MONEY, others=[], readings=()))
    draft.currency = frozenset()
    take_unit(draft, unit)


# sign


def _minus(page: Page, draft: Draft) -> None:
    """-5 °C, −$3, minus five; and ($10.0 million), which is kept as a magnitude and marked."""
    scan, before = page.scan, draft.first - 1
    sign = scan.folded[before]
    if before < 0 or page.taken[before]:
        return
    if sign == "(" and scan.glued(before) and scan.folded[draft.last + 1] == ")" and draft.currency:
        draft.negative_notation = scan.glued(draft.last)
    elif (sign in _MINUS and _is_minus_sign(page, before)) or (
        sign in page.lexicon.number["minus"]
        and scan.shapes[before - 1] != "d"
        and page.phrase_before(page.lexicon.before, before) is None  # "al menos 3"
        and (draft.kind is not ValueKind.PERCENT or page.lexicon.language == "en")  # "menos 8 % de amostras"
    ):
        draft.interval = Interval.point(-(draft.interval.low or Fraction(0)))
        draft.first, draft.start = before, scan.starts[before]


def _is_minus_sign(page: Page, index: int) -> bool:
    """Glued to its number and to nothing before it; a dash after a number is a range or a subtraction."""
    scan = page.scan
    if not scan.glued(index) or (
        index and scan.glued(index - 1) and scan.folded[index - 1] not in ("(", "[", "{", ",", ";")
    ):
        return False
    return not (index and scan.shapes[index - 1] == "d" and scan.folded[index] == "–")


# conversion


def settle(draft: Draft) -> None:
    """Convert to the base unit, choose the kind, and keep the readings the locale leaves open."""
    unit = draft.unit
    written = draft.raw = draft.interval.low or Fraction(0)
    draft.interval = Interval.point(draft.convert(written))
    if unit:
        draft.quantum *= unit.factor
        draft.kind = kind_of(unit.dimension)
    if draft.currency:
        draft.kind = ValueKind.MONEY
    if not draft.currency:  # money is not written with three decimals: 1.450 Euro, 8.400 millones de euros
        draft.others += [_reading(draft, each.value, each.quantum, negative=written < 0) for each in draft.readings]
    for key in unit.alternatives[1:] if unit else ():
        other = units()[key]
        draft.others.append(
            replace(draft, unit=other, interval=Interval.point(written * other.factor), readings=(), others=[])
        )


def _reading(draft: Draft, value: Fraction, quantum: Fraction, *, negative: bool) -> Draft:
    raw = -value if negative else value
    factor = draft.unit.factor if draft.unit else Fraction(1)
    interval = Interval.point(draft.convert(raw))
    return replace(draft, interval=interval, raw=raw, written=value, quantum=quantum * factor, readings=(), others=[])
