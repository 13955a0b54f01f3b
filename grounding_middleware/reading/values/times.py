"""Clock times: minutes after midnight, with the zone when it is written."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.forms import hours_minutes
from grounding_middleware.reading.values.measures import money_at, unit_at
from grounding_middleware.reading.values.model import Interval, ValueKind
from grounding_middleware.reading.values.page import Page
from grounding_middleware.reading.values.zones import zoned

_NOON: Final = 720
_ENOUGH: Final = 2  # signs that a number word is an hour
_GOING_ON: Final = frozenset(("%", "-", "/", ":", "°"))
_CJK_HOURS: Final = frozenset("時时點点시")
_CJK_MINUTES: Final = frozenset("分분")
_CJK_AFTERNOON: Final = ("午後", "下午", "晚上", "오후")


def time_at(page: Page, index: int) -> Draft | None:
    """The clock time that starts at token `index`; None when none does."""
    if page.scan.shapes[index] == "d":
        found = _digital(page, index) or _hour_words(page, index) or _cjk_time(page, index) or _bare_hour(page, index)
    else:
        found = _named(page, index) or _past(page, index) or _worded(page, index)
    return zoned(page, found) if found and found.kind is ValueKind.TIME else found


def _draft(page: Page, first: int, last: int, minutes: Fraction | int) -> Draft:
    scan = page.scan
    return Draft(first, last, scan.starts[first], scan.ends[last], ValueKind.TIME, Interval.point(Fraction(minutes)))


def _number(page: Page, index: int, limit: int) -> int | None:
    """One or two digits below `limit`."""
    raw = page.scan.raw(index)
    if page.scan.shapes[index] != "d" or len(raw) > 2 or not raw.isdigit() or page.taken[index]:
        return None
    return int(raw) if int(raw) < limit else None


def _two_digits(page: Page, index: int) -> int | None:
    """Minutes or seconds: always written with two digits."""
    return _number(page, index, 60) if len(page.scan.raw(index)) == 2 else None


# digits: 08:30, 17:00:30, 7:30 pm, 17h30, 8.30 Uhr


def _digital(page: Page, index: int) -> Draft | None:
    scan = page.scan
    sign = scan.folded[index + 1]
    if sign not in (":", "h") or not (scan.glued(index) and scan.glued(index + 1)):
        return _dotted(page, index) if "." in scan.raw(index) else None
    hour, minute = _number(page, index, 25), _minutes(page, index)
    last = index + 2
    if hour is None or minute is None or (scan.glued(last) and scan.folded[last + 1] == "/"):
        return None
    minutes = Fraction(hour * 60 + minute)
    if sign == ":" and scan.folded[last + 1] == ":" and scan.glued(last) and scan.glued(last + 1):
        seconds = _two_digits(page, last + 2)
        if seconds is None:
            return None
        last, minutes = last + 2, minutes + Fraction(seconds, 60)
    found = _draft(page, index, last, minutes)
    if sign == "h" and scan.folded[index - 1] not in page.lexicon.time.get("at", ()):
        return hours_minutes(page, found)
    return _half_day(page, found, hour)


def _minutes(page: Page, index: int) -> int | None:
    """Two digits; one only where opening hours are written so throughout ("9:0-18:0")."""
    scan = page.scan
    ahead = scan.folded[index + 3] == "-" and scan.shapes[index + 4] == "d" and scan.folded[index + 5] == ":"
    behind = scan.folded[index - 1] == "-" and scan.shapes[index - 2] == "d" and scan.folded[index - 3] == ":"
    return _number(page, index + 2, 60) if ahead or behind else _two_digits(page, index + 2)


def _dotted(page: Page, index: int) -> Draft | None:
    """8.30 Uhr, 8.30 p.m.: the dot is read as a time only with a clock word behind it."""
    head, _, tail = page.scan.raw(index).partition(".")
    if not (
        head.isdigit() and tail.isdigit() and len(head) <= 2 and len(tail) == 2 and int(head) < 25 and int(tail) < 60
    ):
        return None
    words = page.lexicon.time.get("clock", ())
    clock = page.scan.folded[index + 1] in words and page.scan.folded[index + 1] in ("uhr", "uur")
    draft = _draft(page, index, index, int(head) * 60 + int(tail))
    said = clock or _marker(page, index + 1) or _introduced(page, index, "before_dotted", "before_hour")
    return _half_day(page, draft, int(head)) if said else None


def _bare_hour(page: Page, index: int) -> Draft | None:
    """Alle 18, a las 20: an hour by the words before it alone, where nothing is counted behind it."""
    hour = _number(page, index, 25)
    return (
        _draft(page, index, index, hour * 60) if hour is not None and _introduced(page, index, "before_hour") else None
    )


def _introduced(page: Page, index: int, *tables: str) -> bool:
    """Behind words that only an hour follows, with no noun, unit or currency behind."""
    folded, words = page.scan.folded, {word for name in tables for word in page.lexicon.time.get(name, ())}
    said = folded[index - 1] in words or " ".join(folded[max(0, index - 2) : index]) in words
    if not said:
        return False
    after = index + 1
    counted = page.noun_at(after) or unit_at(page, after) or money_at(page, after)
    return not counted and folded[after] not in _GOING_ON


def _marker(page: Page, index: int) -> tuple[int, str] | None:
    """a.m., pm, in the afternoon: its last token and which half of the day."""
    scan, time = page.scan, page.lexicon.time
    word, language = scan.folded[index], page.lexicon.language
    if word in ("am", "pm") and (language in ("en", "es") or scan.glued(index - 1)):
        return index, word
    if word in ("a", "p") and scan.has(index + 1, (".", "m")) and language in ("en", "es"):
        stop = scan.folded[index + 3] == "." and scan.glued(index + 2)
        return index + 2 + stop, f"{word}m"
    return page.phrase_at(time.get("parts", {}), index)


def _half_day(page: Page, draft: Draft, hour: int) -> Draft | None:
    """Move the time into the half of the day that is written behind it."""
    scan = page.scan
    if "\n" in scan.gap(draft.last):
        return draft
    at = draft.last + 1
    if scan.folded[at] in page.lexicon.time.get("clock", ()) and scan.folded[at] not in ("h", "hours", "hrs"):
        draft.last, draft.end = at, scan.ends[at]
        at += 1
    marker = _marker(page, at)
    if marker is None:
        return draft
    if hour > 12 and marker[1] == "am":
        return None
    draft.last, draft.end = marker[0], scan.ends[marker[0]]
    minutes = draft.interval.low or Fraction(0)
    if marker[1] == "pm" and hour < 12:
        minutes += _NOON
    elif marker[1] == "am" and hour == 12:
        minutes -= _NOON
    draft.interval = Interval.point(minutes)
    return draft


def _either_half(page: Page, draft: Draft, hour: int) -> Draft | None:
    """Five o'clock without more may be in the afternoon; both readings are kept."""
    last = draft.last
    found = _half_day(page, draft, hour)
    if found and found.last == last and hour <= 12:
        later = Interval.point(((found.interval.low or Fraction(0)) + _NOON) % (2 * _NOON))
        found.others = [replace(found, interval=later, others=[])]
    return found


