"""Dates in any common form, as far as they were written.

Digits are found first and the word beside them is looked up, so that "may" and "march" never become months by
themselves. Languages that write the day first have one reading of 03/04/2026; English keeps both.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from grounding_middleware.reading.values.days import dated, first_real, is_real, is_year, short_year, whole
from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.model import PartialDate
from grounding_middleware.reading.values.page import Page
from grounding_middleware.reading.values.periods import quarter_code, quarter_digits, quarter_words
from grounding_middleware.reading.values.spelled import Spelled

_SEPARATORS: Final = frozenset("-/.‐‑–")
_DASHES: Final = frozenset("-–—")
_ORDINALS: Final = frozenset(("st", "nd", "rd", "th", "er", "º", "ª", "o", "e", "°", "."))
_YEAR_JOINERS: Final = frozenset((",", "de", "del", "of", "do", "di", "'", "г", "año"))
_MONTH_FIRST: Final = frozenset({"en", "hu", "ja", "zh", "ko"})
_YEAR_FIRST: Final = frozenset({"hu"})
_SHORT_NAMES: Final = frozenset({"mai", "mei"})  # May in full, in languages that write it small
_CAPITAL_MONTHS: Final = frozenset({"en", "de", "nb", "id"})  # "id": Indonesian
_CJK_PARTS: Final = {
    "年": "year",
    "년": "year",
    "月": "month",
    "월": "month",
    "日": "day",
    "号": "day",
    "號": "day",
    "일": "day",
}
_ERAS: Final = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867, "民國": 1911, "民国": 1911}
_CJK_QUARTER: Final = re.compile("[ 의]?第?([1-4一二三四])(?:季度|四半期|분기)")
_SMALLEST_YEAR: Final = 1000  # a smaller one before a month is the year of an era that is not known
_NOT_A_DAY: Final = frozenset(("%", "am", "pm", "°"))


def date_at(page: Page, index: int, spelled: Mapping[int, Spelled]) -> Draft | None:
    """The date that starts at token `index`; None when none does."""
    if page.scan.shapes[index] == "d":
        if page.scan.shapes[index + 1] == "c":
            return _cjk_date(page, index)
        glued = page.scan.glued(index)
        if glued or not page.scan.raw(index).isdigit():
            found = _numeric(page, index) or (quarter_code(page, index) if glued else None)
            if found:
                return found
        return quarter_digits(page, index) or _year_month(page, index) or _day_month(page, index)
    return (
        _worded_day(page, index, spelled)
        or _month_first(page, index, spelled)
        or quarter_code(page, index)
        or quarter_words(page, index)
        or quarter_digits(page, index)
        or _weekday(page, index)
    )


# numeric: 2023-09-02, 02.09.2023, 9/2/2023


def _numeric(page: Page, index: int) -> Draft | None:
    parts, last = _number_parts(page, index)
    if len(parts) == 3:
        return _three(page, index, last, parts)
    return _two(page, index, last, parts) if len(parts) == 2 else None


def _number_parts(page: Page, index: int) -> tuple[list[str], int]:
    """Digit groups glued by one kind of date separator, and the last token; more than three are no date."""
    scan = page.scan
    raw = scan.raw(index)
    if "." in raw:
        return raw.split("."), index
    parts, last, sign = [raw], index, scan.folded[index + 1]
    while len(parts) < 4 and sign in _SEPARATORS and scan.folded[last + 1] == sign and _glued_digits(page, last + 1):
        parts.append(scan.raw(last + 2))
        last += 2
    return parts, last


def _glued_digits(page: Page, sign: int) -> bool:
    """True when the sign at token `sign` is glued to digits on both sides."""
    scan = page.scan
    return scan.glued(sign - 1) and scan.glued(sign) and scan.shapes[sign + 1] == "d"


def _three(page: Page, index: int, last: int, parts: list[str]) -> Draft | None:
    scan = page.scan
    a, b, c = (whole(part) for part in parts)
    letters = scan.glued(last) and scan.shapes[last + 1] == "w" and scan.folded[last + 1] not in ("t", "z")
    if a is None or b is None or c is None or letters:
        return None
    if len(parts[0]) == 4:
        return first_real(page, index, last, [PartialDate(a, b, c)])
    if len(parts[2]) not in (2, 4) or len(parts[0]) > 2 or len(parts[1]) > 2:
        return None
    dotted = "." in scan.raw(index)
    if len(parts[2]) == 2 and dotted and page.lexicon.decimal == ".":
        return None  # 3.11.02 is a version in English
    year = c if len(parts[2]) == 4 else short_year(c)
    options = {"dmy": PartialDate(year, b, a), "mdy": PartialDate(year, a, b)}
    orders = ("dmy",) if dotted else page.lexicon.orders
    return first_real(
        page, index, last, [options[order] for order in orders if order in options] or list(options.values())
    )


def _two(page: Page, index: int, last: int, parts: list[str]) -> Draft | None:
    """2024-03, 03/2024, 2024/25, and 01.04. in languages that write it so."""
    scan = page.scan
    a, b = whole(parts[0]), whole(parts[1])
    if a is None or b is None:
        return None
    widths = len(parts[0]), len(parts[1])
    if last > index and widths == (4, 4) and is_year(a) and b == a + 1 and scan.folded[index + 1] == "/":
        return dated(page, index, last, PartialDate(a, year_to=b))
    if last > index and widths == (4, 2) and is_year(a):
        if b == (a + 1) % 100 and b > 12:
            return dated(page, index, last, PartialDate(a, year_to=a + 1))
        return first_real(page, index, last, [PartialDate(a, b)]) if scan.folded[index + 1] in "-/" else None
    if last > index and widths[1] == 4 and widths[0] <= 2 and is_year(b) and scan.folded[index + 1] in "/.-":
        return first_real(page, index, last, [PartialDate(b, a)])
    stop = scan.folded[last + 1] == "." and scan.glued(last) and last == index and page.lexicon.decimal == ","
    stop = stop and scan.folded[index - 1] not in page.lexicon.name["versions"]
    return (
        first_real(page, index, last, [PartialDate(None, b, a)])
        if stop and widths[0] <= 2 and (widths[1] == 2 or (widths[1] == 1 and _on_a_day(page, index)))
        else None
    )


def _on_a_day(page: Page, index: int) -> bool:
    """Am 4.5., vom 30.4.: behind a word that a day follows."""
    before, lexicon = page.scan.folded[index - 1], page.lexicon
    return before in lexicon.ordinal["before"] or before in lexicon.range["from"] or before in lexicon.range["to"]


# words: 2 September 2023, 1er avril, September 2, 2023


def _day_month(page: Page, index: int) -> Draft | None:
    """A day number with a month behind it, with ordinal endings and "of" between."""
    scan = page.scan
    raw = scan.raw(index)
    day = whole(raw) if len(raw) <= 2 else None
    if day is None or not 1 <= day <= 31:
        return None
    at = index + 2 if scan.glued(index) and scan.folded[index + 1] in _ORDINALS else index + 1
    if scan.folded[at] == "-" and scan.glued(at - 1):
        at += 1
    while scan.folded[at] in page.lexicon.date.get("joiners", ()) and at < index + 4:
        at += 1
    month = _month_at(page, at)
    if month is None or "\n\n" in scan.between(index, at) or _is_plain_word(page, at):
        return None
    year, last = _year_after(page, _skip_dot(page, at))
    return first_real(page, index, last, [PartialDate(year, month, day)])


def _year_month(page: Page, index: int) -> Draft | None:
    """2026. május 1.: the year first, with its stop, before the name of the month (Hungarian)."""
    scan, year = page.scan, whole(page.scan.raw(index))
    month = _month_at(page, index + 2) if scan.folded[index + 1] == "." and scan.glued(index) else None
    if month is None or page.lexicon.language not in _YEAR_FIRST or not is_year(year):
        return None
    day, last = _day_after(page, index + 2)
    return first_real(page, index, last if day else index + 2, [PartialDate(year, month, day)])


def _worded_day(page: Page, index: int, spelled: Mapping[int, Spelled]) -> Draft | None:
    """The first of May, am einunddreißigsten Mai, le premier mai, cinco de mayo: a day in words before its month."""
    scan, lexicon, number = page.scan, page.lexicon, spelled.get(index)
    value, last = (int(number.value), number.last) if number else _day_word(page, index)
    ordinal = number is None or number.ordinal
    if not 1 <= value <= 31 or (number and number.value.denominator != 1) or not (ordinal or _counts_days(page)):
        return None
    at = last + 1
    while scan.folded[at] in lexicon.date.get("joiners", ()) and at < last + 3:
        at += 1
    month = _month_at(page, at)
    of = at > last + 1
    if month is None or (lexicon.language == "en" and not of) or "\n\n" in scan.between(index, at):
        return None  # "the second March meeting"
    if _is_plain_word(page, at) or (not of and lexicon.language == "de" and not scan.raw(at)[:1].isupper()):
        return None
    year, end = _year_after(page, _skip_dot(page, at))
    return first_real(page, index, end, [PartialDate(year, month, value)])


def _day_word(page: Page, index: int) -> tuple[int, int]:
    """A day that only the lexicon knows (Polish "pierwszego"), two words for 21 and more: its number and last token."""
    days, folded = page.lexicon.date.get("days", {}), page.scan.folded
    day = days.get(folded[index], 0)
    units = days.get(folded[index + 1], 0)
    return (day + units, index + 1) if day in (20, 30) and 0 < units < 10 else (day, index)


def _counts_days(page: Page) -> bool:
    """Romance languages count days with plain numbers: "cinco de mayo", "le quatre mai"."""
    return page.lexicon.language in ("fr", "es", "it", "pt")


def _is_plain_word(page: Page, index: int) -> bool:
    """Reads "you may", "they march": a small letter where English writes months with a capital."""
    return page.lexicon.language == "en" and _ambiguous(page, index) and page.scan.raw(index).islower()


def _skip_dot(page: Page, index: int) -> int:
    """An abbreviated month keeps its full stop when more of the date follows."""
    scan = page.scan
    stop = scan.folded[index + 1] == "." and scan.glued(index) and scan.shapes[index + 2] == "d"
    return index + 1 if stop and len(scan.folded[index]) <= 5 else index


def _month_at(page: Page, index: int) -> int | None:
    return page.lexicon.months.get(page.scan.folded[index]) if page.scan.shapes[index] == "w" else None


def _ambiguous(page: Page, index: int) -> bool:
    return page.scan.folded[index] in page.lexicon.date.get("ambiguous_months", ())


def _year_after(page: Page, index: int) -> tuple[int | None, int]:
    """A year behind token `index`, after a comma, "de" or an apostrophe: the year and the last token."""
    scan = page.scan
    at = index + 2 if scan.folded[index + 1] == "-" and scan.glued(index) else index + 1
    while scan.folded[at] in _YEAR_JOINERS and at < index + 3:
        at += 1
    raw = scan.raw(at)
    year = whole(raw) if scan.shapes[at] == "d" and not page.taken[at] else None
    if year is None or "\n\n" in scan.between(index, at):
        return None, index
    if len(raw) == 4 and is_year(year) and not (scan.glued(at) and scan.folded[at + 1] in ("%", "s")):
        return year, at
    short = len(raw) == 2 and scan.folded[at - 1] in ("'", "-") and at - index <= 2
    return (short_year(year), at) if short else (None, index)


def _month_first(page: Page, index: int, spelled: Mapping[int, Spelled]) -> Draft | None:
    """September 2, 2023; September 2023; May the first; in September."""
    month = _month_at(page, index)
    if month is None:
        return None
    dotted = _skip_dot(page, index)
    day, last = _day_after(page, dotted)
    if not day:
        day, last = _ordinal_after(page, dotted, spelled)
    if day:
        year, last = _year_after(page, last)
        found = first_real(page, index, last, [PartialDate(year, month, day)])
        if found:
            return found
    year, last = _year_after(page, dotted)
    if year:
        return dated(page, index, last, PartialDate(year, month))
    return dated(page, index, index, PartialDate(None, month)) if _month_alone(page, index) else None


def _ordinal_after(page: Page, index: int, spelled: Mapping[int, Spelled]) -> tuple[int | None, int]:
    """May the first, June twenty-first: an ordinal in words behind the month, and no noun behind that."""
    at = index + 2 if page.scan.folded[index + 1] == "the" else index + 1
    number = spelled.get(at) if page.lexicon.language == "en" and page.scan.raw(index)[:1].isupper() else None
    named = number is not None and number.ordinal and 1 <= number.value <= 31 and not page.noun_at(number.last + 1)
    return (int(number.value), number.last) if number and named else (None, index)


def _day_after(page: Page, index: int) -> tuple[int | None, int]:
    """A day number behind a month: March 3, March the 3rd; not 3 pm and not 3 million."""
    scan = page.scan
    at = index + 2 if scan.folded[index + 1] in ("the", "-") else index + 1
    raw, after = scan.raw(at), scan.folded[at + 1]
    if scan.shapes[at] != "d" or len(raw) > 2 or not raw.isdigit() or page.lexicon.language not in _MONTH_FIRST:
        return None, index
    counted = after in _NOT_A_DAY or after in page.lexicon.scales or (after == ":" and scan.glued(at))
    if counted or page.taken[at] or "\n" in scan.gap(at - 1) or not 1 <= int(raw) <= 31:
        return None, index
    ordinal = scan.glued(at) and after in ("st", "nd", "rd", "th")
    return int(raw), at + ordinal


def _month_alone(page: Page, index: int) -> bool:
    """Spelled in full, in the text's language, with a capital in English, introduced where it is also a word."""
    scan, lexicon = page.scan, page.lexicon
    word = scan.folded[index]
    if word not in lexicon.own_months or len(word) < 3:
        return False
    capital = scan.raw(index)[:1].isupper()
    if scan.folded[index + 1] in _DASHES and scan.folded[index + 2] in lexicon.months and capital:
        return True  # "Jan-Mar 2026"
    if lexicon.language in _CAPITAL_MONTHS and not capital:
        return False
    at = index - (scan.folded[index - 1] == "-" and scan.glued(index - 1))  # "mid-May"
    introduced = scan.folded[at - 1] in lexicon.date.get("month_context", ())
    if len(word) < 4 or _ambiguous(page, index):
        return introduced and (capital or len(word) > 3 or word in _SHORT_NAMES)
    return introduced or lexicon.language in ("en", "de")


