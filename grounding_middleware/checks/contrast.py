"""Contrasted members of one sentence: "A is covered, B is not", "A runs for 24 months, B for 12".

The second member leaves out what it shares with the first. A claim that says of the second what the sentence says of
the first takes its words from both: from the second what sets it apart, from the first the rest but for what it names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from grounding_middleware.checks.alignment import Alignment, Pair
from grounding_middleware.checks.binding import lacks_value
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.reading.values import Relation, Value, compare

_MEMBERS: Final = 2


@dataclass(frozen=True, slots=True)
class Contrast:
    """The segment of each member, and the word (or value) of the claim that only the second one has."""

    first: int
    second: int
    own: Item | Value


def contrast(alignment: Alignment, besides: Value | None = None) -> Contrast | None:
    """The two members the claim's words come from, when it has all of the second one and replaces a word of the first.

    `besides` is the value in question: all other values of the claim count among its words.
    """
    if not alignment.anchored or alignment.opposed or alignment.by_context or alignment.by_title:
        return None
    values = _values_at_home(alignment, besides)
    touched = sorted(alignment.touched | {home for _, home in values})
    if len(touched) != _MEMBERS or not _adjoin(alignment.source, *touched):
        return None
    first, second = touched
    said = {key for item in alignment.claim.items for key in item.keys}
    left = [item for item in alignment.source_left if not item.keys & said]
    foils = [item for item in left if item.segment == first]
    if not foils or any(item.segment == second for item in left):
        return None
    own = _own(alignment, first, second, foils) or next((value for value, home in values if home == second), None)
    return Contrast(first, second, own) if own else None


def _values_at_home(alignment: Alignment, besides: Value | None) -> list[tuple[Value, int]]:
    """The claim's other values that one segment of the source alone states, with that segment."""
    source = alignment.source
    found: list[tuple[Value, int]] = []
    for value in alignment.claim.values:
        stated = [other for other in source.values if compare(value, other).relation is Relation.ENTAILED]
        homes = {source.segment_at(other.start) for other in stated}
        if value is not besides and not value.is_name and len(homes) == 1:
            found.append((value, homes.pop()))
    return found


def _adjoin(source: Unit, first: int, second: int) -> bool:
    """Nothing is said between the two segments."""
    return not any(first < item.segment < second for item in source.items)


def _own(alignment: Alignment, first: int, second: int, foils: Sequence[Item]) -> Item | None:
    """A word the second member has instead of a word of the first: introduced by the same preposition."""
    shared = {key for item in alignment.source.items if item.segment == first for key in item.keys}
    pairs: list[Pair] = [pair for pair in alignment.pairs if pair[1].segment == second and not pair[1].keys & shared]
    return next((here for here, there in pairs if any(foil.prep == there.prep for foil in foils)), None)


def rival_of(alignment: Alignment, value: Value, stated: Sequence[Value]) -> tuple[Item | Value, Value] | None:
    """What the claim names of the second member, and its value, when the claim gives it the value of the first."""
    source = alignment.source
    found = contrast(alignment, value)
    if found is None or any(source.segment_at(other.start) != found.first for other in stated):
        return None
    last = min((item.segment for item in source.items if item.segment > found.second), default=len(source.segments))
    values = [
        other
        for other in source.values
        if found.second <= source.segment_at(other.start) < last and other.kind is value.kind and other is not found.own
    ]
    if len(values) != 1 or compare(value, values[0]).relation is Relation.ENTAILED:
        return None
    if compare(value, values[0]).relation is not Relation.DISJOINT and not _looser(value, values[0]):
        return None
    if lacks_value(alignment, found.second, values[0]):
        return None  # "in 2024 it came to ..." is set apart by its year
    others = [own for own in alignment.claim.values if own is not value]
    if any(compare(own, values[0]).relation is Relation.ENTAILED for own in others):
        return None  # the claim gives the second member its own value, and `value` to the first
    return found.own, values[0]


def _looser(value: Value, other: Value) -> bool:
    """A limit told of the first member, a plain amount within it of the second: "up to 72 hours, urine 24 hours"."""
    return value.bound is not None and other.bound is None and other.interval.within(value.interval)


def finite(unit: Unit, segment: int) -> bool:
    """An auxiliary or a modal stands in the segment: it is a clause, not one more thing on a list."""
    words = lexicon(unit.language)
    inside = unit.segments[segment]
    verbs = any(inside.start <= token.start < inside.end and token.norm in words.auxiliaries for token in unit.tokens)
    return verbs or any(cue.segment == segment for cue in unit.of("modality"))
