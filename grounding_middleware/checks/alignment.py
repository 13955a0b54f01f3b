"""Alignment: which words of a claim stand in which words of one source unit, and what is left over on both sides.

Leftovers decide as much as matches: a conflict needs a complete anchor, support needs that nothing material is left.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

from grounding_middleware.reading.lexicon import SAME, Lexicon, lexicon
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.reading.values import Relation, Value, compare

Pair = tuple[Item, Item]
_MOST_PLACES: Final = 8  # of one word in a sentence that are looked at
_THERE: Final = frozenset({"there"})


@dataclass(frozen=True)
class Alignment:
    """One claim unit beside one source unit of the span `span_id`.

    `by_context` are claim items found only in the source's context (antecedent of its pronoun, implied verb of a cell),
    `by_title` those found only in its section title: enough for an anchor, not for support.
    `opposed` pairs leftovers that are antonyms. `source_left` counts only segments the claim touches.
    """

    span_id: str
    claim: Unit
    source: Unit
    pairs: tuple[Pair, ...]
    by_context: tuple[Item, ...]
    by_title: tuple[Item, ...]
    claim_left: tuple[Item, ...]
    source_left: tuple[Item, ...]
    opposed: tuple[Pair, ...]
    touched: frozenset[int]

    @property
    def anchored(self) -> bool:
        """Every content word of the claim stands in this unit, antonyms apart, and something does."""
        return not self.claim_left and bool(self.pairs)

    @property
    def tight(self) -> bool:
        """Anchored, and the touched part of the source says little beside what the claim says."""
        return self.anchored and len(self.source_left) * 4 <= len(self.pairs)

    @property
    def covered(self) -> float:
        """Share of the claim's content words found here; ranks alignments, decides nothing."""
        found = len(self.pairs) + len(self.by_context) + len(self.by_title) + len(self.opposed)
        return found / max(1, found + len(self.claim_left))

    @cached_property
    def reached(self) -> frozenset[int]:
        """Source segments with a word or value of the claim; a value that stands beside its words, only there."""
        return self.touched.union(*(self._homes(value) for value in self.claim.claimed))

    def _homes(self, value: Value) -> frozenset[int]:
        stated = (other for other in self.source.values if compare(value, other).relation is Relation.ENTAILED)
        homes = frozenset(self.source.segment_at(other.start) for other in stated)
        return homes & self.touched or homes

    def partner(self, item: Item) -> Item | None:
        """The source item matched with this claim item."""
        return next((there for here, there in self.pairs if here is item), None)


def align(claim: Unit, source: Unit, span_id: str) -> Alignment:
    """The alignment of two units; order is preferred, not demanded."""
    words = lexicon(claim.language if claim.language == source.language else "")
    pairs, left = _match(claim.items, source.items, words)
    left, halves = _compounds(pairs, left, source.items)
    implied = words.measure_verbs | words.measure_nouns if source.tabular or claim.tabular else frozenset()
    implied |= words.existence if _exist(claim, source, words) else frozenset()
    around = source.context | implied
    by_context = tuple(item for item in left if item.keys & around)
    left = [item for item in left if not item.keys & around]
    by_title = tuple(item for item in left if item.keys & source.title)
    left = [item for item in left if not item.keys & source.title]
    used = {id(there) for _, there in pairs} | halves
    spare = [item for item in source.items if id(item) not in used]
    opposed, left, spare = _opposites(left, spare, words)
    touched = frozenset(there.segment for _, there in (*pairs, *opposed))
    return Alignment(
        span_id=span_id,
        claim=claim,
        source=source,
        pairs=tuple(pairs),
        by_context=by_context,
        by_title=by_title,
        claim_left=tuple(left),
        source_left=tuple(item for item in spare if item.segment in touched and not item.keys & implied),
        opposed=tuple(opposed),
        touched=touched,
    )


def _exist(claim: Unit, source: Unit, words: Lexicon) -> bool:
    """Both say that there is something, and one of them in a verb that the other may leave out."""
    told = claim.keys & words.existence or source.keys & words.existence
    return bool(told) and _exists(claim) and _exists(source)


def _exists(unit: Unit) -> bool:
    """Says that there is something: "there is", or a verb that says no more."""
    words = lexicon(unit.language)
    return any(token.norm in _THERE or words.forms(token.norm) & words.existence for token in unit.tokens)


