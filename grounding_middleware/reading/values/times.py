"""Clock times: minutes after midnight, with the zone when it is written."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.model import Interval, ValueKind
from grounding_middleware.reading.values.page import Page

ZONES: Final = {
    "utc": 0, "gmt": 0, "z": 0, "wet": 0, "bst": 60, "west": 60, "cet": 60, "mez": 60, "wat": 60, "cest": 120, "mesz": 120, "eet": 120,
    "sast": 120, "cat": 120, "eest": 180, "msk": 180, "eat": 180, "gst": 240, "pkt": 300, "ist": 330, "ict": 420, "wib": 420, "sgt": 480,
    "hkt": 480, "awst": 480, "jst": 540, "kst": 540, "acst": 570, "aest": 600, "aedt": 660, "nzst": 720, "nzdt": 780, "ast": -240, "est": -300,
    "edt": -240, "cdt": -300, "cst": -360, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420, "akst": -540, "hst": -600, "brt": -180, "et": None, "pt": None, "ct": None, "mt": None,
}  # fmt: skip
# places that keep one offset all year; others are kept as names and never converted
PLACES: Final = {
    "singapore": 480, "tokyo": 540, "japan": 540, "beijing": 480, "china": 480, "shanghai": 480, "hong kong": 480, "india": 330, "mumbai": 330, "delhi": 330,
    "dubai": 240, "moscow": 180, "seoul": 540, "korea": 540, "bangkok": 420, "jakarta": 420, "manila": 480, "taipei": 480, "nairobi": 180, "lagos": 60,
    "johannesburg": 120, "istanbul": 180, "riyadh": 180, "perth": 480, "brisbane": 600, "karachi": 300, "kuala lumpur": 480,
}  # fmt: skip
_OFFSET = re.compile(r"\s?(?:(?:UTC|GMT)\s?)?([+\-−])(\d{1,2})(?::?(\d{2}))?(?!\d)")
_MINUTE_CHARS: Final = {"分", "분"}


def time_at(page: Page, index: int) -> Draft | None:
    """The clock time that starts at token `index`; None when none does."""
    shape = page.scan.shape(index)
    if shape == "d":
        return _zoned(page, _digital(page, index) or _hour_words(page, index) or _cjk_time(page, index))
    if shape == "w":
        return _zoned(page, _named(page, index) or _past(page, index))
    return None


def _draft(page: Page, first: int, last: int, minutes: Fraction) -> Draft:
    scan = page.scan
    draft = Draft(first, last, scan.starts[first], scan.ends[last], ValueKind.TIME, Interval.point(minutes))
    draft.quantum = Fraction(1)
    return draft


def _number(page: Page, index: int, width: int, limit: int) -> int | None:
    raw = page.scan.raw(index)
    if page.scan.shape(index) != "d" or not raw.isdigit() or len(raw) > width or page.taken[index]:
        return None
    return int(raw) if int(raw) < limit else None


def _digital(page: Page, index: int) -> Draft | None:
    """08:30, 17:00:30, 7:30 pm, 17h30, 8.30 Uhr, 8.30 pm."""
    scan = page.scan
    hour = _number(page, index, 2, 25)
    sign = scan.word(index + 1)
    if hour is not None and sign in (":", "h") and scan.glued(index) and scan.glued(index + 1):
        minute = _number(page, index + 2, 2, 60)
        if (
            minute is None
            or len(scan.raw(index + 2)) != 2
            or (scan.glued(index + 2) and scan.word(index + 3) in ("/",))
        ):
            return None
        last, seconds = index + 2, Fraction(0)
        if sign == ":" and scan.word(last + 1) == ":" and scan.glued(last) and len(scan.raw(last + 2)) == 2:
            second = _number(page, last + 2, 2, 60)
            last, seconds = (last + 2, Fraction(second, 60)) if second is not None else (last, seconds)
        if scan.word(last + 1) in ("%", "ratio", "odds"):
            return None
        return _half_day(page, _draft(page, index, last, hour * 60 + minute + seconds), hour)
    return _dotted(page, index)


def _dotted(page: Page, index: int) -> Draft | None:
    """8.30 Uhr, 8.30 p.m.: the dot is read as a time only with a clock word behind it."""
    scan = page.scan
    head, _, tail = scan.raw(index).partition(".")
    if not (
        head.isdigit() and len(head) <= 2 and len(tail) == 2 and tail.isdigit() and int(head) < 25 and int(tail) < 60
    ):
        return None
    draft = _draft(page, index, index, Fraction(int(head) * 60 + int(tail)))
    clock = page.scan.word(index + 1) in page.lexicon.time.get("clock", ()) or _marker(page, index + 1)
    return _half_day(page, draft, int(head)) if clock else None


def _marker(page: Page, index: int) -> tuple[int, str] | None:
    """a.m., pm, in the afternoon: its last token and which half of the day."""
    scan, time = page.scan, page.lexicon.time
    word = scan.word(index)
    if word in ("am", "pm") and (page.lexicon.language in ("en", "es", "und") or scan.glued(index - 1)):
        return index, word
    if (
        word in ("a", "p")
        and scan.word(index + 1) == "."
        and scan.word(index + 2) == "m"
        and page.lexicon.language in ("en", "es")
    ):
        last = index + 3 if scan.word(index + 3) == "." and scan.glued(index + 2) else index + 2
        return last, word + "m"
    for words, half in time.get("parts", {}).items():
        tokens = tuple(words.replace("'", " ' ").split())
        if tuple(scan.folded[index : index + len(tokens)]) == tokens:
            return index + len(tokens) - 1, half
    return None


def _half_day(page: Page, draft: Draft, hour: int) -> Draft | None:
    """Move the time into the half of the day that is written behind it."""
    scan = page.scan
    at = draft.last + 1
    if (
        scan.word(at) in page.lexicon.time.get("clock", ())
        and scan.word(at) != "h"
        and "\n" not in scan.gap(draft.last)
    ):
        draft.last, draft.end = at, scan.ends[at]
        at += 1
    marker = _marker(page, at) if "\n" not in scan.gap(draft.last) else None
    if marker is None:
        return draft if hour <= 24 else None
    if hour > 12 and marker[1] == "am":
        return None
    draft.last, draft.end = marker[0], scan.ends[marker[0]]
    minutes = draft.interval.low or Fraction(0)
    if marker[1] == "pm" and hour < 12:
        minutes += 720
    if marker[1] == "am" and hour == 12:
        minutes -= 720
    draft.interval = Interval.point(minutes)
    return draft


def _hour_words(page: Page, index: int) -> Draft | None:
    """7 pm, 17 Uhr, à 17h, 5 o'clock, 17 heures, 5 in the afternoon."""
    scan, time = page.scan, page.lexicon.time
    hour = _number(page, index, 2, 25)
    if hour is None or len(scan.gap(index)) > 1:
        return None
    marker = _marker(page, index + 1)
    if marker and hour <= 12 and (marker[1] or True):
        if marker[0] > index + 1 and scan.word(index + 1) in ("in", "at") and not _after_at(page, index) and hour > 12:
            return None
        return _half_day(page, _draft(page, index, index, Fraction(hour * 60)), hour)
    word = scan.word(index + 1)
    if word == "o" and scan.word(index + 2) == "'" and scan.word(index + 3) == "clock":
        return _half_day(page, _draft(page, index, index + 3, Fraction(hour * 60)), hour)
    if (
        word in time.get("clock", ())
        and page.lexicon.language != "en"
        and (word in ("uhr", "uur") or _after_at(page, index))
    ):
        minute = _number(page, index + 2, 2, 60) if word == "uhr" and len(scan.raw(index + 2)) == 2 else None
        last = index + 2 if minute is not None else index + 1
        return _half_day(page, _draft(page, index, last, Fraction(hour * 60 + (minute or 0))), hour)
    return None


