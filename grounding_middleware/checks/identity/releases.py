"""Years of works: what "is a 1989 film" was not released in 1999.

A work dated to a year may come out a little later, and come out again: only a bare "was released in Y" is compared, and
only with a year that lies apart.
"""

from __future__ import annotations

from typing import Final

from grounding_middleware.checks.binding import claimed
from grounding_middleware.checks.identity.definition import Definition, same_name, subject_names
from grounding_middleware.checks.identity.vocabulary import kind
from grounding_middleware.reading.units import Unit
from grounding_middleware.reading.values import Value, ValueKind

_VERBS: Final = frozenset(
    {"released", "premiered", "published", "aired", "debuted", "made", "produced", "shot", "filmed"}
)
_PHRASES: Final = (("came", "out"), ("come", "out"), ("was", "from"), ("is", "from"))
_APART: Final = 1  # years between the date of a work and its release that say nothing


def released(claim: Unit, source: Definition) -> tuple[Value, Value] | None:
    """The year the claim has a work come out in and the one its definition gives, when they lie apart."""
    if source.denied or not any((found := kind(head.norm)) and found.group == "work" for head in source.heads):
        return None
    mine = _told(claim)
    years = [value for value in source.unit.values if _year(value) and source.copula.end <= value.start < source.end]
    if mine is None or len(years) != 1 or not any(same_name(name, other) for name in mine[0] for other in source.names):
        return None
    said, given = _year(mine[1]), _year(years[0])
    return (mine[1], years[0]) if said and given and abs(said - given) > _APART else None


def _told(unit: Unit) -> tuple[tuple[tuple[str, ...], ...], Value] | None:
    """The names and the date of a claim that says no more than that a thing came out then."""
    values = claimed(unit)
    if len(values) != 1 or values[0].bound or not _year(values[0]) or unit.cues:
        return None
    norms = [token.norm for token in unit.tokens]
    at = next((n for n, norm in enumerate(norms) if norm in _VERBS or tuple(norms[n : n + 2]) in _PHRASES), None)
    if at is None or any(item.position > at and item.start < values[0].start for item in unit.items):
        return None
    if any(item.start >= values[0].end for item in unit.items):
        return None
    return tuple(subject_names(unit.tokens[:at])), values[0]


def _year(value: Value) -> int | None:
    if value.kind is not ValueKind.DATE or value.date is None or value.date_to or value.date.year_to:
        return None
    return value.date.year
