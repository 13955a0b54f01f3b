"""Alignment: which words of a claim stand in which words of one source unit, and what is left over on both sides.

Leftovers decide as much as matches: a conflict needs a complete anchor, support needs that nothing material is left.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from grounding_middleware.reading.lexicon import Lexicon, lexicon
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.reading.values import Relation, Value, compare

Pair = tuple[Item, Item]
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
    pairs, left = _match(claim.items, source.items, nouns_capital=claim.language == "de")
    implied = words.measure_verbs | words.measure_nouns if source.tabular or claim.tabular else frozenset()
    implied |= words.existence if _exist(claim, source, words) else frozenset()
    around = source.context | implied
    by_context = tuple(item for item in left if item.keys & around)
    left = [item for item in left if not item.keys & around]
    by_title = tuple(item for item in left if item.keys & source.title)
    left = [item for item in left if not item.keys & source.title]
    used = {id(there) for _, there in pairs}
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


def _match(claim: tuple[Item, ...], source: tuple[Item, ...], *, nouns_capital: bool) -> tuple[list[Pair], list[Item]]:
    """Pair each claim item with the next unused equal source item, else with the first unused one."""
    places: dict[str, list[int]] = {}
    for position, item in enumerate(source):
        for key in item.keys:
            places.setdefault(key, []).append(position)
    used: set[int] = set()
    pairs: list[Pair] = []
    left: list[Item] = []
    last = -1
    for item in claim:
        found = {place for key in item.keys if key in places for place in places[key] if place not in used}
        free = sorted(place for place in found if nouns_capital or _same_name(item, source[place])) if found else []
        if not free:
            left.append(item)
            continue
        last = next((place for place in free if place > last), free[0])
        used.add(last)
        pairs.append((item, source[last]))
    return pairs, left


def _same_name(left: Item, right: Item) -> bool:
    """Two capitalised words meet only to the letter: a lemma or stem may make one name of two (Tarn, Tarne)."""
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
        if there is None:
            rest.append(item)
            continue
        spare = [other for other in spare if other is not there]
        opposed.append((item, there))
    return opposed, rest, spare