def _after_at(page: Page, index: int) -> bool:
    return page.scan.word(index - 1) in page.lexicon.time.get("at", ())


def _named(page: Page, index: int) -> Draft | None:
    """Noon, midnight, Mitternacht."""
    minutes = page.lexicon.time.get("words", {}).get(page.scan.folded[index])
    return None if minutes is None else _draft(page, index, index, Fraction(minutes))


def _past(page: Page, index: int) -> Draft | None:
    """Half past five, quarter to 6: read with digits; with words the hour must be a small number."""
    scan = page.scan
    for words, shift in page.lexicon.time.get("past", {}).items():
        tokens = tuple(words.replace("-", " - ").split())
        if tuple(scan.folded[index : index + len(tokens)]) == tokens:
            at = index + len(tokens)
            hour = _number(page, at, 2, 13) or _HOURS.get(scan.word(at))
            if hour:
                return _half_day(page, _draft(page, index, at, Fraction(hour * 60 + shift)), hour)
    return None


_HOURS: Final = {
    word: hour for hour, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)
}


def _cjk_time(page: Page, index: int) -> Draft | None:
    """8時30分, 下午3点, 오후 3시."""
    scan, text = page.scan, page.scan.text
    hour = _number(page, index, 2, 25)
    if hour is None or scan.shape(index + 1) != "c" or not scan.glued(index):
        return None
    sign, after = text[scan.starts[index + 1]], text[scan.starts[index + 1] + 1 : scan.starts[index + 1] + 2]
    if sign not in "時时點点시" or after in ("間", "间", "간"):
        return None
    draft = _draft(page, index, index + 1, Fraction(hour * 60))
    draft.end = scan.starts[index + 1] + 1
    if (
        draft.end == scan.ends[index + 1]
        and scan.shape(index + 3) == "c"
        and text[scan.starts[index + 3]] in _MINUTE_CHARS
    ):
        minute = _number(page, index + 2, 2, 60)
        if minute is not None:
            draft.interval, draft.last = Interval.point(Fraction(hour * 60 + minute)), index + 3
            draft.end = scan.starts[index + 3] + 1
    before = text[max(0, scan.starts[index] - 3) : scan.starts[index]].strip()
    if before.endswith(("午後", "下午", "晚上", "오후")) and hour < 12:
        draft.interval = Interval.point((draft.interval.low or Fraction(0)) + 720)
    return draft


