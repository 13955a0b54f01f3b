"""Dates in any common form, as far as they were written.

Digits are found first and the word beside them is looked up, so that "may" and "march" never become months by
themselves. Languages that write the day first have one reading of 03/04/2026; English keeps both.
"""

from __future__ import annotations

from typing import Final

from grounding_middleware.reading.values.days import dated, first_real, is_real, is_year, short_year, whole
from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.model import PartialDate
from grounding_middleware.reading.values.page import Page
from grounding_middleware.reading.values.periods import quarter_code, quarter_words

_SEPARATORS: Final = frozenset("-/.‐‑–")
_DASHES: Final = frozenset("-–—")
_ORDINALS: Final = frozenset(("st", "nd", "rd", "th", "er", "º", "ª", "o", "e", "°", "."))
_YEAR_JOINERS: Final = frozenset((",", "de", "del", "of", "do", "di", "'", "г", "año"))
_MONTH_FIRST: Final = frozenset({"en", "hu", "ja", "zh", "ko"})
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
_NOT_A_DAY: Final = frozenset(("%", "am", "pm", "°"))


def date_at(page: Page, index: int) -> Draft | None:
    """The date that starts at token `index`; None when none does."""
    if page.scan.shapes[index] == "d":
        if page.scan.shapes[index + 1] == "c":
            return _cjk_date(page, index)
        glued = page.scan.glued(index)
        if glued or not page.scan.raw(index).isdigit():
            found = _numeric(page, index) or (quarter_code(page, index) if glued else None)
            if found:
                return found
        return _day_month(page, index)
    return _month_first(page, index) or quarter_code(page, index) or quarter_words(page, index) or _weekday(page, index)


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
    if last > index and widths == (4, 2) and is_year(a):
        if b == (a + 1) % 100 and b > 12:
            return dated(page, index, last, PartialDate(a, year_to=a + 1))
        return first_real(page, index, last, [PartialDate(a, b)]) if scan.folded[index + 1] in "-/" else None
    if last > index and widths[1] == 4 and widths[0] <= 2 and is_year(b) and scan.folded[index + 1] in "/.-":
        return first_real(page, index, last, [PartialDate(b, a)])
    stop = scan.folded[last + 1] == "." and scan.glued(last) and last == index and page.lexicon.decimal == ","
    stop = stop and scan.folded[index - 1] not in page.lexicon.name["versions"]
    return (
        first_real(page, index, last, [PartialDate(None, b, a)]) if stop and widths[0] <= 2 and widths[1] == 2 else None
    )


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


def _month_first(page: Page, index: int) -> Draft | None:
    """September 2, 2023; September 2023; in September."""
    month = _month_at(page, index)
    if month is None:
        return None
    dotted = _skip_dot(page, index)
    day, last = _day_after(page, dotted)
    if day:
        year, last = _year_after(page, last)
        found = first_real(page, index, last, [PartialDate(year, month, day)])
        if found:
            return found
    year, last = _year_after(page, dotted)
    if year:
        return dated(page, index, last, PartialDate(year, month))
    return dated(page, index, index, PartialDate(None, month)) if _month_alone(page, index) else None


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
    introduced = scan.folded[index - 1] in lexicon.date.get("month_context", ())
    if len(word) < 4 or _ambiguous(page, index):
        return introduced and (capital or len(word) > 3)
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


def _cjk_date(page: Page, index: int) -> Draft | None:
    """Digits with 年, 月, 日 behind them; one of them alone is a date only for a plausible year."""
    scan, text = page.scan, page.scan.text
    found: dict[str, int] = {}
    at, last, end = index, index, scan.ends[index]
    while scan.shapes[at] == "d" and scan.shapes[at + 1] == "c" and len(scan.gap(at)) <= 1:
        start = scan.starts[at + 1]
        name, number = _CJK_PARTS.get(text[start]), whole(scan.raw(at))
        if number is None or name is None or name in found or (name == "day" and "month" not in found):
            break
        if text[start + 1 : start + 2] in ("間", "间", "간") and name != "day":
            break  # 3年間: a duration
        found[name], last, end = number, at + 1, start + 1
        if end < scan.ends[at + 1] or len(scan.gap(at + 1)) > 1:
            break
        at += 2
    part = PartialDate(found.get("year"), found.get("month"), found.get("day"))
    if not found or (part.month and not is_real(part)) or (part.year and not part.month and not is_year(part.year)):
        return None
    draft = dated(page, index, last, part)
    draft.end = end
    return draft
