"""What coordinated values share: "3 and 17 May 2026", "17 April and 16 October 2026", "80- and 120-litre".

The part that only one of them wrote (month, year, half of the day, unit) belongs to each. Days of one list stand in
their order, so that "group 12 and 5 March" stays a number and a date.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.days import interval_of, is_real
from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.measures import unit_at
from grounding_middleware.reading.values.model import Interval, PartialDate, ValueKind
from grounding_middleware.reading.values.page import Page

_MOST: Final = 4  # tokens between two members: a stop, a comma, "and", an article
_BESIDE: Final = frozenset((",", "."))
_PREPOSITIONS: Final = frozenset(("on", "am", "den", "dem", "op", "em", "i", "il", "dnia"))
_NOON: Final = 720  # minutes


def coordinated(page: Page, drafts: list[Draft]) -> list[Draft]:
    """The same drafts, each with what another member of its list wrote for both."""
    found = _month_first(page, drafts)
    for index in range(len(found) - 2, -1, -1):  # the last member has all parts: "3, 10 and 17 May"
        left, right = found[index], found[index + 1]
        if right.first - left.last <= _MOST + 1:
            found[index] = _completed(page, left, right) or left
    return found


def _completed(page: Page, left: Draft, right: Draft) -> Draft | None:
    gap = page.scan.folded[left.last + 1 : right.first]
    if gap[:1] == ["-"]:
        return _measured(left, right) if _links(page, gap[1:]) and page.scan.glued(left.last) else None
    if not _links(page, gap):
        return None
    if right.kind is ValueKind.TIME:
        return _hour(page, left, right)
    return _dated(page, left, right)


def _links(page: Page, gap: list[str]) -> bool:
    """Nothing but a comma or "and", with the stop of an ordinal and an article."""
    words = page.lexicon.range
    joining = [word for word in gap if word in words["and"] or word in words["or"] or word == ","]
    known = words["and"] | words["or"] | words["definite"] | _BESIDE | _PREPOSITIONS
    return bool(joining) and all(word in known for word in gap)


def _dated(page: Page, left: Draft, right: Draft) -> Draft | None:
    model = right.date
    if model is None or model.month is None or model.day is None or left.date_to or left.kind is ValueKind.TIME:
        return None
    if left.date is None:
        day = _day(page, left)
        part = replace(model, day=day, weekday=None) if day is not None and day < model.day else None
    elif left.date.year is None and left.date.day and model.year:
        earlier = (left.date.month or 0, left.date.day) < (model.month, model.day)
        part = replace(left.date, year=model.year) if earlier else None
    else:
        part = None
    return _as_date(left, part) if part is not None and is_real(part) else None


def _month_first(page: Page, drafts: list[Draft]) -> list[Draft]:
    """May 3 and 17, 2026: there the first member has the month, and the year stands behind the last."""
    found: list[Draft] = []
    for draft in drafts:
        day = _later_day(page, found[-1], draft) if found else None
        if day is not None:
            found.append(day)
        elif len(found) > 1 and _is_year_of(page, found[-2], found[-1], draft):
            found[-2:] = [_in_year(each, draft) for each in found[-2:]]
        else:
            found.append(draft)
    return found


def _later_day(page: Page, left: Draft, draft: Draft) -> Draft | None:
    month_first = left.date is not None and left.date.day and page.scan.shapes[left.first] == "w"
    gap = page.scan.folded[left.last + 1 : draft.first]
    if not month_first or draft.is_name or not _links(page, gap) or page.noun_at(draft.last + 1):
        return None
    day = _whole(draft)
    if left.date is None or day is None or day <= (left.date.day or 0):
        return None
    part = replace(left.date, day=day, weekday=None)
    return _as_date(draft, part) if is_real(part) else None


def _is_year_of(page: Page, first: Draft, last: Draft, draft: Draft) -> bool:
    """The year behind two days of one month, neither of which has one."""
    days = first.date, last.date
    if (
        draft.date is None
        or draft.date.month
        or not draft.date.year
        or page.scan.folded[last.last + 1 : draft.first] != [","]
    ):
        return False
    return all(day is not None and day.day and not day.year for day in days) and last.first == last.last


def _in_year(draft: Draft, year: Draft) -> Draft:
    if draft.date is None or year.date is None:
        return draft
    return _as_date(draft, replace(draft.date, year=year.date.year))


def _as_date(draft: Draft, part: PartialDate) -> Draft:
    interval = interval_of(part)
    return replace(draft, kind=ValueKind.DATE, date=part, interval=interval, is_name=False, raw=None, others=[])


def _day(page: Page, draft: Draft) -> int | None:
    """A bare whole number, also behind the word "day"."""
    if draft.is_name:
        unit = unit_at(page, draft.first - 1) if not page.taken[draft.first - 1] else None
        if unit is None or unit.unit is None or unit.unit.key != "day":
            return None
    return _whole(draft)


def _whole(draft: Draft) -> int | None:
    bare = not (draft.unit or draft.currency or draft.scale or draft.version or draft.spelled)
    if draft.raw is None or draft.raw.denominator != 1 or not bare:
        return None
    return int(draft.raw)


def _hour(page: Page, left: Draft, right: Draft) -> Draft | None:
    """9 and 11 a.m.: an hour behind a word of time, in the half of the day of the other."""
    hour, end = _whole(left), right.interval.low
    if hour is None or end is None or hour * 60 >= end or left.is_name:
        return None
    if page.scan.folded[left.first - 1] not in page.lexicon.time.get("at", frozenset()):
        return None
    minutes = Fraction(hour * 60)
    if minutes + _NOON < end:
        minutes += _NOON
    return replace(left, kind=ValueKind.TIME, interval=Interval.point(minutes), zone=right.zone, raw=None, others=[])


def _measured(left: Draft, right: Draft) -> Draft | None:
    """80- and 120-litre: the hyphen says that the unit is still to come."""
    if right.unit is None or _whole(left) is None or left.is_name:
        return None
    interval, factor = Interval.point(right.convert(left.raw or Fraction(0))), right.unit.factor
    quantum = left.quantum * factor
    return replace(left, unit=right.unit, kind=right.kind, interval=interval, quantum=quantum, others=[])