def _match(claim: tuple[Item, ...], source: tuple[Item, ...], words: Lexicon) -> tuple[list[Pair], list[Item]]:
    """Pair each claim item with the next unused equal source item, else with the first unused one."""
    places: dict[str, list[int]] = {}
    for position, item in enumerate(source):
        for key in item.keys:
            places.setdefault(key, []).append(position)
    pairs: list[Pair] = []
    left: list[Item] = []
    last = -1
    for number, item in enumerate(claim):
        found = {place for key in item.keys if key in places for place in _nearest(places[key], last)}
        free = sorted(place for place in found if words.language == "de" or _same_name(item, source[place], words))
        if not free:
            left.append(item)
            continue
        if len(free) > 1:
            free = _beside(claim, number, source, free)
        last = next((place for place in free if place > last), free[0])
        for key in source[last].keys:
            places[key].remove(last)
        pairs.append((item, source[last]))
    return pairs, left


def _nearest(places: list[int], last: int) -> list[int]:
    """The next places behind the last one and the first of all; of a word that stands everywhere, not all are tried."""
    behind = bisect_right(places, last)
    return places[behind : behind + _MOST_PLACES] + places[:_MOST_PLACES]


def _beside(claim: Sequence[Item], number: int, source: Sequence[Item], places: list[int]) -> list[int]:
    """Of the places of one word those with most of the neighbours it has in the claim."""

    def alike(place: int) -> int:
        return sum(
            bool(claim[number + step].keys & source[place + step].keys)
            for step in (-1, 1)
            if 0 <= number + step < len(claim) and 0 <= place + step < len(source)
        )

    found = {place: alike(place) for place in places}
    most = max(found.values())
    return [place for place in places if found[place] == most]


def _compounds(pairs: list[Pair], left: list[Item], source: Sequence[Item]) -> tuple[list[Item], set[int]]:
    """Words written as one here and as two there: long-term, long term; adds their pairs to `pairs`.

    Returns what is still left of the claim and the ids of the first halves found in the source.
    """
    used = {id(there) for _, there in pairs}
    halves: set[int] = set()
    spare = [item for item in source if id(item) not in used]
    for whole in left:
        both = next((two for two in pairwise(spare) if _is_compound(two, whole)), None)
        if both is not None:
            pairs.append((whole, both[1]))
            halves.add(id(both[0]))
    for first, second in pairwise(left):
        joined = next((item for item in spare if _is_compound((first, second), item)), None)
        if joined is not None:
            pairs.append((second, joined))
            halves.add(id(first))
    if len(pairs) > len(used):
        pairs.sort(key=lambda pair: pair[0].position)
    found = {id(here) for here, _ in pairs} | halves
    return [item for item in left if id(item) not in found], halves


def _is_compound(two: tuple[Item, Item], whole: Item) -> bool:
    first, second = two
    together = first.position + 1 == second.position and first.segment == second.segment
    return together and not first.code and first.text.casefold() + second.text.casefold() in whole.keys


def _same_name(left: Item, right: Item, words: Lexicon) -> bool:
    """Two capitalised words meet only to the letter: a lemma or stem may make one name of two (Tarn, Tarne).

    Unless a sentence begins with them: instructions ("Push", "Pushing"), or words that say the same.
    """
    shared = left.keys & right.keys
    alike = shared & words.instructing or any(key.startswith(SAME) for key in shared)
    if alike and not left.name and not right.name:
        return True
    if not (left.text[:1].isupper() and right.text[:1].isupper()):
        return True
    mine, theirs = left.text.casefold(), right.text.casefold()
    return mine.removesuffix("s").rstrip("'’") == theirs.removesuffix("s").rstrip("'’")


def _opposites(left: list[Item], spare: list[Item], words: Lexicon) -> tuple[list[Pair], list[Item], list[Item]]:
    """Leftovers that are antonyms of each other, apart from what stays left."""
    if not words.covered:
        return [], left, spare
    opposed: list[Pair] = []
    rest: list[Item] = []
    for item in left:
        against = words.against(item.keys)
        there = next((other for other in spare if words.sides(other.keys) & against), None) if against else None
        there = there or _prefixed(item, spare, words)
        if there is None:
            rest.append(item)
            continue
        spare = [other for other in spare if other is not there]
        opposed.append((item, there))
    return opposed, rest, spare


def _prefixed(item: Item, spare: Sequence[Item], words: Lexicon) -> Item | None:
    """The leftover that is this word with a negative prefix, or without the one it has: complete, incomplete."""
    wanted = words.prefixed(item.keys)
    found = (other for other in spare if not wanted.isdisjoint(other.keys) and words.unturned.isdisjoint(other.keys))
    return next(found, None) if wanted else None
