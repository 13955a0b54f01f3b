"""Abstentions (CL-6): "the documents do not say whether X" is wrong when a document plainly states X."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.alignment import align
from grounding_middleware.checks.library import Library
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.records import Quote

_MIN_TOPIC: Final = 2  # content words a topic needs before a sentence can be called its answer


def answered(unit: Unit, library: Library) -> Quote | None:
    """The unit that states what the abstention calls unstated; None when no unit holds its whole topic."""
    topic = topic_of(unit)
    if len(topic) < _MIN_TOPIC:
        return None
    everything = frozenset(span_id for _, span_id in library.all_units())
    for shelf in library.candidates(unit, everything):
        found = align(unit, shelf.unit, shelf.span_id)
        matched = {id(here) for here, _ in found.pairs}
        if all(id(item) in matched for item in topic):
            span = library.span(shelf.span_id)
            return Quote(
                span_id=span.id,
                start=shelf.unit.start,
                end=shelf.unit.end,
                text=span.text[shelf.unit.start : shelf.unit.end],
            )
    return None


def topic_of(unit: Unit) -> tuple[Item, ...]:
    """The words after the last negation: what is said to be missing ("do not say | whether ...")."""
    negations = unit.of("negation")
    if not negations:
        return ()
    return tuple(_after(unit, negations[0].position))


def _after(unit: Unit, position: int) -> Iterator[Item]:
    """Skips the verb of saying itself, which stands next to the negation."""
    following = [item for item in unit.items if item.position > position]
    yield from following[1:]
