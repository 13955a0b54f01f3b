"""Dates in any common form, as far as they were written: year, month, day, quarter, half, weekday.

Digits are found first and the word beside them is looked up, so that "may" and "march" never become months by themselves.
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.model import Interval, PartialDate, ValueKind
from grounding_middleware.reading.values.page import Page

_SEPARATORS: Final = frozenset("-/.‐‑–")
_ORDINALS: Final = frozenset(("st", "nd", "rd", "th", "er", "º", "ª", "o", "e", "°", "."))


def interval_of(part: PartialDate) -> Interval:
    """First and last day of what was written, as day ordinals; unbounded when the year is missing or out of range."""
    if part.year is None or not 1 <= part.year <= 9999:
        return Interval(None, None)
    first, last = _months_of(part)
    if part.day and part.month:
        if part.day > monthrange(part.year, part.month)[1]:
            return Interval(None, None)
        day = Fraction(date(part.year, part.month, part.day).toordinal())
        return Interval(day, day)
    end_year = part.year_to if part.year_to and part.year <= part.year_to <= 9999 else part.year
    start = date(part.year, first, 1).toordinal()
    end = date(end_year, last, monthrange(end_year, last)[1]).toordinal()
    if part.edge == "start":
        end = start
    elif part.edge == "end":
        start = end
    return Interval(Fraction(start), Fraction(end))


def _months_of(part: PartialDate) -> tuple[int, int]:
    if part.month:
        return part.month, part.month
    if part.quarter:
        return 3 * part.quarter - 2, 3 * part.quarter
    if part.half:
        return 6 * part.half - 5, 6 * part.half
    return 1, 12


def date_at(page: Page, index: int) -> Draft | None:
    """The date that starts at token `index`; None when none does."""
    scan = page.scan
    shape = scan.shape(index)
    if shape == "d":
        found = _cjk_date(page, index) or _numeric(page, index) or _day_month(page, index) or _quarter_code(page, index)
    elif shape == "w":
        found = (
            _month_first(page, index)
            or _quarter_code(page, index)
            or _quarter_words(page, index)
            or _weekday(page, index)
        )
    else:
        found = None
    return found


def _draft(page: Page, first: int, last: int, part: PartialDate, *others: PartialDate) -> Draft:
    scan = page.scan
    draft = Draft(first, last, scan.starts[first], scan.ends[last], ValueKind.DATE, interval_of(part), date=part)
    draft.others = [replace(draft, date=other, interval=interval_of(other), others=[]) for other in others]
    return draft


def _int(text: str) -> int | None:
    return int(text) if text.isdigit() and len(text) <= 4 else None


def is_year(number: int | None) -> bool:
    """Years people write about without saying so."""
    return number is not None and 1000 <= number <= 2199


# numeric: 2023-09-02, 02.09.2023, 9/2/2023


def _numeric(page: Page, index: int) -> Draft | None:
    parts, last = _number_parts(page, index)
    if len(parts) < 2:
        return None
    if len(parts) == 3:
        return _three(page, index, last, parts)
    return _two(page, index, last, parts)


def _number_parts(page: Page, index: int) -> tuple[list[str], int]:
    """Digit groups glued by one kind of date separator, and the last token."""
    scan = page.scan
    raw = scan.raw(index)
    if "." in raw and raw.replace(".", "").isdigit():
        return raw.split("."), index
    parts, last = [raw], index
    sign = scan.word(index + 1)
    while (
        len(parts) < 4
        and scan.word(last + 1) == sign
        and sign in _SEPARATORS
        and scan.glued(last)
        and scan.glued(last + 1)
        and scan.shape(last + 2) == "d"
    ):
        parts.append(scan.raw(last + 2))
        last += 2
    return parts, last


def _three(page: Page, index: int, last: int, parts: list[str]) -> Draft | None:
    numbers = [_int(part) for part in parts]
    if (
        None in numbers
        or page.scan.glued(last)
        and page.scan.shape(last + 1) == "w"
        and page.scan.word(last + 1) not in ("t", "z")
    ):
        return None
    a, b, c = (number or 0 for number in numbers)
    if len(parts[0]) == 4:
        return _valid(page, index, last, [PartialDate(a, b, c)])
    if len(parts[2]) not in (2, 4) or len(parts[0]) > 2 or len(parts[1]) > 2:
        return None
    if len(parts[2]) == 2 and len(set(parts)) and "." in page.scan.raw(index) and page.lexicon.decimal == ".":
        return None  # 3.11.02 is a version in English
    year = c if len(parts[2]) == 4 else 2000 + c if c < 70 else 1900 + c
    options = {"dmy": PartialDate(year, b, a), "mdy": PartialDate(year, a, b)}
    orders = page.lexicon.orders if "." not in page.scan.raw(index) else ("dmy",)
    chosen = [options[order] for order in orders if order in options] or list(options.values())
    return _valid(page, index, last, chosen)


def _valid(page: Page, first: int, last: int, parts: list[PartialDate]) -> Draft | None:
    real = [part for part in parts if _real(part)]
    unique = list(dict.fromkeys(real))
    return _draft(page, first, last, unique[0], *unique[1:]) if unique else None


def _real(part: PartialDate) -> bool:
    if not (part.month and 1 <= part.month <= 12):
        return False
    longest = monthrange(part.year or 2000, part.month)[1] if 1 <= (part.year or 2000) <= 9999 else 31
    return part.day is None or 1 <= part.day <= longest


def _two(page: Page, index: int, last: int, parts: list[str]) -> Draft | None:
    """2024-03, 03/2024, 2024/25, and 01.04. in languages that write it so."""
    scan = page.scan
    a, b = _int(parts[0]), _int(parts[1])
    if a is None or b is None:
        return None
    if scan.shape(index + 1) == "s" and len(parts[0]) == 4 and len(parts[1]) == 2 and is_year(a):
        if b == (a + 1) % 100 and not 1 <= b <= 12:
            return _draft(page, index, last, PartialDate(a, year_to=a + 1))
        return _valid(page, index, last, [PartialDate(a, b)]) if scan.word(index + 1) in "-/" else None
    if (
        len(parts[1]) == 4
        and is_year(b)
        and len(parts[0]) <= 2
        and scan.word(index + 1) in ("/", ".", "-")
        and last > index
    ):
        return _valid(page, index, last, [PartialDate(b, a)])
    if len(parts[1]) == 4 and len(parts[0]) == 4 and is_year(a) and is_year(b) and a < b:
        return None  # a range of years, joined later
    german = scan.word(last + 1) == "." and scan.glued(last) and last == index and page.lexicon.decimal == ","
    if german and len(parts[0]) <= 2 and len(parts[1]) == 2:
        return _valid(page, index, last, [PartialDate(None, b, a)])
    return None


# words: 2 September 2023, 1er avril, September 2, 2023


def _day_month(page: Page, index: int) -> Draft | None:
    """A day number with a month behind it, with ordinal endings and "of" between."""
    scan = page.scan
    day = _int(scan.raw(index))
    if day is None or not 1 <= day <= 31 or len(scan.raw(index)) > 2:
        return None
    at = _skip_ordinal(page, index)
    if scan.word(at) == "-" and scan.glued(at - 1):
        at += 1
    while scan.word(at) in page.lexicon.date.get("joiners", ()) and at < index + 4:
        at += 1
    month = _month_at(page, at)
    if month is None or "\n\n" in scan.text[scan.ends[index] : scan.starts[at]]:
        return None
    if _ambiguous(page, at) and scan.raw(at).islower() and page.lexicon.language == "en":
        return None
    year, last = _year_after(page, _skip_dot(page, at))
    return _valid(page, index, last, [PartialDate(year, month, day)])


def _skip_ordinal(page: Page, index: int) -> int:
    scan = page.scan
    at = index + 1
    return at + 1 if scan.glued(index) and scan.word(at) in _ORDINALS else at


def _skip_dot(page: Page, index: int) -> int:
    """An abbreviated month keeps its full stop."""
    scan = page.scan
    short = len(scan.folded[index]) <= 5
    return (
        index + 1
        if short and scan.word(index + 1) == "." and scan.glued(index) and scan.shape(index + 2) == "d"
        else index
    )


def _month_at(page: Page, index: int) -> int | None:
    return page.lexicon.months.get(page.scan.word(index)) if page.scan.shape(index) == "w" else None


def _ambiguous(page: Page, index: int) -> bool:
    return page.scan.word(index) in page.lexicon.date.get("ambiguous_months", ())


def _year_after(page: Page, index: int) -> tuple[int | None, int]:
    """A year behind token `index`, after a comma, "de", "'": the year and the last token."""
    scan = page.scan
    at = index + 1
    if scan.word(at) == "-" and scan.glued(index):
        at += 1
    while scan.word(at) in (",", "de", "del", "of", "do", "di", "'", "г", "año") and at < index + 3:
        at += 1
    year = (
        _int(scan.raw(at))
        if scan.shape(at) == "d" and "\n" not in scan.text[scan.ends[index] : scan.starts[at]]
        else None
    )
    if year is None or page.taken[at]:
        return None, index
    if len(scan.raw(at)) == 4 and is_year(year) and not (scan.glued(at) and scan.word(at + 1) in ("%", "s")):
        return year, at
    if len(scan.raw(at)) == 2 and scan.word(at - 1) in ("'", "-") and at - index <= 2:
        return 2000 + year if year < 70 else 1900 + year, at
    return None, index


def _month_first(page: Page, index: int) -> Draft | None:
    """September 2, 2023; September 2023; in September."""
    scan = page.scan
    month = _month_at(page, index)
    if month is None:
        return None
    dotted = _skip_dot(page, index)
    day, last = _day_after(page, dotted)
    if day:
        year, last = _year_after(page, last)
        found = _valid(page, index, last, [PartialDate(year, month, day)])
        if found:
            return found
    year, last = _year_after(page, dotted)
    if year:
        return _draft(page, index, last, PartialDate(year, month))
    return _bare_month(page, index, month)


def _day_after(page: Page, index: int) -> tuple[int | None, int]:
    scan = page.scan
    at = index + 1
    while scan.word(at) in ("the", "-") and at < index + 2:
        at += 1
    raw = scan.raw(at)
    if (
        scan.shape(at) != "d"
        or len(raw) > 2
        or not raw.isdigit()
        or "\n" in scan.gap(at - 1)
        or not 1 <= int(raw) <= 31
    ):
        return None, index
    if page.taken[at] or page.lexicon.language not in ("en", "hu", "ja", "zh", "ko"):
        return None, index
    after = scan.word(at + 1)
    if after == ":" and scan.glued(at) or after in ("%", "am", "pm", "°") or after in page.lexicon.scales:
        return None, index
    ordinal = scan.glued(at) and after in ("st", "nd", "rd", "th")
    return int(raw), at + 1 if ordinal else at


def _bare_month(page: Page, index: int, month: int) -> Draft | None:
    """A month alone: spelled in full, in the text's language, capital in English, and introduced when it is also a word."""
    scan, lexicon = page.scan, page.lexicon
    word = scan.folded[index]
    if word not in lexicon.own_months or len(word) < 3:
        return None
    capital = scan.raw(index)[:1].isupper()
    introduced = scan.word(index - 1) in lexicon.date.get("month_context", ())
    if lexicon.language in ("en", "de", "nb", "id") and not capital:
        return None
    if (len(word) < 4 or _ambiguous(page, index)) and not (introduced and (capital or len(word) > 3)):
        return None
    if lexicon.language not in ("en", "de") and not introduced:
        return None
    return _draft(page, index, index, PartialDate(None, month))