def _hour_words(page: Page, index: int) -> Draft | None:
    """7 pm, 17 Uhr, à 17h, 5 o'clock, 17 heures, 5 in the afternoon."""
    scan = page.scan
    hour = _number(page, index, 25)
    if hour is None or not page.joined(index):
        return None
    word, marked = scan.folded[index + 1], hour <= 12 and _marker(page, index + 1) is not None
    if not (marked or word in page.lexicon.time.get("clock", ()) or word == "o"):
        return None
    draft = _draft(page, index, index, hour * 60)
    if marked:
        return _half_day(page, draft, hour)
    if word == "o" and scan.has(index + 2, ("'", "clock")):
        draft.last, draft.end = index + 3, scan.ends[index + 3]
        return _either_half(page, draft, hour)
    if word in ("uhr", "uur") or (word in page.lexicon.time.get("clock", ()) and _after_at(page, index)):
        minute = _two_digits(page, index + 2) if word in ("uhr", "h") else None
        draft.last = index + 1 if minute is None else index + 2
        draft.end, draft.interval = scan.ends[draft.last], Interval.point(Fraction(hour * 60 + (minute or 0)))
        return _half_day(page, draft, hour)
    return None


def _after_at(page: Page, index: int) -> bool:
    """à 17 heures, a las 5 horas: with the word that introduces times; never in English (5 hours)."""
    return page.lexicon.language != "en" and page.scan.folded[index - 1] in page.lexicon.time.get("at", ())