def _zoned(page: Page, draft: Draft | None) -> Draft | None:
    """Take in UTC, CET, +02:00, "Singapore time" behind the time."""
    if draft is None:
        return None
    scan, text = page.scan, page.scan.text
    at = draft.last + 1
    word, raw = scan.word(at), scan.raw(at)
    if word in ("(",) and scan.word(at + 2) == ")":
        word, raw, at = scan.word(at + 1), scan.raw(at + 1), at + 1
    offset = _OFFSET.match(text, draft.end)
    if offset and offset.group(1) and draft.end == scan.ends[draft.last]:
        signed = (-1 if offset.group(1) != "+" else 1) * (int(offset.group(2)) * 60 + int(offset.group(3) or 0))
        glued = not text[draft.end : draft.end + 1].isspace()
        if abs(signed) <= 14 * 60 and (
            offset.group(0).strip().startswith(("UTC", "GMT")) or (glued and offset.group(3))
        ):
            draft.zone = f"{signed:+d}"
            draft.end = offset.end()
            while draft.last + 1 < len(scan) and scan.ends[draft.last + 1] <= draft.end:
                draft.last += 1
            return draft
    if raw and word in ZONES and (raw.isupper()) and draft.end <= scan.starts[at] <= draft.end + 2:
        draft.zone, draft.last, draft.end = word, at, scan.ends[at]
    elif scan.word(at + 1) in page.lexicon.time.get("zone", ()) and raw[:1].isupper():
        draft.zone, draft.last, draft.end = word, at + 1, scan.ends[at + 1]
    elif word in page.lexicon.time.get("local", ()) and scan.word(at + 1) in page.lexicon.time.get("zone", ()):
        draft.zone, draft.last, draft.end = "local", at + 1, scan.ends[at + 1]
    return draft


def offset_of(zone: str) -> int | None:
    """Minutes east of Greenwich for a zone as stored on a value; None when it is not fixed or not known."""
    if zone[:1] in "+-" and zone:
        return int(zone)
    found = ZONES.get(zone)
    return found if found is not None else PLACES.get(zone)
