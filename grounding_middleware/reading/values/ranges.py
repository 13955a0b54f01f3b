"""Two values that are one interval: 3–5, between a and b, 08:30 to 17:00, 3–5 March.

What only one side wrote counts for both: unit, currency, scale word, month, half of the day. After a verb of change
"from a to b" is two values, not a range.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.bounds import changing
from grounding_middleware.reading.values.clock import spans
from grounding_middleware.reading.values.compounds import compound
from grounding_middleware.reading.values.days import interval_of, is_year
from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.model import Interval, PartialDate, ValueKind
from grounding_middleware.reading.values.page import Page

_DASHES: Final = frozenset("-–—−‐‑~〜～")
_BY: Final = ("x", "×")
_PLAIN: Final = frozenset({ValueKind.NUMBER, ValueKind.COUNT, ValueKind.RATIO})
_CALENDAR: Final = frozenset({ValueKind.DATE, ValueKind.TIME})
_MAX_GAP: Final = 4  # tokens between the two ends of a range
_FAR_DRAFTS: Final = 3  # values looked at for the end of a change
_FAR_TOKENS: Final = 14
_INTRODUCED: Final = 4  # tokens between "from" and its number


def join(page: Page, drafts: list[Draft]) -> list[Draft]:
    """Neighbouring drafts joined where they are one value, in order."""
    joined: list[Draft] = []
    for draft in drafts:
        one = None
        if joined and draft.first - joined[-1].last <= _MAX_GAP + 1:
            one = compound(page, joined[-1], draft) or _range(page, joined[-1], draft)
        if one:
            joined[-1] = one
        else:
            joined.append(draft)
    _mark_far_changes(page, joined)
    return joined


def _mark_far_changes(page: Page, drafts: list[Draft]) -> None:
    """Fell from 2,000 in April to 1,700 in May: before and after, with other values between."""
    for index, left in enumerate(drafts):
        start = _introduced(page, left, "from") if not left.sense and left.kind not in _CALENDAR else None
        if start is None or not changing(page, start):
            continue
        for right in drafts[index + 1 : index + 1 + _FAR_DRAFTS]:
            apart = "." in page.scan.folded[left.last + 1 : right.first] or right.first - left.last > _FAR_TOKENS
            if not apart and _same_sort(left, right) and _introduced(page, right, "to") is not None:
                left.sense, right.sense = "from", "to"
                break


def _range(page: Page, left: Draft, right: Draft) -> Draft | None:
    """One interval from two drafts, when the words between them say so."""
    if (
        (left.interval.is_range and left.kind is not ValueKind.DATE)
        or left.date_to
        or (left.is_name and not left.version)
    ):
        return None
    connection = _connection(page, left, right)
    if connection in ("change", "by"):
        _mark_change(left, right) if connection == "change" else _mark_sides(left, right)
        return None
    ends = _shared(left, right) if connection else None
    if ends is None or not _same_sort(*ends) or (connection == "or" and not _consecutive(*ends)):
        return None
    if ends[0].kind is ValueKind.DATE:
        return _dates(page, *ends)
    low, high = ends[0].interval.low, ends[1].interval.high
    if low is None or high is None or (low >= high and ends[0].kind is not ValueKind.TIME):
        return None
    joined = _spanned(page, *ends, Interval(low, high))
    halves = [replace(joined, interval=interval) for interval in spans(*ends)]
    return replace(halves[0], others=halves[1:]) if halves else joined


# what connects them


def _connection(page: Page, left: Draft, right: Draft) -> str:
    """How the words between connect the two: "to", "and", "or", "by" (3 x 5 m), "change" (two values), or ""."""
    words, text = page.lexicon.range, page.scan.text[left.end : right.start]
    if text.count("\n") > 1 or "   " in text or "|" in text or not text.strip():
        return ""
    between = _between(page, left, right) or text.strip()  # one run of CJK letters has no tokens between
    found = ""
    if between in _DASHES:
        found = "to" if text.startswith(between) == text.endswith(between) else ""
    elif between in words["to"]:
        start = _introduced(page, left, "from")
        found = "change" if start is not None and changing(page, start) else "to"
    elif between in words["change_to"]:
        found = "change" if _introduced(page, left, "from") is not None else ""
    elif between in words["and"]:
        found = "and" if _introduced(page, left, "between") is not None else ""
    elif between in words["or"]:
        found = "or"
    return "by" if between in _BY else found


def _between(page: Page, left: Draft, right: Draft) -> str:
    """The connecting words without what belongs to the ends: a repeated noun, a stop, a hyphen, articles."""
    scan, words = page.scan, page.lexicon.range
    gap = scan.folded[left.last + 1 : right.first]
    if len(gap) > 1 and gap[0] == scan.folded[right.last + 1] and scan.shapes[left.last + 1] == "w":
        gap = gap[1:]  # "from 5 units to 8 units"
    if gap[:1] == ["."] and right.kind is ValueKind.DATE:
        gap = gap[1:]  # "vom 1. bis 15. März"
    if gap[:1] == ["-"] and len(gap) > 1 and gap[1] in words["to"]:
        gap = gap[1:]  # "1- to 2-pound"
    fillers = words["gap"] | page.lexicon.time.get("at", frozenset())
    while len(gap) > 1 and gap[-1] in fillers and gap[-1] not in words["to"]:
        gap = gap[:-1]
    return " ".join(gap)


def _introduced(page: Page, draft: Draft, name: str) -> int | None:
    """Index of the word of table `name` before the draft, across articles; None when there is none."""
    folded, words = page.scan.folded, page.lexicon.range
    for at in range(draft.first - 1, max(-1, draft.first - 1 - _INTRODUCED), -1):
        if folded[at] in words[name]:
            return at
        if folded[at] not in words["gap"]:
            return None
    return None


def _mark_change(left: Draft, right: Draft) -> None:
    """Rose from 2 to 3 million: two values, before and after; a scale word counts for both."""
    if right.scale and not left.scale and left.raw is not None and left.raw < 1000 and not left.unit:
        grown = _scaled(left, right)
        left.raw, left.interval, left.quantum, left.scale = grown.raw, grown.interval, grown.quantum, grown.scale
        left.others = []
    left.sense, right.sense = "from", "to"


def _mark_sides(left: Draft, right: Draft) -> None:
    """3 x 5 m: two lengths, one unit."""
    if right.unit and not left.unit and not left.currency and left.kind in _PLAIN:
        with_unit = _with_unit(left, right)
        left.unit, left.kind, left.interval = with_unit.unit, with_unit.kind, with_unit.interval
        left.quantum, left.others = with_unit.quantum, []


def _consecutive(left: Draft, right: Draft) -> bool:
    """Two or three; not "2 or 5", which are two values."""
    if left.raw is None or right.raw is None or left.kind in _CALENDAR or left.kind is ValueKind.ORDINAL:
        return False
    return right.raw - left.raw == 1 and left.raw >= 1


def _same_sort(left: Draft, right: Draft) -> bool:
    if left.dimension != right.dimension or (
        left.kind is not right.kind and not (left.kind in _PLAIN and right.kind in _PLAIN)
    ):
        return False
    return not left.currency or bool(left.currency & right.currency)


# what they share


def _shared(left: Draft, right: Draft) -> tuple[Draft, Draft] | None:
    """Both ends with what only one of them wrote."""
    if right.kind is ValueKind.DATE and left.raw is not None:
        first = _as_date(left, right.date)
        return (first, right) if first else None
    if left.kind is ValueKind.DATE and right.raw is not None and left.date and left.date.day:
        last = _as_date(right, left.date)
        return (left, last) if last else None
    if right.kind is ValueKind.TIME and left.kind is ValueKind.NUMBER:
        hour = _as_time(left, right)
        return (hour, right) if hour else None
    if left.raw is None or right.raw is None or left.kind in _CALENDAR:
        return left, right
    left, right = _units(left, right)
    return (_scaled(left, right) if right.scale and not left.scale and left.raw < 1000 else left), right  # type: ignore[operator]  # checked


def _units(left: Draft, right: Draft) -> tuple[Draft, Draft]:
    """5–10 kg, 5 kg to 10, EUR 5–10, 5–10 euros."""
    if right.unit and not left.unit and not left.currency and left.kind in _PLAIN:
        left = _with_unit(left, right)
    elif left.unit and not right.unit and not right.currency and right.kind in _PLAIN:
        right = _with_unit(right, left)
    if left.currency and not right.currency and not right.unit:
        right = replace(right, currency=left.currency, kind=ValueKind.MONEY, unit_text=left.unit_text, others=[])
    elif right.currency and not left.currency and not left.unit:
        left = replace(left, currency=right.currency, kind=ValueKind.MONEY, unit_text=right.unit_text, others=[])
    return left, right


def _with_unit(draft: Draft, model: Draft) -> Draft:
    raw, factor = draft.raw or Fraction(0), model.unit.factor if model.unit else Fraction(1)
    interval = Interval.point(model.convert(raw))
    return replace(
        draft, unit=model.unit, kind=model.kind, interval=interval, quantum=draft.quantum * factor, others=[]
    )


def _scaled(draft: Draft, model: Draft) -> Draft:
    """5 to 10 million: the scale word counts for both."""
    factor = (model.raw or Fraction(1)) / (model.written or Fraction(1))
    raw = (draft.raw or Fraction(0)) * factor
    interval = Interval.point(draft.convert(raw))
    return replace(draft, raw=raw, interval=interval, quantum=draft.quantum * factor, scale=model.scale, others=[])


def _as_date(draft: Draft, model: PartialDate | None) -> Draft | None:
    """3–5 March: the bare day takes month and year from the other side; 2019–2023: a year beside a year."""
    day = draft.raw
    if model is None or day is None or day.denominator != 1 or draft.unit or draft.currency:
        return None
    if model.month is None:
        part = PartialDate(int(day)) if model.year and is_year(int(day)) else None
    else:
        part = replace(model, day=int(day)) if 1 <= day <= 31 and model.day else None
    return replace(draft, kind=ValueKind.DATE, date=part, interval=interval_of(part), others=[]) if part else None


def _as_time(draft: Draft, model: Draft) -> Draft | None:
    """9–11 am, 9 to 5 pm: the hour that lies before the end."""
    hour, end = draft.raw, model.interval.high
    if hour is None or end is None or not 0 <= hour <= 24 or hour.denominator != 1 or draft.unit or draft.currency:
        return None
    minutes = hour * 60
    if hour < 12 and end > 720 and minutes + 720 < end:
        minutes += 720
    return replace(draft, kind=ValueKind.TIME, interval=Interval.point(minutes), others=[])


# the joined draft


def _dates(page: Page, left: Draft, right: Draft) -> Draft | None:
    first, last = left.date, right.date
    if first is None or last is None or (first.weekday is None) != (last.weekday is None):
        return None
    if first.year is None and last.year and first.month and first.month <= (last.month or 12):
        first = replace(first, year=last.year)
    interval = Interval(interval_of(first).low, interval_of(last).high)
    if interval.low is not None and interval.high is not None and interval.low > interval.high:
        return None
    return replace(_spanned(page, left, right, interval), date=first, date_to=last)


def _spanned(page: Page, left: Draft, right: Draft, interval: Interval) -> Draft:
    """The draft that covers both; `from` and `between` before it belong to its phrase."""
    head = _introduced(page, left, "between")
    head = _introduced(page, left, "from") if head is None else head
    if head is not None:
        page.take(head, right.last)
    return replace(
        left,
        last=right.last,
        end=right.end,
        interval=interval,
        unit=right.unit or left.unit,
        unit_text=right.unit_text or left.unit_text,
        currency=left.currency & right.currency,
        kind=left.kind if left.kind is ValueKind.MONEY else right.kind,
        zone=right.zone or left.zone,
        quantum=min(left.quantum, right.quantum),
        written=None,
        raw=None,
        scale=right.scale,
        others=[],
        phrase_from=page.scan.starts[left.first if head is None else head],
    )
