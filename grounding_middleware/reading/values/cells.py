"""Values of table cells: what the cell leaves out is taken from its column header and the table's corner."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.amounts import kind_of
from grounding_middleware.reading.values.lexicon import Lexicon, lexicon
from grounding_middleware.reading.values.model import Interval, Value, ValueKind
from grounding_middleware.reading.values.page import Page
from grounding_middleware.reading.values.reader import find
from grounding_middleware.reading.values.tables import Unit, currency_signs, symbols, units

_BARE: Final = frozenset({ValueKind.NUMBER, ValueKind.COUNT})
_SPLIT: Final = re.compile(r"[()\[\],;:/]|\s+-\s+")


@dataclass(frozen=True, slots=True)
class _Heading:
    """What a header says about every cell below it."""

    currency: frozenset[str] = frozenset()
    scale: Fraction = Fraction(1)
    scale_words: str = ""
    unit: Unit | None = None
    text: str = ""
    per: str = ""


def find_cell(text: str, header: str, corner: str = "", language: str = "en") -> tuple[Value, ...]:
    """Values of a cell with currency, scale and unit of its `header`, or of the `corner` where the header has none.

    Offsets index `text`, the cell. "3,250" under "EUR thousand" is 3.25 million euros; a year or a name in a cell, and
    a value that has its own unit, are left as they are.
    """
    words = lexicon(language)
    heading = _merged(_heading(header, words), _heading(corner, words))
    return tuple(_headed(value, heading) for value in find(text, language))


def _merged(own: _Heading, table: _Heading) -> _Heading:
    """The header first, the corner for what it leaves out; a unit in the header keeps the corner's currency away."""
    if own.unit:
        return own
    return _Heading(
        own.currency or table.currency,
        own.scale if own.scale != 1 else table.scale,
        own.scale_words or table.scale_words,
        own.unit if own.currency or own.unit else table.unit,
        own.text or table.text,
        own.per or table.per,
    )


def _heading(header: str, words: Lexicon) -> _Heading:
    """Currency, scale and unit a header names, in brackets or after a comma; prose in it is ignored."""
    page = Page.of(header, words.language)
    found = _Heading()
    pieces = [piece for piece in _SPLIT.split(header) if piece.strip()]
    bracketed = len(pieces) > 1 or len(header.split()) <= 2
    for index, folded in enumerate(page.scan.folded[: page.scan.size]):
        raw = page.scan.raw(index)
        if raw in currency_signs() and not (len(raw) == 1 and raw.isalpha()):
            found = replace(found, currency=currency_signs()[raw], text=raw)
        elif folded in words.scales and folded not in ("mm", "mi"):
            found = replace(found, scale=found.scale * words.scales[folded], scale_words=raw)
        elif bracketed and found.unit is None and found.scale == 1:
            found = replace(found, unit=_unit(page, index))
    return _glued(header, found)


def _unit(page: Page, index: int) -> Unit | None:
    """A unit symbol or unit word; a one-letter symbol only in brackets."""
    current = page.scan
    raw, before = current.raw(index), current.folded[index - 1]
    if raw in symbols() and (len(raw) > 1 or before == "(" or current.size == 1):
        joined = current.text[current.starts[index] :].rstrip(")]")
        key = symbols().get(joined, symbols()[raw])
        return units().get(key)
    hit = page.phrase_at(page.lexicon.units, index)
    return units().get(hit[1]) if hit and before in ("(", ",", "in", "[") else None


_GLUED: Final = re.compile(r"(?:^|[\s(\[])(k|m|bn|T|M|Mio|Mrd)?\s?(EUR|USD|GBP|CHF|€|\$|£)(k|m|M|bn)?(?=$|[\s)\]])")
_LETTERS: Final = {"k": 3, "T": 3, "m": 6, "M": 6, "Mio": 6, "bn": 9, "Mrd": 9}


def _glued(header: str, found: _Heading) -> _Heading:
    """€m, EUR bn, $k, TEUR, kEUR, "in '000"."""
    match = _GLUED.search(header)
    if match and found.scale == 1 and (match.group(1) or match.group(3)):
        power = _LETTERS[match.group(1) or match.group(3)]
        sign = match.group(2)
        found = replace(
            found,
            currency=currency_signs()[sign],
            scale=Fraction(10**power),
            text=sign,
            scale_words=match.group(1) or match.group(3),
        )
    if found.scale == 1 and re.search(r"['’]000\b|\b000s\b", header):
        found = replace(found, scale=Fraction(1000), scale_words="'000")
    return found


def _headed(value: Value, heading: _Heading) -> Value:
    """The value with what its header adds; a percentage, date or named number keeps its own meaning."""
    if (
        value.kind is ValueKind.DATE
        and value.others
        and (heading.currency or heading.unit)
        and value.date
        and not value.date.month
    ):
        value = next((other for other in value.others if other.kind in _BARE), value)
    if value.kind is ValueKind.MONEY and not value.scale and heading.scale != 1:
        return _grown(value, heading, value.currency)
    if value.kind not in _BARE or value.is_name:
        return value
    if heading.currency:
        return _grown(
            replace(value, kind=ValueKind.MONEY, dimension="money", unit=heading.text, noun=""),
            heading,
            heading.currency,
        )
    if heading.unit:
        return _measured(value, heading.unit)
    return _grown(value, heading, frozenset()) if heading.scale != 1 else value


def _grown(value: Value, heading: _Heading, currency: frozenset[str]) -> Value:
    return replace(
        value,
        currency=currency,
        interval=value.interval.map(heading.scale),
        quantum=value.quantum * heading.scale,
        scale=value.scale or heading.scale_words,
        others=tuple(
            _grown(replace(other, kind=value.kind, dimension=value.dimension), heading, currency)
            for other in value.others
            if other.kind in _BARE
        ),
    )


def _measured(value: Value, unit: Unit) -> Value:
    interval = value.interval
    low = None if interval.low is None else interval.low * unit.factor + unit.offset
    high = None if interval.high is None else interval.high * unit.factor + unit.offset
    return replace(
        value,
        kind=kind_of(unit.dimension),
        dimension=unit.dimension,
        unit=unit.key,
        unit_key=unit.key,
        interval=Interval(low, high, interval.low_open, interval.high_open),
        quantum=value.quantum * unit.factor,
        noun="",
        others=tuple(_measured(other, unit) for other in value.others if other.kind in _BARE),
    )
