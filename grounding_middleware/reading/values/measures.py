"""What a number counts: units, currencies, percent signs beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from grounding_middleware.reading.values.lexicon import (
    Unit,
    currency_set,
    currency_signs,
    minor_words,
    symbols,
    units,
)
from grounding_middleware.reading.values.page import Page

_MAX_SYMBOL: Final = 4  # tokens of the longest unit symbol: Mbit / s
_MAX_PREFIX: Final = 3  # tokens of the longest currency prefix: U . S . $ is folded to US$
# one-letter and two-letter symbols that are also words: only glued to the number
_GLUED_ONLY: Final = frozenset({"us", "A", "B", "C", "F", "pp", "bp", "a", "in", "K", "b", "u"})
_ENGLISH_CODES: Final = frozenset({"ALL", "TRY", "TOP", "CUP", "PEN", "SOS", "MOP", "LAK", "BAM", "GEL", "MAD"})


@dataclass(frozen=True, slots=True)
class Measure:
    """Tokens up to `last`, text up to `end`: a unit or a currency (`minor` for cents)."""

    last: int
    end: int
    text: str
    unit: Unit | None = None
    currency: frozenset[str] = frozenset()
    minor: bool = False


def unit_at(page: Page, index: int, *, glued: bool = False) -> Measure | None:
    """The unit that starts at token `index`; `glued` when nothing stands between it and the number."""
    scan = page.scan
    shape = scan.shape(index)
    if shape not in ("w", "s") or page.taken[index]:
        return None
    found = _symbol_at(page, index, glued=glued)
    if found:
        return found
    hit = page.phrase_at(page.lexicon.units, index)
    if hit is None:
        return _degree_at(page, index)
    last, key = hit
    if key == "in" and scan.word(index) == "in":
        return None
    return _measure(page, index, last, key)


def _measure(page: Page, index: int, last: int, key: str) -> Measure | None:
    unit = units().get(key)
    scan = page.scan
    if unit is None:
        return None
    return Measure(last, scan.ends[last], scan.text[scan.starts[index] : scan.ends[last]], unit)


def _symbol_at(page: Page, index: int, *, glued: bool) -> Measure | None:
    """Longest run of glued tokens that is a unit symbol exactly as written, and no part of a longer word."""
    scan, table = page.scan, symbols()
    best = None
    last = index
    for _ in range(_MAX_SYMBOL):
        piece = scan.text[scan.starts[index] : scan.ends[last]]
        if piece in table and not (scan.glued(last) and scan.shape(last + 1) in ("w", "d") and scan.shape(last) == "w"):
            best = (last, piece)
        if not scan.glued(last) or last + 1 >= len(scan):
            break
        last += 1
    if best is None or (best[1] in _GLUED_ONLY and not glued):
        return None
    if len(best[1]) == 1 and scan.word(best[0] + 1) in ("'", "’", "&") and scan.glued(best[0]):
        return None
    return _measure(page, index, best[0], table[best[1]])


def _degree_at(page: Page, index: int) -> Measure | None:
    """° C and ° F with a space between."""
    scan = page.scan
    if scan.word(index) in ("°", "º") and scan.raw(index + 1) in ("C", "F") and scan.gap(index) in ("", " ", "\u00a0"):
        return _measure(page, index, index + 1, "degC" if scan.raw(index + 1) == "C" else "degF")
    return None


def money_before(page: Page, index: int) -> tuple[int, frozenset[str]] | None:
    """The currency sign, prefix or code that ends at token `index - 1`: its first token and its codes."""
    scan, table = page.scan, currency_signs()
    last = index - 1
    if last < 0 or page.taken[last] or "\n" in scan.gap(last):
        return None
    best = None
    first = last
    for _ in range(_MAX_PREFIX):
        piece = scan.text[scan.starts[first] : scan.ends[last]].replace(" ", "").replace("\u00a0", "")
        alone = (
            first == 0
            or not scan.glued(first - 1)
            or scan.shape(first - 1) not in ("w", "d")
            or scan.shape(first) == "s"
        )
        if piece in table and alone and not (piece in _ENGLISH_CODES and not _looks_like_code(page, first)):
            best = (first, table[piece])
        if first == 0 or page.taken[first - 1] or scan.gap(first - 1) not in ("", " ", "\u00a0"):
            break
        first -= 1
    if best and len(scan.raw(best[0])) == 1 and scan.shape(best[0]) == "w" and not scan.glued(last):
        return None  # "R 5" only glued
    return best


def _looks_like_code(page: Page, index: int) -> bool:
    """ALL, TRY, TOP are words in a headline; a code when its neighbours are not written in capitals."""
    around = page.scan.raw(index - 1)
    return not (around.isupper() and len(around) > 1)


def money_at(page: Page, index: int) -> Measure | None:
    """The currency that starts at token `index`, behind its number."""
    scan = page.scan
    if scan.shape(index) not in ("w", "s") or page.taken[index]:
        return None
    hit = page.phrase_at(page.lexicon.money, index)
    sign = _sign_at(page, index)
    if hit and (sign is None or hit[0] >= sign.last):
        last, name = hit
        minor = scan.word(index) in minor_words()
        return Measure(
            last, scan.ends[last], scan.text[scan.starts[index] : scan.ends[last]], None, currency_set(name), minor
        )
    return sign


def _sign_at(page: Page, index: int) -> Measure | None:
    scan, table = page.scan, currency_signs()
    best = None
    last = index
    for _ in range(_MAX_PREFIX):
        piece = scan.text[scan.starts[index] : scan.ends[last]]
        whole = not (scan.glued(last) and scan.shape(last) == "w" and scan.shape(last + 1) in ("w", "d"))
        if piece in table and whole and not (len(piece) == 1 and piece.isalpha()):
            best = last
        if not scan.glued(last) or last + 1 >= len(scan):
            break
        last += 1
    if best is None:
        return None
    text = scan.text[scan.starts[index] : scan.ends[best]]
    if scan.shape(best + 1) == "d" and scan.glued(best) and not text.isalpha():
        return None  # "5 $10": the sign belongs to the next number
    return Measure(best, scan.ends[best], text, None, table[text], minor=text in minor_words())


def cjk_measure(page: Page, text: str, position: int, end: int) -> tuple[int, str | None, str | None] | None:
    """Longest CJK unit or currency at `position`: where it ends, the unit key or the currency set name."""
    lexicon = page.lexicon
    for length in range(min(6, end - position), 0, -1):
        piece = text[position : position + length]
        if piece in lexicon.cjk_units:
            return position + length, lexicon.cjk_units[piece], None
        if piece in lexicon.cjk_money:
            return position + length, None, lexicon.cjk_money[piece]
    return None
