"""Which value of a sentence belongs to which of its words (CH-1): the right number for the wrong thing."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.reading.values import Comparison, Relation, Value, ValueKind, compare

__all__ = [
    "claimed",
    "lacks_value",
    "misbound",
    "own_rivals",
    "relation",
    "same_sort",
    "stated_there_alone",
    "states_all",
]


def claimed(unit: Unit) -> tuple[Value, ...]:
    """The values a claim asserts; names such as "Order 20931" are matched as words."""
    return unit.claimed


def relation(value: Value, other: Value) -> Relation:
    """How the claim's value stands to one of the source."""
    return compare(value, other).relation


def states_all(alignment: Alignment) -> bool:
    """The unit states every value of the claim."""
    return all(_states(alignment, value) for value in claimed(alignment.claim))


def stated_there_alone(there: Alignment, here: Alignment) -> bool:
    """One unit states a value of the claim that the other lacks: so the other does not vouch for its companions."""
    return any(_states(there, value) and not _states(here, value) for value in claimed(there.claim))


def _states(alignment: Alignment, value: Value) -> bool:
    return any(relation(value, other) is Relation.ENTAILED for other in alignment.source.values)


def same_sort(value: Value, other: Value) -> bool:
    """Values that could stand for each other: a year is no rival of a number of visits."""
    return not other.is_name and (value.kind is ValueKind.DATE) == (other.kind is ValueKind.DATE)


def misbound(alignment: Alignment, value: Value, stated: Sequence[Value]) -> tuple[Item | Value, Value] | None:
    """The owner in the claim whose own value in the source is another one; None when nothing says so.

    Every segment of the source with a value of this sort owns what stands in no other such segment. The claim names an
    owner of a rival's segment and none of the segment that states its value: the right number for the wrong thing.
    """
    source = alignment.source
    rivals = [
        other for other in source.values if same_sort(value, other) and relation(value, other) is Relation.DISJOINT
    ]
    homes = {source.segment_at(other.start) for other in stated}
    whole = _of_whole_segment(alignment, homes, rivals)
    if whole is not None:
        return whole
    if any(_owned(alignment, value, home, rivals) for home in homes):
        return None
    for rival in rivals:
        segment = source.segment_at(rival.start)
        if any(_listed(source, rival, other) for other in stated):
            continue
        owners = _owned(alignment, value, segment, stated) if segment not in homes else []
        if owners:
            return owners[0], rival
    return None


def _listed(source: Unit, one: Value, two: Value) -> bool:
    """Nothing is said between the two: "80- and 120-litre bins" share their noun."""
    low, high = min(one.end, two.end), max(one.start, two.start)
    between: list[Item | Value] = [*source.items, *source.values]
    return not any(low <= each.start < high for each in between)


def _of_whole_segment(
    alignment: Alignment, homes: Collection[int], rivals: Sequence[Value]
) -> tuple[Item, Value] | None:
    """The claim has every word of a rival's segment, and of the segment with its own value not even the verb.

    "The gate opens above 6 m and closes below 4 m" does not say that the gate closes above 6 m.
    """
    source = alignment.source
    if any(not _lacks(alignment, home) for home in homes):
        return None
    for rival in rivals:
        segment = source.segment_at(rival.start)
        own = [here for here, there in alignment.pairs if there.segment == segment]
        whole = not _lacks(alignment, segment) and not lacks_value(alignment, segment, rival)
        if segment not in homes and own and whole and _opens(source, segment, homes):
            return own[0], rival
    return None


def _lacks(alignment: Alignment, segment: int) -> bool:
    """Words of this segment that the claim does not have."""
    return any(item.segment == segment for item in alignment.source_left)


def lacks_value(alignment: Alignment, segment: int, rival: Value) -> bool:
    """A value of another sort that sets this segment apart, and that the claim does not have: "in 2024 it was ..."."""
    source, mine = alignment.source, claimed(alignment.claim)
    return any(
        all(relation(own, other) is not Relation.ENTAILED for own in mine)
        for other in source.values
        if other.kind is not rival.kind and source.segment_at(other.start) == segment
    )


def _opens(source: Unit, segment: int, homes: Collection[int]) -> bool:
    """A clause of its own beside the home segments, not a phrase that hangs on one of them."""
    return source.segments[segment].joined and bool(homes)


def _owned(alignment: Alignment, value: Value, segment: int, others: Sequence[Value]) -> list[Item | Value]:
    """What the claim names of this segment alone: matched words, and values of another sort that stand there too."""
    source = alignment.source
    inherited = _inherited(source, segment, others)
    words: list[Item | Value] = [
        here for here, there in alignment.pairs if there.segment == segment and there.position not in inherited
    ]
    for other in source.values:
        if source.segment_at(other.start) != segment or other.kind is value.kind:
            continue
        words += [
            mine
            for mine in claimed(alignment.claim)
            if mine is not value and relation(mine, other) is Relation.ENTAILED
        ]
    return words


def _inherited(source: Unit, segment: int, others: Sequence[Value]) -> frozenset[int]:
    """Words of this segment that a later one without a subject takes over ("25 ms in 2024 and 12 ms in 2025")."""
    later = [other for other in others if source.segment_at(other.start) > segment]
    bare = [other for other in later if not _subject(source, other)]
    if not bare:
        return frozenset()
    own = any(_behind(source, item, other) for other in bare for item in source.items)
    inside = [item for item in source.items if item.segment == segment]
    first = min((value.end for value in source.values if source.segment_at(value.start) == segment), default=0)
    return frozenset(item.position for item in inside if item.start < first or not own)


def _behind(source: Unit, item: Item, value: Value) -> bool:
    """Stands behind the value in its segment: "12 euros for the score and 20 for the coach"."""
    return item.segment == source.segment_at(value.start) and item.start >= value.end


def _subject(source: Unit, value: Value) -> bool:
    place_of = source.segment_at(value.start)
    return any(item.segment == place_of and item.start < value.start for item in source.items)


def own_rivals(alignment: Alignment, rivals: list[tuple[Value, Comparison]]) -> list[tuple[Value, Comparison]]:
    """The one rival whose clause the claim has every word of, when it lacks words of all the others' clauses.

    "The season begins on 15 May and ends on 30 June": what is said of its end is compared with 30 June.
    """
    source = alignment.source
    homes = [source.segment_at(other.start) for other, _ in rivals]
    taken = {there.segment for _, there in alignment.pairs}
    whole = [pair for pair, home in zip(rivals, homes, strict=True) if home in taken and not _lacks(alignment, home)]
    left = {item.segment for item in alignment.source_left}
    return whole if len(whole) == 1 and len(rivals) > 1 and left <= set(homes) else []
