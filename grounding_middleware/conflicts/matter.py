"""Whether two statements with the same words are about the same thing, as far as what stands around them tells."""

from __future__ import annotations

import re
from typing import Final

from grounding_middleware.checks.belonging import other_owners
from grounding_middleware.checks.library import Library, Shelf
from grounding_middleware.conflicts.words import vocabulary
from grounding_middleware.reading.subjects import leans_back
from grounding_middleware.reading.units import Unit
from grounding_middleware.records import Span

__all__ = ["same_matter"]

_Keys = frozenset[str]
_MODEL: Final = re.compile(r"[^\W\d_] (\d{1,6})\b")  # "Heron 300"; not "2 Period"
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20|21)\d\d(?!\d)")


def same_matter(one: Shelf, other: Shelf, library: Library) -> bool:
    """False when audience, section title or the subject of a pronoun tells the two apart."""
    spans = library.span(one.span_id), library.span(other.span_id)
    within = one.span_id == other.span_id
    return (
        _same_audience(*spans)
        and _same_title(one.unit, other.unit, spans)
        and _same_subject(one.unit, other.unit)
        and not (within and other_owners(one, other))
    )


def _same_audience(one: Span, other: Span) -> bool:
    """No attribute of which they name different values; one that names none is for everybody."""
    both = one.audience.keys() & other.audience.keys()
    return all(_values(one.audience[key]) & _values(other.audience[key]) for key in both)


def _values(given: object) -> frozenset[str]:
    values = given if isinstance(given, list | tuple | set | frozenset) else (given,)
    return frozenset(map(str, values))


def _same_title(one: Unit, other: Unit, spans: tuple[Span, Span]) -> bool:
    """Titles that differ set two sections of one document apart.

    Between documents only years do, and a pair such as "Basic plan" and "Pro plan": authors name sections as they like.
    """
    years = [frozenset(_YEAR.findall(span.section)) for span in spans]
    if spans[0].source_id != spans[1].source_id and all(years) and years[0] != years[1]:
        return False
    models = [frozenset(_MODEL.findall(span.section)) for span in spans]
    if all(models) and models[0] != models[1]:
        return False
    mine, theirs = _topic(one, other), _topic(other, one)
    if mine == theirs:
        return True
    if (spans[0].source_id, spans[0].version) == (spans[1].source_id, spans[1].version):
        return False
    return not (mine & theirs and mine - theirs and theirs - mine)


def _topic(unit: Unit, other: Unit) -> _Keys:
    """The words of its title that say what it is about, beyond what the statements themselves say."""
    return unit.title - unit.keys - other.keys - vocabulary(unit.language).parts if unit.title else unit.title


def _same_subject(one: Unit, other: Unit) -> bool:
    """A statement that begins with "It" is about what the sentence before it names; unknown is not the same."""
    leaning = [unit for unit in (one, other) if leans_back(unit)]
    if not leaning:
        return True
    if len(leaning) == 1:
        there = other if leaning[0] is one else one
        named = frozenset(key for item in there.items for key in item.keys)
        return bool(leaning[0].context & named)
    apart = one.context - other.context and other.context - one.context
    return bool(one.context & other.context) and not apart
