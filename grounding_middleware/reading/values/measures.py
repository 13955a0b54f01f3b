"""What a number counts: units, currencies, percent signs beside it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.page import Page
from grounding_middleware.reading.values.tables import (
    Unit,
    currency_set,
    currency_signs,
    minor_words,
    sign_tokens,
    symbol_tokens,
    symbols,
    units,
)

_MAX_SYMBOL: Final = 4  # tokens of the longest unit symbol: Mbit / s
_MAX_PREFIX: Final = 4  # tokens of the longest currency prefix: U.S.$
# short symbols that are also words: a unit only when glued to the number
_GLUED_ONLY: Final = frozenset({"us", "A", "B", "C", "F", "pp", "bp", "K", "b"})
# codes that are also words; in a line of capitals they are words
_WORD_CODES: Final = frozenset({"ALL", "TRY", "TOP", "CUP", "PEN", "SOS", "MOP", "LAK", "BAM", "GEL", "MAD"})
_CENT: Final = Fraction(1, 100)
_LETTERS: Final = {"k": 1000, "K": 1000, "M": 10**6}
_TAUSEND: Final = {**_LETTERS, "T": 1000}
_SPACES: Final = ("", " ", "\u00a0", "\u202f")


@dataclass(frozen=True, slots=True)
class Measure:
    """Tokens up to `last`: a unit or a currency (`factor` 1/100 for cents, 1000 for TEUR), as written."""

    last: int
    end: int
    text: str
    unit: Unit | None = None
    currency: frozenset[str] = frozenset()
    factor: Fraction = Fraction(1)


def take_unit(draft: Draft, measure: Measure) -> None:
    """Make `measure` the unit of `draft` and let it end there."""
    draft.unit, draft.unit_text = measure.unit, measure.text
    draft.last, draft.end = measure.last, measure.end


def unit_at(page: Page, index: int, *, glued: bool = False) -> Measure | None:
    """The unit that starts at token `index`; `glued` when nothing stands between it and the number."""
    if page.scan.shapes[index] not in ("w", "s") or page.taken[index]:
        return None
    symbol = _symbol_at(page, index, glued=glued)
    hit = page.phrase_at(page.lexicon.units, index)
    if hit and page.scan.folded[index] == "in" and not glued:
        hit = None  # "5 in 10"
    if symbol and (hit is None or symbol.last >= hit[0]):
        return symbol
    return _measure(page, index, hit[0], hit[1]) if hit else _degree_at(page, index)


def _measure(page: Page, first: int, last: int, key: str) -> Measure | None:
    unit = units().get(key)
    return Measure(last, page.scan.ends[last], page.scan.between(first, last), unit) if unit else None


def _symbol_at(page: Page, index: int, *, glued: bool) -> Measure | None:
    """Longest run of glued tokens that is a unit symbol exactly as written, and no part of a longer word."""
    scan, table = page.scan, symbols()
    if scan.raw(index) not in symbol_tokens():
        return None
    best = -1
    for last in range(index, index + _MAX_SYMBOL):
        if scan.between(index, last) in table and not _goes_on(page, last):
            best = last
        if not scan.glued(last):
            break
    if best < 0:
        return None
    piece = scan.between(index, best)
    quoted = len(piece) == 1 and scan.glued(best) and scan.folded[best + 1] in ("'", "&")
    address = len(piece) == 1 and piece.isupper() and not glued and scan.raw(best + 1)[:1].isupper()  # "24 W Main St"
    if quoted or address or (piece in _GLUED_ONLY and not glued):
        return None
    return _measure(page, index, best, table[piece])


def _goes_on(page: Page, last: int) -> bool:
    """True when letters or digits are glued behind a word: "m" in "m3x"."""
    scan = page.scan
    return scan.shapes[last] == "w" and scan.glued(last) and scan.shapes[last + 1] in ("w", "d")


def _degree_at(page: Page, index: int) -> Measure | None:
    """° C and ° F with a space between; 300 F before the word degrees."""
    scan = page.scan
    letter = scan.raw(index + 1)
    if scan.folded[index] in ("°", "º") and letter in ("C", "F") and scan.gap(index) in _SPACES:
        return _measure(page, index, index + 1, f"deg{letter}")
    if scan.raw(index) in ("C", "F") and scan.folded[index + 1] in ("degrees", "deg", "degree"):
        return _measure(page, index, index + 1, f"deg{scan.raw(index)}")
    return None


# currencies


def money_before(page: Page, index: int) -> tuple[int, frozenset[str]] | None:
    """The currency sign, prefix or code that ends at token `index - 1`: its first token and its codes."""
    scan, table, last = page.scan, currency_signs(), index - 1
    if (
        last < 0
        or scan.raw(last) not in sign_tokens(-1)
        or page.taken[last]
        or not page.joined(last)
        or scan.shapes[last] == "d"
    ):
        return None
    best = -1
    for first in range(last, max(-1, last - _MAX_PREFIX), -1):
        piece = scan.between(first, last).replace(" ", "").replace("\u00a0", "")
        if piece in table and _stands_alone(page, first, last) and _is_code(page, piece, first):
            best = first
        if page.taken[first - 1] or not scan.glued(first - 1):
            break
    if best < 0:
        return None
    return best, table[scan.between(best, last).replace(" ", "").replace("\u00a0", "")]


def _stands_alone(page: Page, first: int, last: int) -> bool:
    """No letter is glued before a code; a one-letter prefix (R 5) must be glued to its number."""
    scan = page.scan
    if first == last and scan.shapes[first] == "w" and len(scan.raw(first)) == 1 and not scan.glued(last):
        return False
    return (
        first == 0 or not scan.glued(first - 1) or scan.shapes[first - 1] not in ("w", "d") or scan.shapes[first] == "s"
    )


def _is_code(page: Page, piece: str, index: int) -> bool:
    """ALL, TRY and TOP are words in a headline."""
    around = page.scan.raw(index - 1)
    return piece not in _WORD_CODES or not (around.isupper() and len(around) > 1)


def money_at(page: Page, index: int) -> Measure | None:
    """The currency that starts at token `index`, behind its number."""
    scan = page.scan
    if scan.shapes[index] not in ("w", "s") or page.taken[index]:
        return None
    hit = page.phrase_at(page.lexicon.money, index)
    sign = _sign_at(page, index)
    if hit and (sign is None or hit[0] >= sign.last):
        last, name = hit
        factor = _CENT if scan.folded[index] in minor_words() else Fraction(1)
        return Measure(last, scan.ends[last], scan.between(index, last), None, currency_set(name), factor)
    return sign or _thousands(page, index)


def _thousands(page: Page, index: int) -> Measure | None:
    """TEUR, kEUR, MEUR: scale letter and code in one word; "T" is a thousand in German only."""
    raw, scan = page.scan.raw(index), page.scan
    known = len(raw) == len("TEUR") and raw[1:] in ("EUR", "USD", "CHF", "GBP")
    power = (_TAUSEND if page.lexicon.language == "de" else _LETTERS).get(raw[0]) if known else None
    return Measure(index, scan.ends[index], raw, None, frozenset({raw[1:]}), Fraction(power)) if power else None


def _sign_at(page: Page, index: int) -> Measure | None:
    scan, table = page.scan, currency_signs()
    if scan.raw(index) not in sign_tokens(0):
        return _pence(page, index)
    best = -1
    for last in range(index, index + _MAX_PREFIX):
        piece = scan.between(index, last)
        plain = not (len(piece) == 1 and piece.isalpha()) and not piece.endswith(".")
        if piece in table and plain and not _goes_on(page, last):
            best = last
        if not scan.glued(last):
            break
    if best < 0:
        return _pence(page, index)
    text = scan.between(index, best)
    if scan.shapes[best + 1] == "d" and scan.glued(best) and not text.isalpha():
        return None  # "5 $10": the sign belongs to the next number
    return Measure(best, scan.ends[best], text, None, table[text], _CENT if text in minor_words() else Fraction(1))


def _pence(page: Page, index: int) -> Measure | None:
    """50p: glued to a number below 100; "1080p" is a picture format."""
    scan = page.scan
    amount = scan.raw(index - 1)
    if scan.raw(index) != "p" or not scan.glued(index - 1) or not (amount.isdigit() and len(amount) < 3):
        return None
    return Measure(index, scan.ends[index], "p", None, frozenset({"GBP"}), _CENT)
