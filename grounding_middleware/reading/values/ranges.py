"""Two values that are one: ranges (3–5, between a and b, 08:30 to 17:00) and compounds (1 h 30 min)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.context import changing
from grounding_middleware.reading.values.dates import interval_of, is_year
from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.lexicon import units
from grounding_middleware.reading.values.model import Interval, PartialDate, ValueKind
from grounding_middleware.reading.values.page import Page

_DASHES: Final = frozenset("-–—−‐‑~〜～")
_COMPOUND: Final = {"time": 2, "months": 2, "length": 1, "mass": 1}
_PAIRS: Final = frozenset({("ft", "in"), ("lb", "oz"), ("st", "lb")})


def join(page: Page, drafts: list[Draft]) -> list[Draft]:
    """Neighbouring drafts joined where they are one value, in order."""
    joined: list[Draft] = []
    for draft in drafts:
        before = joined[-1] if joined else None
        one = (_compound(page, before, draft) or _range(page, before, draft)) if before else None
        if one:
            joined[-1] = one
        else:
            joined.append(draft)
    return joined


# compounds


def _compound(page: Page, left: Draft, right: Draft) -> Draft | None:
    """2 weeks and 3 days, 6 ft 2 in: the second is smaller than one unit of the first."""
    if not (left.unit and left.unit.dimension in _COMPOUND) or left.bound or left.interval.is_range or left.raw is None:
        return None
    scan = page.scan
    gap = [scan.folded[index] for index in range(left.last + 1, right.first)]
    if (
        gap
        and not (len(gap) == 1 and (gap[0] in page.lexicon.range["and"] or gap[0] in (",", "-")))
        or "\n" in scan.text[left.end : right.start]
    ):
        return None
    if gap and gap[0] in page.lexicon.range["and"] and _introduced(page, left, "between"):
        return None
    unit = right.unit
    if (
        unit is None
        and left.unit.key == "ft"
        and scan.word(right.last + 1) in ("in", '"', "”")
        and right.kind is ValueKind.NUMBER
    ):
        unit = units()["in"]
        right = replace(right, unit=unit, last=right.last + 1, end=scan.ends[right.last + 1])
    if (
        unit is None
        or unit.dimension != left.unit.dimension
        or unit.factor >= left.unit.factor
        or right.raw is None
        or right.raw < 0
    ):
        return None
    if unit.dimension in ("length", "mass") and (left.unit.key, unit.key) not in _PAIRS:
        return None
    small = right.raw * unit.factor
    if small >= left.unit.factor or left.raw.denominator != 1:
        return None
    total = (left.interval.low or Fraction(0)) + small
    return replace(
        left,
        last=right.last,
        end=right.end,
        interval=Interval.point(total),
        unit_text=f"{left.unit_text} {right.unit_text}".strip(),
        quantum=right.raw.denominator and unit.factor,
        others=[],
        written=None,
        raw=total / left.unit.factor,
    )


# ranges


def _introduced(page: Page, draft: Draft, name: str) -> int | None:
    """Index of the word of table `name` before the draft, across articles; None when there is none."""
    scan, words, gap = page.scan, page.lexicon.range[name], page.lexicon.range["gap"]
    at = draft.first - 1
    for _ in range(3):
        if scan.word(at) in words:
            return at
        if scan.word(at) not in gap and scan.word(at) not in ("about", "approximately"):
            return None
        at -= 1
    return None


def _range(page: Page, left: Draft, right: Draft) -> Draft | None:
    """One interval from two drafts, when the words between them say so."""
    if left.bound or right.bound or left.interval.is_range or left.is_name and not left.version:
        return None
    kind = _connection(page, left, right)
    if (
        kind == "change"
        and right.scale
        and not left.scale
        and left.raw is not None
        and left.raw < 1000
        and not left.unit
    ):
        _grow(left, right)
    if kind in (None, "change"):
        return None
    left, right = _shared(page, left, right)
    if (
        left is None
        or right is None
        or left.dimension != right.dimension
        or left.kind != right.kind
        and not _alike(left, right)
    ):
        return None
    if left.currency and right.currency and not left.currency & right.currency:
        return None
    if kind == "or" and not _consecutive(left, right):
        return None
    if left.kind is ValueKind.DATE:
        return _dates(page, left, right)
    low, high = left.interval.low, right.interval.high
    if low is None or high is None or (low >= high and left.kind is not ValueKind.TIME):
        return None
    return _spanned(page, left, right, Interval(low, high))


def _alike(left: Draft, right: Draft) -> bool:
    plain = {ValueKind.NUMBER, ValueKind.COUNT, ValueKind.RATIO}
    return left.kind in plain and right.kind in plain


def _connection(page: Page, left: Draft, right: Draft) -> str | None:
    """How two drafts are connected: "to", "and", "or"; None when they are not."""
    scan = page.scan
    gap = [scan.folded[index] for index in range(left.last + 1, right.first)]
    text = scan.text[left.end : right.start]
    if (
        not gap
        or len(gap) > 4
        or "\n" in text
        or left.end != scan.ends[left.last]
        and scan.shape(left.last) == "c"
        and text.strip() not in _DASHES
    ):
        return None
    while (
        len(gap) > 1
        and (gap[-1] in page.lexicon.range["gap"] or gap[-1] in page.lexicon.time.get("at", ()))
        and gap[-1] not in page.lexicon.range["to"]
    ):
        gap = gap[:-1]
    words = " ".join(gap)
    if words in _DASHES:
        return "to" if text.startswith(words) == text.endswith(words) or not text.strip() else None
    if words in page.lexicon.range["to"]:
        start = _introduced(page, left, "from")
        if start is not None and changing(page, start):
            left.sense, right.sense = left.sense or "from", right.sense or "to"
            return "change"
        return "to"
    if words in page.lexicon.range["and"] and _introduced(page, left, "between") is not None:
        return "and"
    return "or" if words in page.lexicon.range["or"] else None


def _consecutive(left: Draft, right: Draft) -> bool:
    plain = (
        left.raw is not None
        and right.raw is not None
        and left.kind not in (ValueKind.DATE, ValueKind.TIME, ValueKind.ORDINAL)
    )
    return plain and right.raw - left.raw == 1 and left.raw >= 1  # type: ignore[operator]  # both checked above


def _shared(page: Page, left: Draft, right: Draft) -> tuple[Draft | None, Draft | None]:
    """Give each side what only the other one wrote: unit, currency, scale, month, half of the day."""
    if right.kind is ValueKind.DATE and left.kind in (ValueKind.NUMBER, ValueKind.COUNT, ValueKind.ORDINAL):
        return _as_date(page, left, right.date), right
    if (
        left.kind is ValueKind.DATE
        and right.kind in (ValueKind.NUMBER, ValueKind.ORDINAL)
        and left.date
        and left.date.day
    ):
        return left, _as_date(page, right, left.date)
    if right.kind is ValueKind.TIME and left.kind is ValueKind.NUMBER and left.raw is not None:
        return _as_time(left, right), right
    if left.raw is None or right.raw is None or left.kind in (ValueKind.DATE, ValueKind.TIME):
        return left, right
    if (
        right.unit
        and not left.unit
        and not left.currency
        and left.kind in (ValueKind.NUMBER, ValueKind.COUNT, ValueKind.RATIO)
    ):
        left = _with_unit(left, right)
    if (
        left.unit
        and not right.unit
        and right.kind in (ValueKind.NUMBER, ValueKind.COUNT)
        and not right.currency
        and not right.noun
    ):
        right = _with_unit(right, left)
    if left.currency and not right.currency and not right.unit:
        right = replace(right, currency=left.currency, kind=ValueKind.MONEY, unit_text=left.unit_text)
    elif right.currency and not left.currency and not left.unit:
        left = replace(left, currency=right.currency, kind=ValueKind.MONEY, unit_text=right.unit_text)
    if right.scale and not left.scale and left.raw is not None and right.written and left.raw < 1000:
        left = _scaled(left, right)
    return left, right


def _with_unit(draft: Draft, model: Draft) -> Draft:
    raw = draft.raw or Fraction(0)
    return replace(
        draft,
        unit=model.unit,
        kind=model.kind,
        interval=Interval.point(model.convert(raw)),
        quantum=draft.quantum * (model.unit.factor if model.unit else 1),
        others=[],
    )


def _scaled(draft: Draft, model: Draft) -> Draft:
    """5 to 10 million: the scale word counts for both."""
    factor = (model.raw or Fraction(1)) / (model.written or Fraction(1))
    raw = (draft.raw or Fraction(0)) * factor
    return replace(
        draft,
        raw=raw,
        interval=Interval.point(draft.convert(raw)),
        quantum=draft.quantum * factor,
        scale=model.scale,
        others=[],
    )


def _grow(draft: Draft, model: Draft) -> None:
    """Rose from 2 to 3 million: two values, one scale word."""
    scaled = _scaled(draft, model)
    draft.raw, draft.interval, draft.quantum, draft.scale, draft.others = (
        scaled.raw,
        scaled.interval,
        scaled.quantum,
        scaled.scale,
        [],
    )


def _as_date(page: Page, draft: Draft, model: PartialDate | None) -> Draft | None:
    """3–5 March: the bare day takes month and year from the other side."""
    day = draft.raw
    if model is None or day is None or day.denominator != 1 or draft.unit or draft.currency:
        return None
    if model.month is None:
        return (
            replace(draft, kind=ValueKind.DATE, date=PartialDate(int(day)))
            if is_year(int(day)) and model.year
            else None
        )
    if not 1 <= day <= 31:
        return None
    date = replace(model, day=int(day))
    return replace(draft, kind=ValueKind.DATE, date=date, interval=interval_of(date), others=[])


def _as_time(draft: Draft, model: Draft) -> Draft | None:
    """9–11 am, 9 to 5 pm."""
    hour, end = draft.raw, model.interval.high
    if hour is None or end is None or not 0 <= hour <= 24 or hour.denominator != 1 or draft.unit or draft.currency:
        return None
    minutes = hour * 60
    if hour <= 12 and minutes + 720 < end and end > 720:
        minutes += 720 if hour < 12 else 0
    return replace(draft, kind=ValueKind.TIME, interval=Interval.point(minutes), others=[])


def _dates(page: Page, left: Draft, right: Draft) -> Draft | None:
    first, last = left.date, right.date
    if first is None or last is None or (first.weekday is None) != (last.weekday is None):
        return None
    if first.year is None and last.year and first.month and first.month <= (last.month or 12):
        first = replace(first, year=last.year)
    interval = Interval(interval_of(first).low, interval_of(last).high)
    if interval.low is not None and interval.high is not None and interval.low > interval.high:
        return None
    if (
        first.weekday is None
        and (first.day is None) != (last.day is None)
        and first.month
        and last.month
        and first.month == last.month
    ):
        return None
    return replace(_spanned(page, left, right, interval), date=first, date_to=last)


def _spanned(page: Page, left: Draft, right: Draft, interval: Interval) -> Draft:
    """The draft that covers both; words before it (between, from) belong to the phrase."""
    head = _introduced(page, left, "between")
    head = _introduced(page, left, "from") if head is None else head
    first = left.first if head is None else head
    return replace(
        left,
        last=right.last,
        end=right.end,
        interval=interval,
        unit=right.unit or left.unit,
        unit_text=right.unit_text or left.unit_text,
        currency=left.currency & right.currency if left.currency and right.currency else left.currency,
        kind=right.kind if left.kind is not ValueKind.MONEY else left.kind,
        zone=right.zone or left.zone,
        quantum=min(left.quantum, right.quantum),
        written=None,
        raw=None,
        phrase_start=page.scan.starts[first],
        scale=right.scale,
        others=[],
    )
