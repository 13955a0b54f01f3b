"""Clock times in words: noon, half past five, fünf vor halb zehn, huit heures et demie, las quince treinta.

An hour alone is a number as well: what makes it a time must stand beside it, or there is no time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.clock import (
    below,
    clock,
    counts,
    either_half,
    follows,
    half_day,
    introduced,
    part_of_day,
)
from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.model import Interval
from grounding_middleware.reading.values.page import Page
from grounding_middleware.reading.values.spelled import Spelled

_ENOUGH: Final = 2  # signs that a number word is an hour
_TWENTY, _MIDDAY, _LAST_HOUR, _HUNDRED = 20, 12, 24, 100
_MOST_MINUTES: Final = 29  # "ten past", "twenty-five to"; half an hour is said in other ways
_SURELY: Final = frozenset((5, 10, 20, 25))  # minutes people say without the word
Spellings = Mapping[int, Spelled]
Found = tuple[int, int]
"""The last token and an hour or minutes."""


def spoken_at(page: Page, index: int, spelled: Spellings) -> Draft | None:
    """The clock time in words that starts at token `index`; None when none does."""
    if page.scan.shapes[index] == "d":
        return _offset(page, index, spelled)
    return (
        _named(page, index)
        or _past(page, index, spelled)
        or _offset(page, index, spelled)
        or _worded(page, index, spelled)
    )


def _named(page: Page, index: int) -> Draft | None:
    """Noon, midnight, midi et demi."""
    hit = page.phrase_at(page.lexicon.time.get("words", {}), index)
    if hit is None:
        return None
    part = page.phrase_at(page.lexicon.time.get("minutes", {}), hit[0] + 1)
    return clock(page, index, part[0] if part else hit[0], int(hit[1]) + (int(part[1]) if part else 0))


def _past(page: Page, index: int, spelled: Spellings) -> Draft | None:
    """Half past five, quarter to 6, halb acht."""
    found = _past_parts(page, index, spelled)
    return either_half(page, clock(page, index, *found)) if found else None


def _past_parts(page: Page, index: int, spelled: Spellings) -> Found | None:
    time = page.lexicon.time
    hit = page.phrase_at(time.get("past", {}), index)
    if hit is None and follows(page, index, "hour_after"):
        hit = page.phrase_at(time.get("past_after", {}), index)  # "um viertel acht"
    hour = _hour(page, hit[0] + 1, spelled) if hit else None
    if hit is None or hour is None or not 0 < hour[1] <= _MIDDAY:
        return None
    return hour[0], hour[1] % 12 * 60 + int(hit[1])


# twenty past eight, zehn vor halb neun, dez para as quatro


def _offset(page: Page, index: int, spelled: Spellings) -> Draft | None:
    """Minutes before or after an hour."""
    few = _few(page, index, spelled)
    if few is None or not 0 < few[1] <= _MOST_MINUTES:
        return None
    time, at = page.lexicon.time, few[0] + 1
    said = page.scan.folded[at] in time.get("minute_words", ())
    at += said
    hit = page.phrase_at(time.get("offset", {}), at)
    if hit is None and follows(page, index, "offset_after") and (said or few[1] in _SURELY):
        hit = page.phrase_at(time.get("offset_said", {}), at)
    if hit is None:
        return _offset_before(page, index, few, spelled)
    hour = _past_parts(page, hit[0] + 1, spelled) or _on_the_hour(page, hit[0] + 1, spelled)
    if hour is None or _counted(page, hour[0] + 1):
        return None
    return either_half(page, clock(page, index, hour[0], hour[1] + int(hit[1]) * few[1]))


def _offset_before(page: Page, index: int, few: Found, spelled: Spellings) -> Draft | None:
    """Za dziesięć ósma: the word stands before the minutes."""
    hour = _on_the_hour(page, few[0] + 1, spelled)
    if hour is None or not follows(page, index, "offset_before") or _counted(page, hour[0] + 1):
        return None
    return either_half(page, clock(page, index, hour[0], hour[1] - few[1]))


def _on_the_hour(page: Page, index: int, spelled: Spellings) -> Found | None:
    hour = _hour(page, index, spelled)
    return (hour[0], hour[1] * 60) if hour and 0 < hour[1] <= _MIDDAY else None


def _few(page: Page, index: int, spelled: Spellings) -> Found | None:
    """A small whole number in words or digits."""
    number = spelled.get(index)
    if number is not None:
        return (number.last, int(number.value)) if number.value.denominator == 1 and not number.ordinal else None
    digits = below(page, index, 60)
    value = page.lexicon.number["whole"].get(page.scan.folded[index], Fraction(digits or 0))
    return (index, int(value)) if value and value.denominator == 1 else None


# an hour with what is said behind it


def _worded(page: Page, index: int, spelled: Spellings) -> Draft | None:
    """Eight in the evening, las siete de la tarde, dreizehn Uhr, à quatre heures et demie, at eight thirty.

    Two of three must say so, "at" before it, a clock word or a part of the day behind it: "at eight" may be an age.
    """
    found = _hour(page, index, spelled)
    if found is None:
        return _hundreds(page, index, spelled)
    last, clocked = _clock_word(page, found[0])
    behind = _minutes(page, last, spelled, clocked=clocked)
    draft = clock(page, index, behind[0], found[1] * 60 + behind[1])
    marked = part_of_day(page, draft.last + 1) is not None
    said = _signs(page, index, last, clocked=clocked) + marked
    said += behind[0] > last and follows(page, index, "hour_after")
    said += _ENOUGH * (introduced(page, index, "before_hour", last=draft.last) or _spans(page, index, last, spelled))
    if said < _ENOUGH or (clocked and not marked and _of(page, draft.last + 1)):
        return None
    if marked and found[1] == _MIDDAY:  # "doce de la noche" is midnight, "twelve in the afternoon" noon
        return _twelve(draft)
    return half_day(page, draft) if marked else either_half(page, draft)


def _twelve(draft: Draft) -> Draft:
    """Twelve with a part of the day: noon or midnight."""
    draft.others = [replace(draft, interval=Interval.point((draft.interval.low or Fraction(0)) - 60 * _MIDDAY))]
    return draft


def _signs(page: Page, index: int, last: int, *, clocked: bool) -> int:
    """What says that it is an hour: the word before it, the clock word; "Uhr" alone is enough."""
    if page.scan.folded[last] == "uhr" and page.scan.folded[index] not in page.lexicon.number["articles"]:
        return _ENOUGH
    return clocked + follows(page, index, "hour_after")


def _of(page: Page, index: int) -> bool:
    """Two hours from Paris ("à deux heures de Paris") is no time."""
    return page.scan.folded[index] in page.lexicon.time.get("of", ())


def _spans(page: Page, index: int, last: int, spelled: Spellings) -> bool:
    """De huit heures à midi; od ósmej do trzynastej: both sides have the word for hours, or the form of one."""
    scan, time, to = page.scan, page.lexicon.time, page.lexicon.range["to"]
    formed = bool(time.get("hour_forms")) and scan.folded[index] in time.get("hours", {})
    if formed and scan.folded[index - 1] in to and scan.folded[index - 2] in time["hours"]:
        return not _counted(page, last + 1)
    if scan.folded[last + 1] not in to:
        return False
    if last > index and page.phrase_at(time.get("words", {}), last + 2):
        return True
    end = _hour(page, last + 2, spelled)
    if end is not None and last > index and scan.folded[index - 1] in page.lexicon.range["from"]:
        return _clock_word(page, end[0])[1]  # "de neuf heures à dix-huit heures"
    return formed and end is not None and follows(page, index, "hour_after") and not _counted(page, end[0] + 1)


def _hour(page: Page, index: int, spelled: Spellings) -> Found | None:
    """The hour in words or digits at token `index`, and its last token."""
    hours, folded = page.lexicon.time.get("hours", {}), page.scan.folded
    number = spelled.get(index)
    if number is not None:
        whole = number.value.denominator == 1 and not number.ordinal and number.value <= _LAST_HOUR
        return (number.last, int(number.value)) if whole else None
    hour = hours.get(folded[index])
    if hour == _TWENTY and hours.get(folded[index + 1], _LAST_HOUR) <= _LAST_HOUR - _TWENTY:
        return index + 1, hour + hours[folded[index + 1]]
    digits = below(page, index, _LAST_HOUR + 1)
    return (index, hour) if hour else None if digits is None else (index, digits)


def _clock_word(page: Page, index: int) -> tuple[int, bool]:
    """The last token of the hour with its clock word (heures, Uhr, o'clock), and whether there is one."""
    scan = page.scan
    if scan.folded[index + 1] == "o" and scan.has(index + 2, ("'", "clock")):
        return index + 3, True
    if scan.folded[index + 1] in page.lexicon.time.get("clock", ()) and page.lexicon.language != "en":
        return index + 1, True
    return index, False


def _minutes(page: Page, last: int, spelled: Spellings, *, clocked: bool) -> Found:
    """The minutes behind the hour that ends at token `last`, and their last token; 0 when none are said."""
    scan, time = page.scan, page.lexicon.time
    phrase = page.phrase_at(time.get("minutes", {}), last + 1)
    if phrase:
        return phrase[0], int(phrase[1])
    word = scan.folded[last + 1]
    plus, minus = word in time.get("plus", ()), word in time.get("minus", ())
    bare = clocked or bool(time.get("bare_minutes"))
    at = last + 1 + (plus or minus or (bare and not clocked and word == "-" and scan.glued(last)))
    number = spelled.get(at) or _whole_word(page, at)
    fits = number is not None and not number.ordinal and 0 < number.value < 60
    if not fits or number is None or not (plus or minus or bare) or _counted(page, number.last + 1):
        return last, 0
    return number.last, int(number.value) * (-1 if minus else 1)


def _whole_word(page: Page, index: int) -> Spelled | None:
    """A number that only the lexicon knows."""
    value = page.lexicon.number["whole"].get(page.scan.folded[index]) if page.lexicon.time.get("hour_forms") else None
    return Spelled(index, index, value, ordinal=False) if value is not None and value.denominator == 1 else None


def _counted(page: Page, index: int) -> bool:
    """Something is counted by the number before token `index`: a unit, a currency, or what looks like a plural noun."""
    if counts(page, index):
        return True
    language, word = page.lexicon.language, page.scan.raw(index)
    if language == "en":
        return page.noun_at(index) and word.endswith("s")
    return page.noun_at(index) and (word[:1].isupper() if language == "de" else language != "nl")


def _hundreds(page: Page, index: int, spelled: Spellings) -> Draft | None:
    """At thirteen hundred hours; at ten thirty, which is read as 1030."""
    number = spelled.get(index)
    if number is None or page.lexicon.language != "en" or not follows(page, index, "offset_after"):
        return None
    hour, minutes = divmod(int(number.value), _HUNDRED)
    if minutes and _ENOUGH < hour <= _MIDDAY and minutes < 60 and not _counted(page, number.last + 1):
        return either_half(page, clock(page, index, number.last, hour * 60 + minutes))
    hours = not minutes and _MIDDAY < hour <= _LAST_HOUR and page.scan.folded[number.last + 1] in ("hours", "hrs")
    return clock(page, index, number.last + 1, hour * 60) if hours else None
