"""Parts of a whole: ½, 1/2, half, two thirds, a quarter of, three in four."""

from __future__ import annotations

import unicodedata
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.page import Page
from grounding_middleware.reading.values.scan import FRACTION_SIGNS
from grounding_middleware.reading.values.spelled import Spelled
from grounding_middleware.reading.values.tables import units

Found = tuple[int, Fraction]
"""The last token and the value."""

SIGNS: Final = frozenset(FRACTION_SIGNS)
_HALF: Final = Fraction(1, 2)
_QUARTERS: Final = 4
_WHOLES: Final = (100, 1000, 10000)  # besides the numbers up to 20, what "one in ..." is said of


def sign_value(sign: str) -> Fraction | None:
    """The value of a fraction sign such as ½."""
    return Fraction(unicodedata.numeric(sign)).limit_denominator(100) if sign and sign in FRACTION_SIGNS else None


def slash(page: Page, index: int) -> Found | None:
    """`a/b` with small whole numbers, glued, and no date."""
    scan = page.scan
    if scan.folded[index + 1] != "/" or scan.shapes[index] != "d" or scan.shapes[index + 2] != "d":
        return None
    top, bottom = scan.raw(index), scan.raw(index + 2)
    glued = (
        scan.glued(index) and scan.glued(index + 1) and not (scan.glued(index + 2) and scan.folded[index + 3] == "/")
    )
    small = top.isdigit() and bottom.isdigit() and len(top) < 3 and len(bottom) < 4
    return (index + 2, Fraction(int(top), int(bottom))) if glued and small and int(bottom) else None


def named_part(page: Page, index: int) -> Found | None:
    """A fifth as an ordinal with its noun: "quinta parte", "terceras partes"."""
    words, scan = page.lexicon.number, page.scan
    value = words["parts"].get(scan.folded[index])
    return (index + 1, value) if value is not None and scan.folded[index + 1] in words["part_nouns"] else None


def part_after(page: Page, last: int, number: Fraction) -> Found | None:
    """Two *thirds*, three-*quarters*, one *fifth*: the part named behind a number."""
    scan = page.scan
    at = last + 2 if scan.folded[last + 1] == "-" else last + 1
    named = named_part(page, at)
    part = named[1] if named else page.lexicon.number["shares"].get(scan.folded[at])
    if part is None or number.denominator != 1 or number > 20:
        return None
    at = named[0] if named else at
    if page.lexicon.language == "en" and (number != 1) != scan.folded[at].endswith("s"):
        return None  # "two half-sheet pans"
    return at, number * part


def is_share(page: Page, index: int) -> bool:
    """A third *of*, a quarter *of*, by a third; not "a third party"."""
    scan, words = page.scan, page.lexicon.number
    if scan.folded[index] in words["bare_shares"]:
        return True
    return (
        scan.folded[index + 1] in words["of"]
        or scan.folded[index + 1] in words["more"]
        or scan.folded[index - 2] in words["by"]
    )


def of_a_unit(page: Page, last: int, value: Fraction) -> int | None:
    """A quarter *of an* hour, trois quarts *d'*heure: the last token before the unit of time it is a part of."""
    scan, number = page.scan, page.lexicon.number
    if scan.folded[last + 1] not in number["of"]:
        return None
    at = last + 2
    if scan.folded[at] in number["articles"]:
        at += 1
    elif value.denominator != _QUARTERS or page.lexicon.language == "en":
        return None  # "a mitad de semana" is no amount
    at += scan.folded[at] == "'"
    unit = page.phrase_at(page.lexicon.units, at)
    return at - 1 if unit and units()[unit[1]].dimension in ("time", "months") else None


def bare_share(page: Page, index: int) -> Found | None:
    """Half the, half a million, half an hour, media hora; not "the second half"."""
    scan, words = page.scan, page.lexicon.number
    value = words["shares"].get(scan.folded[index])
    if value is None or scan.folded[index - 1] in page.lexicon.date.get("quarter_ordinals", {}):
        return None
    at = index + 2 if scan.folded[index + 1] == "-" else index + 1
    if page.phrase_at(page.lexicon.units, at):
        return (index, value) if value == _HALF else None
    if scan.folded[at] in page.lexicon.scales and value == _HALF and len(scan.folded[at]) > 2:
        return index, value  # "eine halbe Million", "media docena"
    if scan.folded[index] not in words["bare_shares"]:
        return None
    after = scan.folded[index + 1]
    if after in words["articles"] and _counted(page, index + 2):
        return index + 1, value  # the article belongs to the number
    introduced = scan.folded[index - 1] in words["by"] or scan.folded[index - 1] in page.lexicon.range["gap"]
    return (index, value) if after in words["of"] or after in words["articles"] or introduced else None


def _counted(page: Page, index: int) -> bool:
    """A scale word, a dozen or a unit: half a million, half a dozen, half an hour."""
    lexicon = page.lexicon
    return page.scan.folded[index] in lexicon.scales or page.phrase_at(lexicon.units, index) is not None


def ratio_after(page: Page, last: int, number: Fraction, spelled: dict[int, Spelled]) -> Found | None:
    """Three *in four*, 1 *in 5*, 3 *out of 10*."""
    words = page.phrase_at(page.lexicon.number["in"], last + 1)
    if words is None:
        return None
    whole, end = _whole(page, words[0] + 1, spelled)
    fits = 0 < number < whole and (whole <= 20 or whole in _WHOLES) and not _counted(page, end + 1)
    return (end, number / whole) if fits else None


def _whole(page: Page, index: int, spelled: dict[int, Spelled]) -> tuple[Fraction, int]:
    """The whole number at token `index`; 0 when none stands there."""
    if index in spelled and not spelled[index].ordinal:
        return spelled[index].value, spelled[index].last
    raw = page.scan.raw(index)
    return (
        (Fraction(int(raw)), index)
        if page.scan.shapes[index] == "d" and raw.isdigit() and len(raw) < 6
        else (Fraction(0), index)
    )