def _weekday(page: Page, index: int) -> Draft | None:
    """Monday, Mondays, Montag; abbreviations only beside a date."""
    scan, lexicon = page.scan, page.lexicon
    word, plural = scan.folded[index], lexicon.date.get("weekday_plurals") or "-"
    day = lexicon.weekdays.get(word)
    if day is None and word.endswith(plural) and len(word) > 5:
        day = lexicon.weekdays.get(word[: -len(plural)])
    ranged = _beside(page, index, 1) or _beside(page, index, -1)  # "Mon-Fri"
    if day is None or ((len(word) < 4 or _ambiguous(page, index)) and not ranged):
        return None
    written = scan.raw(index)[:1].isupper() or lexicon.language not in ("en", "de", "nl")
    return dated(page, index, index, PartialDate(weekday=day)) if written else None


def _beside(page: Page, index: int, step: int) -> bool:
    """True when a dash and another weekday stand beside token `index`."""
    scan = page.scan
    return scan.folded[index + step] in _DASHES and scan.folded[index + 2 * step] in page.lexicon.weekdays


# CJK: 2026年4月1日

_OF_A_MONTH = ("毎月", "每月", "各月", "当月", "翌月", "来月", "次月", "매월", "매달")
"""Before a number and "day": its place in the month, no period."""


