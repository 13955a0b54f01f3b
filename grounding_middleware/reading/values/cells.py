"""Values of table cells: what the cell leaves out is taken from its column header and the table's corner."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from grounding_middleware.reading.values.amounts import kind_of
from grounding_middleware.reading.values.headings import Heading, heading
from grounding_middleware.reading.values.model import Value, ValueKind
from grounding_middleware.reading.values.reader import find
from grounding_middleware.reading.values.tables import Unit

_BARE: Final = frozenset({ValueKind.NUMBER, ValueKind.COUNT})


def find_cell(text: str, header: str, corner: str = "", language: str = "en") -> tuple[Value, ...]:
    """Values of a cell with currency, scale and unit of its `header`, or of the `corner` where the header has none.

    Offsets index `text`, the cell. "3,250" under "EUR thousand" is 3.25 million euros; a year or a name in a cell, and
    a value that has its own unit, are left as they are.
    """
    above = heading(header, language).over(heading(corner, language))
    return tuple(_headed(value, above) for value in find(text, language))


def _headed(value: Value, above: Heading) -> Value:
    """The value with what its header adds; a percentage, date or named number keeps its own meaning."""
    if value.kind is ValueKind.DATE and (above.currency or above.unit):
        value = next((other for other in value.others if other.kind in _BARE), value)  # "2024" under "Price (EUR)"
    if value.kind is ValueKind.MONEY and not value.scale:
        return _grown(value, above)
    if value.kind not in _BARE or value.is_name:
        return value
    if above.currency:
        money = replace(value, kind=ValueKind.MONEY, dimension="money", unit=above.text, noun="", others=())
        return _grown(replace(money, currency=above.currency), above)
    return _measured(value, above.unit) if above.unit else _grown(value, above)


def _grown(value: Value, above: Heading) -> Value:
    """The value times the scale of its header."""
    if above.scale == 1:
        return value
    return replace(
        value,
        interval=value.interval.map(above.scale),
        quantum=value.quantum * above.scale,
        scale=above.scale_words,
        others=tuple(_grown(other, above) for other in value.others),
    )


def _measured(value: Value, unit: Unit) -> Value:
    """The bare number in the unit of its header."""
    return replace(
        value,
        kind=kind_of(unit.dimension),
        dimension=unit.dimension,
        unit=unit.key,
        unit_key=unit.key,
        interval=value.interval.map(unit.factor, unit.offset),
        quantum=value.quantum * unit.factor,
        noun="",
        others=tuple(_measured(other, unit) for other in value.others if other.kind in _BARE),
    )
