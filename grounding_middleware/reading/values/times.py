"""Clock times in digits: minutes after midnight, with the zone when it is written."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.cjk_times import cjk_time_at
from grounding_middleware.reading.values.clock import (
    below,
    clock,
    counts,
    either_half,
    follows,
    half_day,
    introduced,
    part_of_day,
    two_digits,
)
from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.forms import hours_minutes
from grounding_middleware.reading.values.model import ValueKind
from grounding_middleware.reading.values.page import Page
from grounding_middleware.reading.values.spelled import Spelled
from grounding_middleware.reading.values.spoken import spoken_at
from grounding_middleware.reading.values.zones import zoned

_DASHES: Final = frozenset("-–—")
_MOST: Final = 4  # times of one list before its "Uhr"
_CLOCKS: Final = frozenset(("kl", "klokken", "klo", "saat", "pukul", "jam"))  # o'clock, where words are not known
_QUARTERS: Final = frozenset(("00", "15", "30", "45"))


def time_at(page: Page, index: int, spelled: Mapping[int, Spelled]) -> Draft | None:
    """The clock time that starts at token `index`; None when none does."""
    if page.scan.shapes[index] == "d":
        found = _digital(page, index) or _hour_words(page, index) or cjk_time_at(page, index)
        found = found or spoken_at(page, index, spelled) or _bare_hour(page, index)
    else:
        found = spoken_at(page, index, spelled)
    return zoned(page, found) if found and found.kind is ValueKind.TIME else found


# 08:30, 17:00:30, 7:30 pm, 17h30


def _digital(page: Page, index: int) -> Draft | None:
    scan = page.scan
    sign = scan.folded[index + 1]
    if sign not in (":", "h") or not (scan.glued(index) and scan.glued(index + 1)):
        return _dotted(page, index) if "." in scan.raw(index) else None
    hour, minute = below(page, index, 25), _minutes(page, index)
    last = index + 2
    if hour is None or minute is None or (scan.glued(last) and scan.folded[last + 1] == "/"):
        return None
    minutes = Fraction(hour * 60 + minute)
    if sign == ":" and scan.folded[last + 1] == ":" and scan.glued(last) and scan.glued(last + 1):
        seconds = two_digits(page, last + 2)
        if seconds is None:
            return None
        last, minutes = last + 2, minutes + Fraction(seconds, 60)
    found = clock(page, index, last, minutes)
    if sign == "h" and scan.folded[index - 1] not in page.lexicon.time.get("at", ()):
        return hours_minutes(page, found)
    return half_day(page, found)


def _minutes(page: Page, index: int) -> int | None:
    """Two digits; one only where opening hours are written so throughout ("9:0-18:0")."""
    scan = page.scan
    ahead = scan.folded[index + 3] == "-" and scan.shapes[index + 4] == "d" and scan.folded[index + 5] == ":"
    behind = scan.folded[index - 1] == "-" and scan.shapes[index - 2] == "d" and scan.folded[index - 3] == ":"
    return below(page, index + 2, 60) if ahead or behind else two_digits(page, index + 2)


# 8.30 Uhr, 8.30 p.m., von 8.30 bis 13.00 Uhr


def _dotted(page: Page, index: int) -> Draft | None:
    """The dot is read as a time only with a clock word behind it or behind the list or span it belongs to."""
    minutes = _of_dotted(page, index)
    if minutes is None:
        return None
    draft = clock(page, index, index, minutes)
    said = part_of_day(page, index + 1) or introduced(page, index, "before_dotted", "before_hour")
    said = said or _foreign(page, index)
    return half_day(page, draft) if said or _closed(page, index) or _opening(page, index) else None


def _foreign(page: Page, index: int) -> bool:
    """Kl. 8.30, pukul 08.30, saat 8.30."""
    folded, at = page.scan.folded, index - 1
    at -= folded[at] == "." and page.scan.glued(at - 1)
    return not page.lexicon.covered and folded[at] in _CLOCKS


def _of_dotted(page: Page, index: int) -> int | None:
    head, _, tail = page.scan.raw(index).partition(".")
    shaped = head.isdigit() and tail.isdigit() and len(head) <= 2 and len(tail) == 2
    if not shaped or page.scan.shapes[index] != "d":
        return None
    return int(head) * 60 + int(tail) if int(head) < 25 and int(tail) < 60 else None


def _closed(page: Page, index: int) -> bool:
    """The clock word stands behind this time or the list or span it begins: 8.30 bis 12.00 und 14 bis 17 Uhr."""
    folded = page.scan.folded
    for _ in range(_MOST):
        if _of_dotted(page, index) is None and below(page, index, 25) is None:
            return False
        if folded[index + 1] in ("uhr", "uur"):
            return True
        if not _joins(page, index + 1):
            return False
        index += 2
    return False


def _joins(page: Page, index: int) -> bool:
    word, words = page.scan.folded[index], page.lexicon.range
    return word in words["to"] or word in words["and"] or word in words["or"] or word in _DASHES or word == ","


def _opening(page: Page, index: int) -> bool:
    """Von 8.30 bis 13.00: a span of two such times, where a decimal is written with a comma and nothing is counted."""
    first = index if _span_word(page, index + 1) else index - 2
    if page.lexicon.decimal != "," or first < 1 or not _span_word(page, first + 1):
        return False
    both = _of_dotted(page, first) is not None and _of_dotted(page, first + 2) is not None
    tails = [page.scan.raw(at).partition(".")[2] for at in (first, first + 2)]
    clocks = all(tail in _QUARTERS for tail in tails)  # 8.10 bis 13.12 may be two dates
    return both and clocks and not counts(page, first + 3) and follows(page, first, "at", "hour_after")


def _span_word(page: Page, index: int) -> bool:
    word = page.scan.folded[index]
    return word in page.lexicon.range["to"] or word in page.lexicon.range["and"] or word in _DASHES


# 7 pm, 17 Uhr, 17 heures, alle 18


def _bare_hour(page: Page, index: int) -> Draft | None:
    """Alle 18, a las 20, alle 8 e 30: an hour by the words before it alone, where nothing is counted behind it."""
    hour = below(page, index, 25)
    if hour is None:
        return None
    minute = two_digits(page, index + 2) if page.scan.folded[index + 1] in page.lexicon.time.get("plus", ()) else None
    last = index if minute is None else index + 2
    said = introduced(page, index, "before_hour", last=last) or (_foreign(page, index) and not counts(page, last + 1))
    return clock(page, index, last, hour * 60 + (minute or 0)) if said else None


def _hour_words(page: Page, index: int) -> Draft | None:
    """7 pm, 17 Uhr, à 17h, 5 o'clock, 17 heures 30, 5 in the afternoon."""
    scan, words = page.scan, page.lexicon.time.get("clock", ())
    hour = below(page, index, 25)
    if hour is None or not page.joined(index):
        return None
    word, marked = scan.folded[index + 1], hour <= 12 and part_of_day(page, index + 1) is not None
    draft = clock(page, index, index, hour * 60)
    if marked:
        return half_day(page, draft)
    if word == "o" and scan.has(index + 2, ("'", "clock")):
        draft.last, draft.end = index + 3, scan.ends[index + 3]
        return either_half(page, draft)
    if word not in ("uhr", "uur") and not (word in words and _after_at(page, index)):
        return None
    minute = two_digits(page, index + 2) if word != "uur" else None
    counted = counts(page, index + 3) or (word != "uhr" and page.noun_at(index + 3))
    last = index + 1 if minute is None or counted else index + 2
    return half_day(page, clock(page, index, last, hour * 60 + (minute or 0) * (last > index + 1)))


def _after_at(page: Page, index: int) -> bool:
    """à 17 heures, a las 5 horas: with the word that introduces times; never in English (5 hours)."""
    return page.lexicon.language != "en" and page.scan.folded[index - 1] in page.lexicon.time.get("at", ())
