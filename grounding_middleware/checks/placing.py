"""Whether a claim leaves everything where the source has it: each value with its words, each phrase with its head.

All words and values of a claim may stand in one sentence that says something else: "adults pay 5 euros and children 8"
is no restatement of "adults pay 8 euros and children 5", nor is "the guests may use the kitchen in the annex" one of
"the guests in the annex may use the kitchen".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from grounding_middleware.checks.alignment import Alignment, Pair
from grounding_middleware.checks.binding import claimed
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.reading.values import Relation, Value, ValueKind, compare

_FEWEST: Final = 2
OF: Final = frozenset({"of", "von", "de", "du", "des", "di", "del", "della", "van", "do", "da", "dos", "das"})
"""Prepositions that belong to the noun before them, wherever the phrase stands."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A word or value of the claim, the segments it stands in and where it begins on either side."""

    segment: int
    home: int
    start: int
    there: int
    value: Value | None = None


def in_place(alignment: Alignment) -> bool:
    """True if no value of the claim and no prepositional phrase went to other words than it has in the source."""
    return values_in_place(alignment) and _phrases_in_place(alignment)


def values_in_place(alignment: Alignment) -> bool:
    """Where values of one sort could be taken for each other, each stands among the words it has in the source.

    Whole segments may change places: "children pay 5 euros and adults pay 8 euros".
    """
    placed = list(_placed(alignment))
    rivals = set(_rivals(placed))
    return not rivals or all(
        _moved_whole(placed, one, two) for one, two in inverted(placed) if {one.value, two.value} & rivals
    )


def exchanged(alignment: Alignment) -> tuple[Value, Value] | None:
    """Two values of one sort that changed places while all words kept theirs; None if a value or word has no place.

    Values with nothing between them are a list, whose order says nothing.
    """
    placed = list(_placed(alignment))
    if sum(one.value is not None for one in placed) < len(claimed(alignment.claim)):
        return None
    for sort in {_sort(value) for value in _rivals(placed)}:
        rest = [one for one in placed if one.value is None or _sort(one.value) != sort]
        if any(inverted(rest)):
            continue
        for one, two in inverted([one for one in placed if one.value is not None and _sort(one.value) == sort]):
            between = any(one.start < word.start < two.start and two.there < word.there < one.there for word in rest)
            if between and one.value and two.value:
                return one.value, two.value
    return None


def inverted(placed: Sequence[Placed]) -> Iterator[tuple[Placed, Placed]]:
    """Pairs that stand in one order in the claim and in the other in the source."""
    return ((one, two) for one, two in combinations(placed, 2) if one.there > two.there)


def _placed(alignment: Alignment) -> Iterator[Placed]:
    """The matched words and values of the claim in its order; a value goes to the next free one that states it."""
    source = alignment.source
    found = [Placed(here.segment, there.segment, here.start, there.start) for here, there in alignment.pairs]
    free = [other for other in source.values if not other.is_name]
    for value in claimed(alignment.claim):
        states = [other for other in free if compare(value, other).relation is Relation.ENTAILED]
        if states:
            other = states[0]
            free.remove(other)
            homes = alignment.claim.segment_at(value.start), source.segment_at(other.start)
            found.append(Placed(*homes, value.start, other.start, value))
    return iter(sorted(found, key=lambda one: one.start))


def _rivals(placed: Sequence[Placed]) -> Iterator[Value]:
    """Values of which the claim has another of the same sort."""
    values = [one.value for one in placed if one.value is not None]
    return (value for value in values if sum(_sort(other) == _sort(value) for other in values) >= _FEWEST)


def _sort(value: Value) -> ValueKind:
    return ValueKind.COUNT if value.kind is ValueKind.NUMBER else value.kind


def _moved_whole(placed: Sequence[Placed], one: Placed, two: Placed) -> bool:
    """The segments of both changed places with all they hold."""
    if one.segment == two.segment or one.home == two.home:
        return False
    return all(len({each.home for each in placed if each.segment == own.segment}) == 1 for own in (one, two))


def _phrases_in_place(alignment: Alignment) -> bool:
    """A phrase with "of" keeps its noun; any other may move from the beginning to the end of its clause, no more.

    No two words or phrases of one kind take turns.
    """
    for pair in alignment.pairs:
        here, there = pair
        if here.prep != there.prep:
            continue
        free = here.prep not in OF and _at_edge(alignment.claim, here) and _at_edge(alignment.source, there)
        astray = here.prep and not free and _moved(alignment, pair) and not _same_head(alignment, pair)
        if astray or _took_turns(alignment, pair):
            return False
    return True


def _moved(alignment: Alignment, pair: Pair) -> bool:
    """It stands on the other side of a word of its clause than in the source, or went to other words altogether."""
    here, there = pair
    for mine, theirs in alignment.pairs:
        with_it = mine.segment == here.segment, theirs.segment == there.segment
        if any(with_it) and (not all(with_it) or _crossed(pair, (mine, theirs))):
            return True
    return False


def _crossed(one: Pair, two: Pair) -> bool:
    return (one[0].position < two[0].position) != (one[1].position < two[1].position)


def _took_turns(alignment: Alignment, pair: Pair) -> bool:
    """Another word with the same preposition, or none, took its place; a word or value between them kept its own."""
    others = [(one.start, one.there) for one in _placed(alignment)]
    mine = pair[0].start, pair[1].start
    for other in alignment.pairs:
        if other[0].prep != pair[0].prep or other[1].prep != pair[1].prep or not _crossed(pair, other):
            continue
        rival = other[0].start, other[1].start
        alike = {(one[0].start, one[1].start) for one in alignment.pairs if one[0].prep == pair[0].prep}
        if any(_parts(one, mine, rival) for one in others if one not in alike):
            return True
    return False


def _parts(one: tuple[int, int], first: tuple[int, int], second: tuple[int, int]) -> bool:
    """It stands between the two on both sides."""
    return all(
        min(left, right) < place < max(left, right) for place, left, right in zip(one, first, second, strict=True)
    )


def _at_edge(unit: Unit, item: Item) -> bool:
    """Its segment begins or ends with prepositional phrases, and it stands in one of those."""
    bare = [other.position for other in unit.items if other.segment == item.segment and not other.prep]
    return not any(place < item.position for place in bare) or not any(place > item.position for place in bare)


def _same_head(alignment: Alignment, pair: Pair) -> bool:
    mine, theirs = _head(alignment.claim, pair[0]), _head(alignment.source, pair[1])
    if mine is None or theirs is None:
        return mine is theirs
    return alignment.partner(mine) is theirs


def _head(unit: Unit, item: Item) -> Item | None:
    """The word before the phrase."""
    before = (other for other in reversed(unit.items) if other.position < item.position)
    return next((other for other in before if other.prep != item.prep), None)