# quarters and halves


def _quarter_code(page: Page, index: int) -> Draft | None:
    """Q1 2024, 1Q24, H2 2025, FY2024, T3 2025."""
    scan = page.scan
    if scan.shape(index) == "d":
        letter, digit, last = scan.word(index + 1), scan.raw(index), index + 1
        if letter not in ("q", "h") or not scan.glued(index) or digit not in ("1", "2", "3", "4"):
            return None
        if not (scan.shape(index + 2) == "d" and scan.glued(index + 1)) and not is_year(_int(scan.raw(index + 2))):
            return None
    else:
        letter, digit, last = scan.word(index), scan.raw(index + 1), index + 1
        if letter == "fy":
            return _fiscal(page, index)
        if letter not in ("q", "h", "t") or not scan.glued(index) or not digit.isdigit():
            return None
    if (
        (letter == "h" and digit not in ("1", "2"))
        or digit not in ("1", "2", "3", "4")
        or (letter == "t" and page.lexicon.language not in ("fr", "es", "it", "pt"))
    ):
        return None
    year, last = _loose_year(page, last)
    number = int(digit)
    if letter == "h":
        return _draft(page, index, last, PartialDate(year, half=number)) if year else None
    return _draft(page, index, last, PartialDate(year, quarter=number))


def _fiscal(page: Page, index: int) -> Draft | None:
    year, last = _loose_year(page, index)
    return _draft(page, index, last, PartialDate(year, fiscal=True)) if year else None


