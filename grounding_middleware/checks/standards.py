"""Comparisons of two named things (CH-3): "A is higher than B" against "B is higher than A"; and of two clauses.

Turned round with the opposite word it says the same: "B is lower than A". In "A rose, B fell" each word belongs to its
own clause.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from grounding_middleware.checks.alignment import Alignment, Pair
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.tokens import Token
from grounding_middleware.reading.units import Item, Unit

__all__ = ["crossed_direction", "exchanged_standard", "turned_round"]

_THAN: Final = {"en": "than", "de": "als", "nl": "dan"}
_DEGREE: Final = frozenset({"more", "less", "fewer", "mehr", "weniger", "meer", "minder"})
_ENDING: Final = "er"
_OPEN: Final = ("negation", "condition")


@dataclass(frozen=True, slots=True)
class _Comparison:
    """What is compared, with what, and the words that say how."""

    degree: tuple[Token, ...]
    theme: tuple[Item, ...]
    standard: tuple[Item, ...]


def exchanged_standard(alignment: Alignment) -> tuple[Item, Item] | None:
    """The thing the claim compares with, and that of the source, where both changed places round the same word."""
    both = _both(alignment)
    if both is None or not alignment.anchored or alignment.opposed or _sign(alignment, *both) != 1:
        return None
    mine, theirs = both
    return (mine.standard[0], theirs.standard[0]) if _swapped(mine, theirs) else None


def turned_round(alignment: Alignment) -> bool:
    """The same comparison seen from the other side: "A is higher than B", "B is lower than A"."""
    both = _both(alignment)
    return both is not None and _sign(alignment, *both) == -1 and _swapped(*both)


def _both(alignment: Alignment) -> tuple[_Comparison, _Comparison] | None:
    if alignment.claim.language != alignment.source.language or any(
        cue.table in _OPEN for unit in (alignment.claim, alignment.source) for cue in unit.cues
    ):
        return None
    mine, theirs = _comparison(alignment.claim), _comparison(alignment.source)
    return (mine, theirs) if mine and theirs else None


def _comparison(unit: Unit) -> _Comparison | None:
    than = _THAN.get(unit.language)
    place = next((n for n, token in enumerate(unit.tokens) if n and token.norm == than), None)
    if place is None:
        return None
    before, start = unit.tokens[place - 1], unit.tokens[place].start
    degree = tuple(token for token in unit.tokens[max(0, place - 2) : place] if _says_how(token) or token is before)
    if not any(_says_how(token) for token in degree) or any(value.start >= start for value in unit.claimed):
        return None
    segment = unit.segment_at(start)
    inside = [item for item in unit.items if item.segment == segment]
    standard = tuple(item for item in inside if item.start > start)
    theme = tuple(item for item in inside if item.start < degree[0].start)
    return _Comparison(degree, theme, standard) if theme and standard else None


def _says_how(token: Token) -> bool:
    return token.norm in _DEGREE or (token.norm.endswith(_ENDING) and not token.capital)


def _sign(alignment: Alignment, mine: _Comparison, theirs: _Comparison) -> int:
    """1 for the same words, -1 where one of them is the opposite, 0 for any others."""
    words = lexicon(alignment.claim.language)
    here, there = ([words.forms(token.norm) for token in one.degree] for one in (mine, theirs))
    if len(here) != len(there):
        return 0
    if all(one & other for one, other in zip(here, there, strict=True)):
        return 1
    turned = [bool(words.against(one) & words.sides(other)) for one, other in zip(here, there, strict=True)]
    same = [bool(one & other) for one, other in zip(here, there, strict=True)]
    return -1 if sum(turned) == 1 and all(a or b for a, b in zip(turned, same, strict=True)) else 0


def _swapped(mine: _Comparison, theirs: _Comparison) -> bool:
    """What only one side of the source's comparison names stands on the other side in the claim, and back."""
    own = _distinct(mine.standard, mine.theme), _distinct(theirs.standard, theirs.theme)
    return bool(own[0] and own[1]) and _all_in(own[0], theirs.theme) and _all_in(own[1], mine.theme)


def _distinct(items: Sequence[Item], others: Sequence[Item]) -> list[Item]:
    return [item for item in items if not _all_in([item], others)]


def _all_in(items: Sequence[Item], others: Sequence[Item]) -> bool:
    return all(any(item.keys & other.keys for other in others) for item in items)


def crossed_direction(alignment: Alignment) -> tuple[Pair, Item] | None:
    """The claim's word, and the opposite one the source has in the clause about what the claim speaks of."""
    claim, source = alignment.claim, alignment.source
    if not alignment.anchored or alignment.opposed or alignment.by_context:
        return None
    if any(cue.table in _OPEN for unit in (claim, source) for cue in unit.cues):
        return None
    for pair, other in _opposites(alignment):
        home = [item for item in source.items if item.segment == pair[1].segment]
        there = [item for item in source.items if item.segment == other.segment]
        rest = [item for item in claim.items if item is not pair[0]]
        own = [item for item in rest if _all_in([item], there) and not _all_in([item], home)]
        foil = any(
            _replaced(source, pair[1], item, one) for item in alignment.source_left if item in home for one in own
        )
        if foil and (_all_in(rest, there) or all(_all_in([one], home) for one in rest if one not in own)):
            return pair, other
    return None


def _replaced(source: Unit, word: Item, foil: Item, own: Item) -> bool:
    """In the clause of the word another thing stands where the claim's own stands in its clause.

    A clause joined by "and" may have its subject in the one before: what follows its verb is no subject.
    """
    shared = source.segments[word.segment].opener == "and" and not foil.prep
    return foil.prep == own.prep and (not shared or foil.position < word.position)


def _opposites(alignment: Alignment) -> Iterator[tuple[Pair, Item]]:
    """The claim's words with an opposite in another clause of the source that the claim has not."""
    words = lexicon(alignment.source.language)
    for pair in alignment.pairs:
        against = words.against(pair[0].keys)
        for item in alignment.source.items if against else ():
            if (
                item.segment != pair[1].segment
                and words.sides(item.keys) & against
                and not item.keys & alignment.claim.keys
            ):
                yield pair, item
