"""What clock times in digits and in words share: the half of the day, and the words that introduce an hour."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.measures import money_at, unit_at
from grounding_middleware.reading.values.model import Interval, ValueKind
from grounding_middleware.reading.values.page import Page

_NOON: Final = 720
_DAY: Final = 1440  # minutes
_GOING_ON: Final = frozenset(("%", "-", "/", ":", "°"))


def clock(page: Page, first: int, last: int, minutes: Fraction | int) -> Draft:
    """A draft of the time so many minutes after midnight."""
    scan, point = page.scan, Interval.point(Fraction(minutes) % _DAY if minutes < 0 else Fraction(minutes))
    return Draft(first, last, scan.starts[first], scan.ends[last], ValueKind.TIME, point)


def below(page: Page, index: int, limit: int) -> int | None:
    """One or two digits below `limit`."""
    raw = page.scan.raw(index)
    if page.scan.shapes[index] != "d" or len(raw) > 2 or not raw.isdigit() or page.taken[index]:
        return None
    return int(raw) if int(raw) < limit else None


def two_digits(page: Page, index: int) -> int | None:
    """Minutes or seconds: always written with two digits."""
    return below(page, index, 60) if len(page.scan.raw(index)) == 2 else None


def follows(page: Page, index: int, *tables: str) -> bool:
    """True when token `index` stands behind a word of one of these tables, over its stop (godz.) or apostrophe."""
    folded, words = page.scan.folded, {word for name in tables for word in page.lexicon.time.get(name, ())}
    at = index - (folded[index - 1] in (".", "'") and page.scan.glued(index - 2))
    return folded[at - 1] in words or " ".join(folded[max(0, at - 2) : at]) in words


def introduced(page: Page, index: int, *tables: str, last: int | None = None) -> bool:
    """Behind words that only an hour follows, with no noun, unit or currency behind."""
    if not follows(page, index, *tables):
        return False
    after = (index if last is None else last) + 1
    return not (page.noun_at(after) or counts(page, after))


def counts(page: Page, index: int) -> bool:
    """A unit, a currency or a sign that makes an amount of the number before token `index`."""
    return page.scan.folded[index] in _GOING_ON or unit_at(page, index) is not None or money_at(page, index) is not None


def part_of_day(page: Page, index: int) -> tuple[int, str] | None:
    """a.m., pm, in the afternoon: its last token and which half of the day."""
    scan, time = page.scan, page.lexicon.time
    word, language = scan.folded[index], page.lexicon.language
    if word in ("am", "pm") and (language in ("en", "es") or scan.glued(index - 1)):
        return index, word
    if word in ("a", "p") and scan.has(index + 1, (".", "m")) and language in ("en", "es"):
        stop = scan.folded[index + 3] == "." and scan.glued(index + 2)
        return index + 2 + stop, f"{word}m"
    return page.phrase_at(time.get("parts", {}), index)


def half_day(page: Page, draft: Draft) -> Draft | None:
    """Move the time into the half of the day that is written behind it; None for "17 a.m."."""
    scan = page.scan
    if "\n" in scan.gap(draft.last):
        return draft
    at = draft.last + 1
    if scan.folded[at] in page.lexicon.time.get("clock", ()) and scan.folded[at] not in ("h", "hours", "hrs"):
        draft.last, draft.end = at, scan.ends[at]
        at += 1
    marker = part_of_day(page, at)
    if marker is None:
        return draft
    minutes = draft.interval.low or Fraction(0)
    if minutes >= _NOON + 60 and marker[1] == "am":
        return None
    draft.last, draft.end = marker[0], scan.ends[marker[0]]
    if marker[1] == "pm" and minutes < _NOON:
        minutes += _NOON
    elif marker[1] == "am" and minutes >= _NOON:
        minutes -= _NOON
    draft.interval = Interval.point(minutes)
    return draft


def either_half(page: Page, draft: Draft) -> Draft | None:
    """Five o'clock without more may be in the afternoon; both readings are kept, but not of hours above twelve."""
    last = draft.last
    found = half_day(page, draft)
    if found and found.last == last and (found.interval.low or Fraction(0)) < _NOON + 60:
        later = Interval.point(((found.interval.low or Fraction(0)) + _NOON) % _DAY)
        found.others = [replace(found, interval=later, others=[])]
    return found


def spans(left: Draft, right: Draft) -> list[Interval]:
    """What "from nine to half past five" may be: the end lies behind the start, in either half of the day."""
    low, high = left.interval.low, right.interval.high
    if left.kind is not ValueKind.TIME or low is None or high is None or not right.others:
        return []
    if low >= high:
        return [Interval(low, high + _NOON), Interval(low, high)]
    return [Interval(low, high), Interval((low + _NOON) % _DAY, (high + _NOON) % _DAY)]
