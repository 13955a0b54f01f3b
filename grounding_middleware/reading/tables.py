"""Table cells as units: a row label, a column header and a cell say what a sentence says (CL-2, CH-1).

The subject of a cell is the row's first cell, its property the column header with unit, currency and scale.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from grounding_middleware.reading.reader import read
from grounding_middleware.reading.units import Item, Segment, Unit
from grounding_middleware.reading.values import Value, find_cell
from grounding_middleware.records import Range

_PIPE: Final = re.compile(r"(?<!\\)\|")
_IN_BRACKETS: Final = re.compile(r"[(\[][^)\]]{0,80}[)\]]")
_MAX_CELLS: Final = 64  # of one row; wider tables are read as text


def cells(text: str, line: Range) -> tuple[Range, ...]:
    """The ranges of the cells of one table line, without white space; empty cells keep their place as empty ranges."""
    start, end = line
    edges = [start - 1, *(match.start() for match in _PIPE.finditer(text, start, end)), end]
    found = [_trimmed(text, low + 1, high) for low, high in pairwise(edges)]
    first = 1 if found and found[0][0] == found[0][1] and text[start : start + 1] == "|" else 0
    last = (
        len(found) - 1 if len(found) > 1 and found[-1][0] == found[-1][1] and text[end - 1 : end] == "|" else len(found)
    )
    return tuple(found[first:last])


def read_lines(text: str, lines: Iterable[Range], language: str) -> dict[Range, Unit]:
    """Every cell of these table lines, read in one pass over `text`; the range of a cell gives its unit."""
    places = sorted({cell for line in lines for cell in cells(text, line)})
    return dict(zip(places, read(text, places, language), strict=True))


def cell_units(text: str, row: Range, header: Range, known: Mapping[Range, Unit]) -> tuple[Unit, ...]:
    """One unit for each cell of `row` but the first: label, header and cell together, over the range of the row."""
    titles, values = cells(text, header), cells(text, row)
    if len(titles) != len(values) or not 1 < len(values) <= _MAX_CELLS:
        return ()
    corner, label = text[slice(*titles[0])], known[values[0]]
    above = frozenset(key for item in known[titles[0]].items for key in item.keys)  # "Tariff", above "Midi"
    return tuple(
        replace(
            _joined(
                text,
                row,
                (label, known[title], known[cell]),
                _headed(text, cell, text[slice(*title)], corner, label.language),
            ),
            title=above,
        )
        for title, cell in zip(titles[1:], values[1:], strict=True)
        if cell[0] < cell[1]
    )


def row_units(text: str, row: Range, header: str, language: str) -> tuple[Unit, ...]:
    """As `cell_units` for a row of an answer whose header row is only known as text: its words have the row's place."""
    titles, values = cells(header, (0, len(header))), cells(text, row)
    if len(titles) != len(values) or not 1 < len(values) <= _MAX_CELLS:
        return ()
    read_cells = read(text, values, language)
    read_titles = [_placed(unit, values[n]) for n, unit in enumerate(read(header, titles, language))]
    shown = [header[slice(*title)] for title in titles]
    return tuple(
        _joined(
            text,
            values[n],
            (read_cells[0], read_titles[n], read_cells[n]),
            _headed(text, values[n], shown[n], shown[0], language),
        )
        for n in range(1, len(values))
        if values[n][0] < values[n][1]
    )


def _placed(unit: Unit, at: Range) -> Unit:
    """A unit read elsewhere, put at the range it is said of; words in brackets (units) are left out."""
    brackets = [match.span() for match in _IN_BRACKETS.finditer(unit.text)]
    kept = (item for item in unit.items if not any(low <= item.start - unit.start < high for low, high in brackets))
    items = tuple(replace(item, start=at[0], end=at[1]) for item in kept)
    return replace(unit, items=items, cues=(), values=(), start=at[0], end=at[1], tokens=())


def _headed(text: str, cell: Range, title: str, corner: str, language: str) -> tuple[Value, ...]:
    return tuple(moved(value, cell[0]) for value in find_cell(text[slice(*cell)], title, corner, language))


def moved(value: Value, offset: int) -> Value:
    """The value with offsets of a longer text."""
    low, high = value.phrase
    return replace(value, start=value.start + offset, end=value.end + offset, phrase=(low + offset, high + offset))


def _joined(text: str, row: Range, parts: Sequence[Unit], values: tuple[Value, ...]) -> Unit:
    label = parts[0]
    return Unit(
        text=text[slice(*row)],
        start=row[0],
        end=row[1],
        language=label.language,
        items=tuple(_renumbered(text, parts)),
        cues=tuple(replace(cue, segment=0) for part in (label, parts[2]) for cue in part.cues),
        values=(*label.values, *parts[1].values, *values),
        segments=(Segment(*row),),
        tokens=tuple(token for part in parts for token in part.tokens),
        tabular=True,
    )


def _renumbered(text: str, parts: Sequence[Unit]) -> Iterator[Item]:
    """Items in reading order; what a header says in brackets (unit, currency) belongs to the value."""
    title = parts[1]
    hidden = [match.span() for match in _IN_BRACKETS.finditer(text, title.start, title.end)]
    position = 0
    for part in parts:
        for item in part.items:
            if not any(low <= item.start < high for low, high in hidden):
                yield replace(item, segment=0, position=position)
                position += 1


def _trimmed(text: str, start: int, end: int) -> Range:
    piece = text[start:end]
    left = start + len(piece) - len(piece.lstrip())
    return left, max(left, end - len(piece) + len(piece.rstrip()))