# words: noon, half past 5


def _named(page: Page, index: int) -> Draft | None:
    """Noon, midnight, Mitternacht."""
    hit = page.phrase_at(page.lexicon.time.get("words", {}), index)
    return _draft(page, index, hit[0], int(hit[1])) if hit else None


def _past(page: Page, index: int) -> Draft | None:
    """Half past five, quarter to 6, halb acht."""
    hit = page.phrase_at(page.lexicon.time.get("past", {}), index)
    if hit is None:
        return None
    at = hit[0] + 1
    hour = _number(page, at, 13) or page.lexicon.time.get("hours", {}).get(page.scan.folded[at])
    return _either_half(page, _draft(page, index, at, (hour % 12) * 60 + int(hit[1])), hour) if hour else None


def _worded(page: Page, index: int) -> Draft | None:
    """Eight in the evening, las siete de la tarde, à quatre heures et demie: an hour in words.

    Two of three must say so, "at" before it, a clock word or a part of the day behind it: "at eight" may be an age.
    """
    scan, time = page.scan, page.lexicon.time
    hour = time.get("hours", {}).get(scan.folded[index])
    if hour is None:
        return None
    last, clock = _clock_word(page, index)
    past = page.phrase_at(time.get("minutes", {}), last + 1)
    draft = _draft(page, index, past[0] if past else last, (hour % 12) * 60 + (int(past[1]) if past else 0))
    marked = _marker(page, draft.last + 1) is not None
    said = marked + clock + (scan.folded[index - 1] in time.get("hour_after", ()))
    said += _ENOUGH * _introduced(page, index, "before_hour")  # "o godzinie ósmej"
    if said < _ENOUGH or (marked and hour == 12):  # "doce de la noche" is midnight, "twelve in the afternoon" noon
        return None
    return _half_day(page, draft, hour) if marked else _either_half(page, draft, hour)


def _clock_word(page: Page, index: int) -> tuple[int, bool]:
    """The last token of the hour with its clock word (heures, Uhr, o'clock), and whether there is one."""
    scan = page.scan
    if scan.folded[index + 1] == "o" and scan.has(index + 2, ("'", "clock")):
        return index + 3, True
    if scan.folded[index + 1] in page.lexicon.time.get("clock", ()) and page.lexicon.language != "en":
        return index + 1, True
    return index, False


# CJK: 8時30分, 下午3点


def _cjk_time(page: Page, index: int) -> Draft | None:
    scan, text = page.scan, page.scan.text
    if scan.shapes[index + 1] != "c" or not scan.glued(index):
        return None
    hour, start = _number(page, index, 25), scan.starts[index + 1]
    if hour is None or text[start] not in _CJK_HOURS:
        return None
    if text[start + 1 : start + 2] in ("間", "间", "간"):
        return None  # 8時間: a duration
    if text[max(0, scan.starts[index] - 3) : scan.starts[index]].rstrip().endswith(_CJK_AFTERNOON) and hour < 12:
        hour += 12
    draft = _draft(page, index, index + 1, hour * 60)
    draft.end = start + 1
    if (
        draft.end == scan.ends[index + 1]
        and scan.shapes[index + 3] == "c"
        and text[scan.starts[index + 3]] in _CJK_MINUTES
    ):
        minute = _number(page, index + 2, 60)
        if minute is not None:
            draft.interval, draft.last = Interval.point(Fraction(hour * 60 + minute)), index + 3
            draft.end = scan.starts[index + 3] + 1
    return draft
