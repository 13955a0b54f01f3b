"""What a column header or table corner says about its cells: currency, scale and unit ("EUR thousand", "Load (kg)")."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.page import Page
from grounding_middleware.reading.values.tables import Unit, currency_set, currency_signs, symbols, units

_SPLIT: Final = re.compile(r"[()\[\],;:/（）【】]|\s+-\s+")
_COMPACT: Final = re.compile(r"(?:^|[\s(\[])(k|m|bn|T|M|Mio|Mrd)?\s?(EUR|USD|GBP|CHF|€|\$|£)(k|m|M|bn)?(?=$|[\s)\]])")
_LETTERS: Final = {"k": 3, "T": 3, "m": 6, "M": 6, "Mio": 6, "bn": 9, "Mrd": 9}
_THOUSANDS: Final = re.compile(r"['’]000\b|\b000s\b")
_NO_SCALES: Final = frozenset({"mm", "mi"})  # units in a header, though "$5 mm" is five million
_INTRODUCERS: Final = frozenset(("(", "[", ",", "in", "（", "en", "em"))


@dataclass(frozen=True, slots=True)
class Heading:
    """What holds for every cell below; empty where the header does not say."""

    currency: frozenset[str] = frozenset()
    text: str = ""
    scale: Fraction = Fraction(1)
    scale_words: str = ""
    unit: Unit | None = None

    def over(self, table: Heading) -> Heading:
        """This heading, and what `table` adds to it; a unit of one's own keeps the table's currency away."""
        if self.unit:
            return self
        scaled = self if self.scale != 1 else table
        return Heading(
            self.currency or table.currency,
            self.text or table.text,
            scaled.scale,
            scaled.scale_words,
            None if self.currency else table.unit,
        )


def heading(header: str, language: str) -> Heading:
    """Currency, scale and unit that `header` names; units only in brackets, after a comma or alone, not in prose."""
    page = Page.of(header, language)
    found = _compact(header)
    bracketed = len([piece for piece in _SPLIT.split(header) if piece.strip()]) > 1 or len(header.split()) <= 2
    for index in range(page.scan.size):
        found = _word(page, index, found, units_too=bracketed)
    return found


def _word(page: Page, index: int, found: Heading, *, units_too: bool) -> Heading:
    raw, folded = page.scan.raw(index), page.scan.folded[index]
    money = _currency(page, index)
    if money:
        return replace(found, currency=money, text=raw)
    if folded in page.lexicon.scales and folded not in _NO_SCALES and not found.scale_words:
        return replace(found, scale=page.lexicon.scales[folded], scale_words=raw)
    if units_too and found.unit is None and found.scale == 1:
        return replace(found, unit=_unit(page, index))
    return found


def _currency(page: Page, index: int) -> frozenset[str]:
    """A sign, a code, or a word such as "euros" or 円."""
    raw = page.scan.raw(index)
    if raw in currency_signs() and not (len(raw) == 1 and raw.isalpha()):
        return currency_signs()[raw]
    if page.scan.shapes[index] == "c":
        return next(
            (currency_set(name) for word, name in page.lexicon.cjk_money.items() if raw.endswith(word)), frozenset()
        )
    hit = page.phrase_at(page.lexicon.money, index)
    return currency_set(hit[1]) if hit else frozenset()


def _unit(page: Page, index: int) -> Unit | None:
    """A unit symbol of two letters or in brackets, or an introduced unit word."""
    scan = page.scan
    raw, before = scan.raw(index), scan.folded[index - 1]
    if raw in symbols() and (len(raw) > 1 or before in ("(", "[") or scan.size == 1):
        joined = scan.text[scan.starts[index] :].rstrip(")]")  # "km/h", "°C"
        return units().get(symbols().get(joined, symbols()[raw]))
    hit = page.phrase_at(page.lexicon.units, index)
    return units().get(hit[1]) if hit and before in _INTRODUCERS else None


def _compact(header: str) -> Heading:
    """€m, EUR bn, $k, TEUR, kEUR, "in '000"."""
    match = _COMPACT.search(header)
    letters = match.group(1) or match.group(3) if match else None
    if match and letters:
        sign = match.group(2)
        return Heading(currency_signs()[sign], sign, Fraction(10 ** _LETTERS[letters]), letters)
    return Heading(scale=Fraction(1000), scale_words="'000") if _THOUSANDS.search(header) else Heading()
