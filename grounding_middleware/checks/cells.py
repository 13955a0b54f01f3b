"""The right number from the wrong cell of a table (CH-1): another row's, or another column's.

The row is told by its label, all of which the claim must name; the column by the words that set its header apart from
the others. How the claim puts it ("patients pay", "leaves at") does not matter: no other cell can hold the value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from grounding_middleware.checks.case import Case
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.tables import cells
from grounding_middleware.reading.tokens import Shape
from grounding_middleware.reading.units import Unit
from grounding_middleware.reading.values import Relation, Value, ValueKind, compare

_MOST: Final = 400  # cells looked at; larger tables are left to the judge
_MIN_LABEL: Final = 3  # letters of a label's longest word: "A", "12" and "No" name no row in a sentence


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its row (start of the row's text), the words of label and header, and the values it holds."""

    span_id: str
    row: int
    label: tuple[frozenset[str], ...]
    header: tuple[frozenset[str], ...]
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Misplaced:
    """The claim's value stands in another cell than `right`, whose value is `own`."""

    right: Cell
    own: Value


def misplaced(case: Case, value: Value) -> Misplaced | None:
    """The cell the claim is about, when the value it gives stands in another one of the same table."""
    span_id = next((one.span_id for one in case.alignments if one.source.tabular), "")
    if not span_id or value.approx or value.bound or case.unit.of("negation"):
        return None
    table = list(_cells(case, span_id))
    said = _said(case.unit)
    mine = [cell for cell in table if all(word & said for word in cell.label)]
    if not mine or len(table) > _MOST or len({cell.row for cell in mine}) > 1 or _told_in_prose(case, value):
        return None
    homes = [cell for cell in table if any(_same(value, other) for other in cell.values)]
    inside = [cell for cell in homes if cell.row == mine[0].row]
    if not inside:
        return _differing(value, [cell for cell in mine if any(cell.header == home.header for home in homes)])
    columns = {cell.header for cell in mine if any(_sort(own) is _sort(value) for own in cell.values)}
    named = [cell for cell in mine if _named(cell, columns, said)]
    if len(named) == 1 and named[0] not in inside and not any(_named(cell, columns, said) for cell in inside):
        return _differing(value, named)
    return None


def _cells(case: Case, span_id: str) -> Iterator[Cell]:
    text = case.library.span(span_id).text
    for unit, _ in case.library.units_of((span_id,)):
        if not unit.tabular:
            continue
        label = cells(text, (unit.start, unit.end))[0]
        words = lexicon(unit.language)
        parts = [token for token in unit.tokens if token.shape is not Shape.PUNCT and token.norm not in words.function]
        named = tuple(words.forms(token.norm) for token in parts if label[0] <= token.start < label[1])
        header = tuple(words.forms(t.norm) for t in parts if not unit.start <= t.start < unit.end)
        values = tuple(value for value in unit.values if label[1] <= value.start < unit.end)
        if header and any(len(form) >= _MIN_LABEL and form.isalpha() for word in named for form in word):
            yield Cell(span_id, unit.start, named, header, values)


def _said(claim: Unit) -> frozenset[str]:
    words = lexicon(claim.language)
    return frozenset(form for token in claim.tokens for form in words.forms(token.norm))


def _named(cell: Cell, columns: set[tuple[frozenset[str], ...]], said: frozenset[str]) -> bool:
    """The claim has every word that sets the header apart from those of like columns, and there is one."""
    own = [word for word in cell.header if any(word not in other for other in columns)]
    return bool(own) and all(word & said for word in own)


def _differing(value: Value, right: Sequence[Cell]) -> Misplaced | None:
    """The one cell the value should come from, if it holds one value of that sort and it is another."""
    found = [(cell, own) for cell in right for own in cell.values if _sort(own) is _sort(value)]
    if len(found) != 1 or compare(_bare(value), _bare(found[0][1])).relation is not Relation.DISJOINT:
        return None
    return Misplaced(*found[0])


def _same(value: Value, other: Value) -> bool:
    return _sort(value) is _sort(other) and compare(_bare(value), _bare(other)).relation is Relation.ENTAILED


def _sort(value: Value) -> ValueKind:
    return ValueKind.COUNT if value.kind is ValueKind.NUMBER else value.kind


def _bare(value: Value) -> Value:
    """Without "per month": in a table the column says it."""
    return replace(value, per="")


def _told_in_prose(case: Case, value: Value) -> bool:
    units = case.library.units_of(case.cited)
    return any(_same(value, other) for unit, _ in units if not _row(unit) for other in unit.values)


def _row(unit: Unit) -> bool:
    return unit.tabular or "|" in unit.text