def _loose_year(page: Page, index: int) -> tuple[int | None, int]:
    """A year of four or two digits behind a quarter code, glued or after space, apostrophe, slash or "of"."""
    scan = page.scan
    at = index + 1
    while scan.word(at) in ("'", "/", "-", "of", ",", "fy", "de", "del", "di", "do") and at < index + 3:
        at += 1
    raw = scan.raw(at)
    if scan.shape(at) != "d" or not raw.isdigit() or "\n" in scan.gap(at - 1):
        return None, index
    if len(raw) == 4 and is_year(int(raw)):
        return int(raw), at
    if len(raw) == 2 and (scan.word(at - 1) in ("'", "/") or scan.glued(at - 1)):
        return 2000 + int(raw), at
    return None, index


def _quarter_words(page: Page, index: int) -> Draft | None:
    """First quarter of 2024, erstes Quartal 2026, second half of 2025; fiscal year 2024."""
    scan, words = page.scan, page.lexicon.date
    word = scan.folded[index]
    if word in words.get("fiscal", ()) and word != "fy":
        at = index + 1 if scan.word(index + 1) in ("year", "jahr", "fiscal") else index
        year, last = _loose_year(page, at)
        return _draft(page, index, last, PartialDate(year, fiscal=True)) if year else None
    number = words.get("quarter_ordinals", {}).get(word)
    if number is None:
        return None
    noun = scan.word(index + 1)
    if noun == "fiscal":
        noun, index_noun = scan.word(index + 2), index + 2
    else:
        index_noun = index + 1
    if noun in words.get("quarter", ()):
        year, last = _loose_year(page, index_noun)
        vague = scan.word(index_noun + 1) in ("of", "des", "de", "du", "del", "van")
        return (
            _draft(page, index, last, PartialDate(year, quarter=number))
            if year or not vague and scan.word(index - 1) in ("the", "in", "im", "le", "el", "il", "o", "het")
            else None
        )
    if noun in words.get("half", ()) and number <= 2:
        year, last = _loose_year(page, index_noun)
        return _draft(page, index, last, PartialDate(year, half=number)) if year else None
    return None


