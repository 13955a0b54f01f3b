"""Numbers with what they count: money, percent, quantities, durations, plain counts."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.lexicon import Unit, currency_set, units
from grounding_middleware.reading.values.measures import Measure, cjk_measure, money_at, money_before, unit_at
from grounding_middleware.reading.values.model import Interval, ValueKind
from grounding_middleware.reading.values.numerals import Numeral
from grounding_middleware.reading.values.page import Page

_MINUS: Final = frozenset("-−–‒")
KINDS: Final = {
    "ratio": ValueKind.PERCENT,
    "ratio_points": ValueKind.PERCENTAGE_POINT,
    "time": ValueKind.DURATION,
    "months": ValueKind.CALENDAR_DURATION,
    "working_time": ValueKind.CALENDAR_DURATION,
    "working_hours": ValueKind.CALENDAR_DURATION,
    "nights": ValueKind.CALENDAR_DURATION,
    "multiple": ValueKind.MULTIPLE,
}


def amount(page: Page, numeral: Numeral) -> Draft:
    """The value that `numeral` is part of, with currency or unit taken in."""
    draft = _plain(page, numeral)
    money = money_before(page, numeral.first)
    if money:
        _prefix(page, draft, *money)
    if page.scan.shape(draft.last + 1) == "c" and page.scan.glued(draft.last) or _spaced_cjk(page, draft.last):
        _cjk(page, draft)
    elif not numeral.ordinal:
        _suffix(page, draft, numeral)
    _minus(page, draft)
    _settle(draft)
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
        share=numeral.share,
        readings=numeral.others,
    )


def _prefix(page: Page, draft: Draft, first: int, currency: frozenset[str]) -> None:
    scan = page.scan
    draft.unit_text = scan.text[scan.starts[first] : scan.ends[draft.first - 1]]
    draft.first, draft.start, draft.currency = first, scan.starts[first], currency


def _suffix(page: Page, draft: Draft, numeral: Numeral) -> None:
    """A currency or unit behind the number, after an optional hyphen or one filler word (14 consecutive days)."""
    scan = page.scan
    at = draft.last + 1
    hyphen = scan.word(at) in ("-", "‑") and scan.glued(draft.last)
    at += hyphen
    if at >= len(scan) or (not hyphen and ("\n" in scan.gap(draft.last) or len(scan.gap(draft.last)) > 1)):
        return
    if hyphen and not scan.glued(at - 1):
        return
    money = money_at(page, at)
    if money and not draft.currency:
        _take_money(page, draft, money)
    elif money and draft.currency & money.currency:  # "$5 million dollars", "US$ 5 USD"
        draft.currency &= money.currency
        draft.last, draft.end = money.last, money.end
    if draft.currency and not (money and _pound(money)):
        return
    unit = unit_at(page, at, glued=scan.glued(at - 1)) or _after_filler(page, at)
    if unit is None:
        return
    if money and _pound(money):
        _pounds(draft, unit)
    else:
        _take_unit(draft, unit)


def _after_filler(page: Page, index: int) -> Measure | None:
    if page.scan.word(index) in page.lexicon.range["filler"] and page.joined(index):
        return unit_at(page, index + 1)
    return None


def _pound(money: Measure) -> bool:
    return len(money.currency) > 1 and money.currency == currency_set("pound")


def _pounds(draft: Draft, unit: Measure) -> None:
    """250 pounds: money or mass; both readings are kept, mass first (money is usually written with its sign)."""
    other = replace(draft)
    other.others = []
    other.kind = ValueKind.MONEY
    draft.currency = frozenset()
    _take_unit(draft, unit)
    draft.others.append(other)


def _take_money(page: Page, draft: Draft, money: Measure) -> None:
    draft.currency, draft.unit_text = money.currency, money.text
    draft.last, draft.end = money.last, money.end
    if money.minor:
        draft.unit = Unit("minor", "money", Fraction(1, 100))


def _take_unit(draft: Draft, measure: Measure) -> None:
    draft.unit, draft.unit_text = measure.unit, measure.text
    draft.last, draft.end = measure.last, measure.end


def _spaced_cjk(page: Page, last: int) -> bool:
    """`10 営業日`: one space between digits and the CJK unit."""
    scan = page.scan
    if scan.shape(last + 1) != "c" or scan.gap(last) not in (" ", "\u00a0"):
        return False
    start = scan.starts[last + 1]
    return (
        cjk_measure(page, scan.text, start, scan.ends[last + 1]) is not None
        or scan.text[start] in page.lexicon.cjk_scales
    )


def _cjk(page: Page, draft: Draft) -> None:
    """3万5千円, 10営業日, 30%: scale signs and units inside a run of CJK letters."""
    scan, text = page.scan, page.scan.text
    low = draft.interval.low or Fraction(0)
    position, last, factor, total = scan.starts[draft.last + 1], draft.last + 1, Fraction(1), Fraction(0)
    part = low
    while True:
        while position < scan.ends[last] and text[position] in page.lexicon.cjk_scales:
            part *= page.lexicon.cjk_scales[text[position]]
            factor *= page.lexicon.cjk_scales[text[position]]
            position += 1
        total += part
        more = (
            position == scan.ends[last]
            and factor > 1
            and scan.glued(last)
            and scan.shape(last + 1) == "d"
            and scan.raw(last + 1).isdigit()
        )
        if not (more and len(scan.raw(last + 1)) <= 4 and scan.shape(last + 2) == "c" and scan.glued(last + 1)):
            break
        part, factor = Fraction(int(scan.raw(last + 1))), Fraction(1)
        last += 2
        position = scan.starts[last]
    if factor > 1:
        draft.scale = text[scan.ends[draft.last] : position]
        draft.interval, draft.quantum, draft.readings = Interval.point(total), draft.quantum * factor, ()
        draft.end, draft.last = position, last
    _cjk_unit(page, draft, position, last)


def _cjk_unit(page: Page, draft: Draft, position: int, last: int) -> None:
    scan = page.scan
    if scan.shape(last) != "c" or position >= scan.ends[last]:
        if scan.word(last + 1) in ("%", "％") and scan.glued(last) and position == scan.ends[last]:
            found = unit_at(page, last + 1, glued=True)
            if found:
                _take_unit(draft, found)
        return
    hit = cjk_measure(page, scan.text, position, scan.ends[last])
    if hit is None:
        return
    end, key, name = hit
    draft.last, draft.end, draft.unit_text = last, end, scan.text[position:end]
    if name:
        draft.currency = currency_set(name)
    elif key == "tenth":
        draft.unit = Unit("tenth", "ratio", Fraction(1, 10))
    elif key:
        draft.unit = units().get(key)


def _minus(page: Page, draft: Draft) -> None:
    """-5 °C, −$3, minus five; and ($10.0 million), which is kept as a magnitude and marked."""
    scan, before = page.scan, draft.first - 1
    sign = scan.word(before)
    if (
        sign in _MINUS
        and sign
        and scan.glued(before)
        and (before == 0 or not scan.glued(before - 1) or scan.word(before - 1) in "([{,;")
    ):
        if before and scan.shape(before - 1) == "d" and sign in "–":
            return
        draft.interval = _negated(draft.interval)
        draft.first, draft.start = before, scan.starts[before]
    elif (
        sign in page.lexicon.number["minus"]
        and sign
        and (draft.unit or draft.spelled or scan.shape(draft.first) == "d")
        and scan.shape(before - 1) != "d"
    ):
        draft.interval = _negated(draft.interval)
        draft.first, draft.start = before, scan.starts[before]
    elif (
        sign == "("
        and scan.glued(before)
        and scan.word(draft.last + 1) == ")"
        and scan.glued(draft.last)
        and draft.currency
    ):
        draft.negative_notation = True


def _three_decimals(draft: Draft) -> bool:
    """Money without a scale word is not written with three decimals: 1.450 Euro and 1,450 euros are thousands."""
    return bool(draft.currency) and not draft.scale


def _negated(interval: Interval) -> Interval:
    return Interval.point(-(interval.low or Fraction(0)))


def _settle(draft: Draft) -> None:
    """Convert to the base unit, choose the kind, and keep the readings the locale leaves open."""
    for other in draft.others:
        other.kind = ValueKind.MONEY
    unit = draft.unit
    if unit and unit.dimension == "degrees" and not draft.share:
        pass
    written = draft.raw = draft.interval.low or Fraction(0)
    draft.interval = Interval.point(draft.convert(written))
    if unit:
        draft.quantum *= unit.factor
        draft.kind = KINDS.get(unit.dimension, ValueKind.QUANTITY)
    if draft.currency:
        draft.kind = ValueKind.MONEY
    for reading in draft.readings if not _three_decimals(draft) else ():
        value = -reading.value if written < 0 else reading.value
        factor = unit.factor if unit else Fraction(1)
        draft.others.append(
            replace(
                draft,
                interval=Interval.point(draft.convert(value)),
                raw=value,
                written=reading.value,
                quantum=reading.quantum * factor,
                readings=(),
                others=[],
            )
        )
    if unit and unit.alternatives:
        for key in unit.alternatives[1:]:
            other = units()[key]
            draft.others.append(
                replace(draft, unit=other, interval=Interval.point(written * other.factor), readings=(), others=[])
            )
