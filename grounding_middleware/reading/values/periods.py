"""Quarters, halves, fiscal years, decades and bare years."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.days import dated, interval_of, is_year, short_year
from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.model import PartialDate, ValueKind
from grounding_middleware.reading.values.page import Page

_TRIMESTER: Final = frozenset({"fr", "es", "it", "pt"})  # T3 2025
_DIGITS: Final = {"q": ("1", "2", "3", "4"), "t": ("1", "2", "3", "4"), "h": ("1", "2")}
_CENTURIES: Final = frozenset(("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"))
_ROMAN: Final = {"I": 1, "II": 2, "III": 3, "IV": 4}
_ORDINAL_STOPS: Final = frozenset(
    (".", "º", "ª", "°", "e", "er", "ème", "eme", "nd", "rd", "th", "st", "o", "ste", "de")
)
_HALVES: Final = 2
_FIRST_NAMED: Final = 1500  # "the 1832 Reform Act": earlier four-digit numbers before a name are rather counts


def quarter_code(page: Page, index: int) -> Draft | None:
    """Q1 2024, 1Q24, H2 2025, FY2024, T3 2025."""
    scan = page.scan
    if scan.folded[index] == "fy":
        return _fiscal(page, index, index)
    behind = scan.shapes[index] == "d"  # 1Q24: the letter is a capital, and the year is written
    letter, digit = scan.folded[index + behind], scan.raw(index + 1 - behind)
    known = letter in _DIGITS and scan.glued(index) and digit in _DIGITS[letter]
    if not known or (letter == "t" and page.lexicon.language not in _TRIMESTER):
        return None
    year, last = _loose_year(page, index + 1)
    if year is None and (behind or letter == "h"):
        return None
    if behind and not scan.raw(index + 1).isupper():
        return None  # 1h30 is a duration
    number = int(digit)
    return dated(
        page, index, last, PartialDate(year, half=number) if letter == "h" else PartialDate(year, quarter=number)
    )


def _fiscal(page: Page, index: int, before_year: int) -> Draft | None:
    year, last = _loose_year(page, before_year)
    if not year:
        return None
    end, last = _next_year(page, year, last)
    return dated(page, index, last, PartialDate(year, year_to=end, fiscal=True))


def _next_year(page: Page, year: int, last: int) -> tuple[int | None, int]:
    """2025/26, 2025-26, 2025/2026: the year after it, glued behind a slash or dash, and its token."""
    scan = page.scan
    glued = scan.glued(last) and scan.glued(last + 1) and scan.folded[last + 1] in ("/", "-", "–")
    raw = scan.raw(last + 2)
    return (year + 1, last + 2) if glued and raw in (str(year + 1), str(year + 1)[2:]) else (None, last)


def _loose_year(page: Page, index: int) -> tuple[int | None, int]:
    """A year of four or two digits behind token `index`, glued or after a space, apostrophe, slash or "of"."""
    scan, joiners = page.scan, page.lexicon.date.get("joiners", ())
    at = index + 1
    while (
        scan.folded[at] in ("'", "/", "-", "of", ",", "fy", "fiscal") or scan.folded[at] in joiners
    ) and at < index + 3:
        at += 1
    raw = scan.raw(at)
    if scan.shapes[at] != "d" or not raw.isdigit() or "\n" in scan.gap(at - 1):
        return None, index
    if len(raw) == 4 and is_year(int(raw)):
        return int(raw), at
    short = len(raw) == 2 and (scan.folded[at - 1] in ("'", "/") or scan.glued(at - 1))
    return (short_year(int(raw)), at) if short else (None, index)


def quarter_words(page: Page, index: int) -> Draft | None:
    """First quarter of 2024, erstes Quartal 2026, second half of 2025; fiscal year 2024."""
    scan, words = page.scan, page.lexicon.date
    if scan.folded[index] in words.get("fiscal", ()):
        return _fiscal(page, index, index + 1 if scan.folded[index + 1] in words.get("year", ()) else index)
    number = words.get("quarter_ordinals", {}).get(scan.folded[index])
    if number is None:
        return None
    at = index + 2 if scan.folded[index + 1] in words.get("fiscal", ()) else index + 1
    if scan.folded[at] in words.get("half", ()) and number <= 2:
        year, last = _loose_year(page, at)
        return dated(page, index, last, PartialDate(year, half=number)) if year else None
    if scan.folded[at] not in words.get("quarter", ()):
        return None
    year, last = _loose_year(page, at)
    of_another = year is None and scan.folded[at + 1] in words.get("joiners", ())  # "third quarter of the game"
    determined = scan.folded[index - 1] in page.lexicon.ordinal["before"]
    return (
        dated(page, index, last, PartialDate(year, quarter=number)) if year or (determined and not of_another) else None
    )


def quarter_digits(page: Page, index: int) -> Draft | None:
    """2. Quartal 2026, 2nd quarter of 2026, 2e trimestre, II kwartał: the number of a quarter or half."""
    scan, words = page.scan, page.lexicon.date
    roman = scan.raw(index) in _ROMAN
    number = _ROMAN[scan.raw(index)] if roman else int(scan.raw(index)) if scan.raw(index) in _DIGITS["q"] else 0
    ends = page.lexicon.ordinal["suffixes"] | _ORDINAL_STOPS
    at = index + 1 if roman else index + 2 if scan.glued(index) and scan.folded[index + 1] in ends else 0
    at += at > 0 and not roman and scan.folded[at] in ("º", "er", "ª") and scan.folded[at - 1] == "."
    half = scan.folded[at] in words.get("half", ())
    if not number or not at or not (half or scan.folded[at] in words.get("quarter", ())) or (half and number > _HALVES):
        return None
    year, last = _loose_year(page, at)
    part = PartialDate(year, half=number) if half else PartialDate(year, quarter=number)
    return dated(page, index, last, part) if year else None


def decade(page: Page, index: int) -> Draft | None:
    """1990s, the 1990's: ten years."""
    scan, raw = page.scan, page.scan.raw(index)
    if not scan.glued(index) or len(raw) != 4 or not raw.isdigit() or raw[3] != "0" or not is_year(int(raw)):
        return None
    apostrophe = scan.folded[index + 1] == "'"
    last = index + 1 + apostrophe
    if scan.folded[last] != "s":
        return None
    span = 99 if raw[2] == "0" and raw[0] == "1" else 9  # "the 1800s" is a century, "the 2000s" mostly a decade
    return dated(page, index, last, PartialDate(int(raw), year_to=int(raw) + span))