def _cjk_date(page: Page, index: int) -> Draft | None:
    """Digits with 年, 月, 日 behind them; one of them alone is a date only for a plausible year."""
    scan, text = page.scan, page.scan.text
    found: dict[str, int] = {}
    at, last, end = index, index, scan.ends[index]
    while scan.shapes[at] == "d" and scan.shapes[at + 1] == "c" and len(scan.gap(at)) <= 1:
        start = scan.starts[at + 1]
        name, number = _CJK_PARTS.get(text[start]), whole(scan.raw(at))
        loose = (
            name == "day" and "month" not in found and text[scan.starts[at] - 2 : scan.starts[at]] not in _OF_A_MONTH
        )
        if number is None or name is None or name in found or loose:
            break
        if text[start + 1 : start + 2] in ("間", "间", "간") and name != "day":
            break  # 3年間: a duration
        found[name], last, end = number, at + 1, start + 1
        if end < scan.ends[at + 1] or len(scan.gap(at + 1)) > 1:
            break
        at += 2
    era = _ERAS.get(text[max(0, scan.starts[index] - 2) : scan.starts[index]])
    if era and "year" in found:
        found["year"] += era
    elif found.get("month") and found.get("year", _SMALLEST_YEAR) < _SMALLEST_YEAR:
        del found["year"]
    part = PartialDate(found.get("year"), found.get("month"), found.get("day"))
    quarter = _CJK_QUARTER.match(text, end) if set(found) == {"year"} else None
    if quarter:
        part, end = replace(part, quarter=int(unicodedata.numeric(quarter.group(1)))), quarter.end()
        while scan.ends[last] < end:
            last += 1
    if not found or (part.month and not is_real(part)) or (part.year and not part.month and not is_year(part.year)):
        return None
    draft = dated(page, index, last, part)
    draft.end = end
    return draft
