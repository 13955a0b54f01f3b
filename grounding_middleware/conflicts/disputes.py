"""Statements of the evidence that another one contradicts, looked up by word and remembered for one answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from grounding_middleware.checks.binding import claimed
from grounding_middleware.checks.library import Library, Shelf
from grounding_middleware.conflicts.matter import same_matter
from grounding_middleware.conflicts.opposing import Difference, difference
from grounding_middleware.precedence import Criterion, Ruling, ruling
from grounding_middleware.reading.units import Unit
from grounding_middleware.records import Quote, Range

__all__ = ["Dispute", "Disputes", "at", "said", "stated"]

_TEXTS: Final = 8  # different sentences compared with one statement; those with most of its words
_PLACES: Final = 32  # passages that hold the same sentence; more of them say nothing new


@dataclass(frozen=True, slots=True)
class Dispute:
    """Two statements that cannot both hold. `difference` gives the places in the first and in the second."""

    first: Shelf
    second: Shelf
    difference: Difference


@dataclass(frozen=True)
class Disputes:
    """Who contradicts whom, and by which criteria one of them prevails; remembers what it has looked up.

    Belongs to one answer: the same evidence, read once.
    """

    precedence: Sequence[Criterion] = ()
    _memory: dict[int, tuple[Dispute, ...]] = field(default_factory=dict, repr=False, compare=False)

    def of(self, shelf: Shelf, library: Library) -> tuple[Dispute, ...]:
        """Every statement that contradicts this one, which stands first in each."""
        if shelf.number not in self._memory:
            self._memory[shelf.number] = tuple(_disputes(shelf, library))
        return self._memory[shelf.number]

    def ruling(self, one: Shelf, other: Shelf, library: Library) -> Ruling | None:
        """Which of the two spans prevails; None within one span, and where no criterion tells."""
        if one.span_id == other.span_id:
            return None
        spans = library.span(one.span_id), library.span(other.span_id)
        return ruling(*spans, self.precedence, library.requester)

    def prevails(self, one: Shelf, over: Sequence[Shelf], library: Library) -> bool:
        """Whether this statement prevails over each of the others."""
        rulings = [self.ruling(one, other, library) for other in over]
        return all(found is not None and found.prevails == one.span_id for found in rulings)


def at(library: Library, span_id: str, place: Range) -> list[Shelf]:
    """The whole statements of a span that this range lies in or runs over."""
    low, high = place
    return [
        shelf
        for shelf in library.shelves_of(span_id)
        if shelf.whole and shelf.unit.start < high and low < shelf.unit.end
    ]


def stated(shelf: Shelf, library: Library) -> Quote:
    """The statement as it stands in its span, without the white space around it."""
    unit = shelf.unit
    head, tail = len(unit.text) - len(unit.text.lstrip()), len(unit.text) - len(unit.text.rstrip())
    return said(shelf, (unit.start + head, unit.end - tail), library)


def said(shelf: Shelf, place: Range, library: Library) -> Quote:
    """The text at this place of the shelf's span."""
    low, high = place
    return Quote(span_id=shelf.span_id, start=low, end=high, text=library.span(shelf.span_id).text[low:high])


def _disputes(shelf: Shelf, library: Library) -> Iterator[Dispute]:
    if shelf.clause or not shelf.whole:
        return
    for places in library.alike(shelf.unit, _TEXTS):
        if not _comparable(shelf.unit, places[0].unit):
            continue
        for other in places[:_PLACES]:
            if _overlap(shelf, other) or not same_matter(shelf, other, library):
                continue
            found = difference(shelf.unit, other.unit, library)
            if found is not None:
                yield Dispute(shelf, other, found)


def _comparable(unit: Unit, other: Unit) -> bool:
    """As many values on both sides, and words enough in common; cheap, before anything is aligned."""
    if len(claimed(unit)) != len(claimed(other)):
        return False
    mine, theirs = sorted((unit, other), key=lambda one: len(one.items))
    missing = sum(item.keys.isdisjoint(theirs.known) for item in mine.items)
    return missing * 2 <= len(mine.items)


def _overlap(shelf: Shelf, other: Shelf) -> bool:
    same = shelf.span_id == other.span_id
    return same and shelf.unit.start < other.unit.end and other.unit.start < shelf.unit.end