# bare years


def year(page: Page, draft: Draft) -> Draft | None:
    """The date that `draft`, a plain number, is: by the word before it, or by what does not follow."""
    number = _candidate(page, draft)
    if number is None:
        return None
    scan, last = page.scan, draft.last
    if draft.unit is not None:
        found = _as_date(draft, PartialDate(number), last, draft.end) if 1900 <= number <= 2100 else None
        return _with_number(found, draft) if found else None
    era = page.phrase_at(page.lexicon.eras, last + 1)
    if era:
        return _as_date(draft, PartialDate(number * int(era[1])), era[0], scan.ends[era[0]])
    if not _reads_as_year(page, draft, number):
        return None
    return _with_number(_as_date(draft, PartialDate(number), last, draft.end), draft)


def _with_number(found: Draft, draft: Draft) -> Draft:
    """The year, with the plain number as its other reading."""
    found.others = [replace(draft, others=[])]
    return found


def _candidate(page: Page, draft: Draft) -> int | None:
    """The number of a draft of four plain digits or of two spelled halves (nineteen ninety), without unit or scale."""
    if draft.currency or draft.scale or draft.raw is None:
        return None
    if draft.unit is not None and (page.lexicon.covered or draft.unit.key != "year"):
        return None  # "с 2025 года" is a year, "2000 years" are many
    if draft.kind is not ValueKind.NUMBER and draft.unit is None:
        return None
    raw = page.scan.raw(draft.first)
    digits = (draft.first == draft.last or draft.unit is not None) and len(raw) == 4 and raw.isdigit()
    spelled = draft.spelled and draft.last > draft.first and page.scan.folded[draft.first] in _CENTURIES
    era = draft.first == draft.last and raw.isdigit() and page.phrase_at(page.lexicon.eras, draft.last + 1) is not None
    number = int(draft.raw)
    return number if era or ((digits or spelled) and is_year(number)) else None


def _reads_as_year(page: Page, draft: Draft, number: int) -> bool:
    scan, lexicon = page.scan, page.lexicon
    at = draft.first - 1
    at -= scan.folded[at] in ("(", "'", "-", "–") or (
        scan.folded[at] == "." and scan.glued(at - 1) and len(scan.folded[at - 1]) < 3
    )
    before, after = scan.folded[at], draft.last + 1
    introduced = before in lexicon.date.get("before_year", ())
    if scan.folded[after] == "%" or (before in lexicon.name["nouns"] and not introduced):
        return False
    modern = 1900 <= number <= 2100
    if page.noun_at(after):
        if scan.raw(after)[:1].isupper():
            named = before in lexicon.ordinal["before"] and number >= _FIRST_NAMED
            return named or introduced or modern
        if modern and (lexicon.language == "de" or not lexicon.covered):
            return True  # what a small letter begins is mostly no noun there: "ging 2025 ans Netz", "в 2025 году"
        determined = before in lexicon.ordinal["before"]
        later = not determined and page.noun_at(after + 1) and _is_plural(page, after + 1)
        counted = _is_plural(page, after) or later
        return modern and (introduced or not counted)  # "the 2020 case"; "1950 new houses"
    return introduced or modern


def _is_plural(page: Page, index: int) -> bool:
    """A word that can be counted in thousands; outside English every noun may be one, in German with a capital."""
    word = page.scan.folded[index]
    if page.lexicon.language == "de":
        return page.scan.raw(index)[:1].isupper()
    return page.lexicon.language != "en" or word.endswith("s") or word in page.lexicon.number["in_millions"]


def _as_date(draft: Draft, part: PartialDate, last: int, end: int) -> Draft:
    changed = replace(
        draft, unit=None, unit_text="", kind=ValueKind.DATE, date=part, interval=interval_of(part), last=last, end=end
    )
    changed.raw, changed.quantum, changed.others, changed.written = None, Fraction(1), [], None
    return changed