def _weekday(page: Page, index: int) -> Draft | None:
    """Monday, Mondays, Montag; abbreviations only beside a date."""
    scan, lexicon = page.scan, page.lexicon
    word = scan.folded[index]
    day = lexicon.weekdays.get(word)
    if day is None and lexicon.date.get("weekday_plurals") and word.endswith(lexicon.date["weekday_plurals"]):
        day = lexicon.weekdays.get(word[: -len(lexicon.date["weekday_plurals"])]) if len(word) > 5 else None
    if day is None:
        return None
    if (
        len(word) > 3
        and not _ambiguous(page, index)
        and (scan.raw(index)[:1].isupper() or lexicon.language not in ("en", "de", "nl"))
    ):
        return _draft(page, index, index, PartialDate(weekday=day))
    return None


# CJK: 2026年4月1日


def _cjk_date(page: Page, index: int) -> Draft | None:
    scan, text = page.scan, page.scan.text
    found: dict[str, int] = {}
    at = index
    last, end = index, scan.ends[index]
    while (
        scan.shape(at) == "d"
        and scan.shape(at + 1) == "c"
        and len(scan.gap(at)) <= 1
        and _int(scan.raw(at)) is not None
    ):
        sign = text[scan.starts[at + 1]]
        name = {
            "年": "year",
            "년": "year",
            "月": "month",
            "월": "month",
            "日": "day",
            "号": "day",
            "號": "day",
            "일": "day",
        }.get(sign)
        after = text[scan.starts[at + 1] + 1 : scan.starts[at + 1] + 2]
        if (
            name is None
            or name in found
            or (name == "day" and "month" not in found)
            or (after in ("間", "间", "간") and name != "day")
        ):
            break
        found[name] = int(scan.raw(at))
        last, end = at + 1, scan.starts[at + 1] + 1
        if end < scan.ends[at + 1] or len(scan.gap(at + 1)) > 1:
            break
        at += 2
    if (
        not found
        or (set(found) == {"year"} and not is_year(found["year"]))
        or set(found) == {"month"}
        and text[end : end + 1] in "個个"
    ):
        return None
    part = PartialDate(found.get("year"), found.get("month"), found.get("day"))
    if part.month and not _real(part):
        return None
    draft = _draft(page, index, last, part)
    draft.end = end
    return draft
