"""What may explain that a word is denied on one side only, so that both sides can hold after all (CH-3)."""

from __future__ import annotations

from typing import Final

from grounding_middleware.checks.alignment import Alignment, Pair
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Cue, Item, Unit

__all__ = ["carried", "counted_none", "other_subject", "said_both_ways", "same_doer"]

Scope = dict[int, tuple[Cue, ...]]

_CARRIES: Final = ("", "or")
_PARTY: Final = {"to", "from"}  # the other party of "sell" and "buy", "lend" and "borrow"


def carried(alignment: Alignment, flipped: Pair, scopes: tuple[Scope, Scope]) -> bool:
    """A denial both sides share is told of a list, whose end only one of them has.

    "He pays for no food, drinks or rooms" denies the drinks, and so does "he pays for no food, drinks", whose list was
    cut before its "or".
    """
    here, there = scopes
    mine, theirs = flipped
    if _denies(alignment.claim, mine.segment) or _denies(alignment.source, theirs.segment):
        return False  # a clause with a negation of its own
    return any(
        len(here.get(one.position, ())) % 2 == len(there.get(two.position, ())) % 2 == 1
        and _listed(alignment.claim, one.segment, mine.segment)
        and _listed(alignment.source, two.segment, theirs.segment)
        for one, two in alignment.pairs
    )


def other_subject(alignment: Alignment) -> bool:
    """The source speaks of something else: its own subject is left over, the claim's stands behind a preposition there.

    "Fuel is a source of energy for vans" does not say that a van has a source of energy.
    """
    first = min(alignment.pairs, key=lambda pair: pair[0].position, default=None)
    head = next(iter(alignment.source.items), None)
    if first is None or head is None or head not in alignment.source_left:
        return False
    return not first[0].prep and bool(first[1].prep)


def counted_none(alignment: Alignment) -> bool:
    """The source counts nought of something: a cell with 0 says what "no" says."""
    return any(value.written == 0 for value in alignment.source.values)


def said_both_ways(alignment: Alignment, flipped: Pair, scopes: tuple[Scope, Scope]) -> bool:
    """The source has the word a second time, as the claim has it: which of the two is meant is open."""
    here, there = scopes
    mine, theirs = flipped
    return any(
        other is not theirs
        and other.keys & mine.keys
        and len(there.get(other.position, ())) % 2 == len(here.get(mine.position, ())) % 2
        for other in alignment.source.items
    )


def _denies(unit: Unit, segment: int) -> bool:
    return any(cue.segment == segment for cue in unit.of("negation"))


def _listed(unit: Unit, first: int, last: int) -> bool:
    """The second segment follows the first one over commas and "or" alone."""
    return first < last and all(segment.opener in _CARRIES for segment in unit.segments[first + 1 : last + 1])


def same_doer(alignment: Alignment) -> bool:
    """Opposite verbs of one and the same doer: "A sold it to B", "A bought it from B"; actives of one order only.

    Only the other party may have another preposition.
    """
    words = lexicon(alignment.claim.language)
    if len(alignment.opposed) != 1 or words.free_order or words.language != "en":
        return False
    mine, theirs = alignment.opposed[0]
    pairs = sorted(alignment.pairs, key=lambda pair: pair[0].position)
    first, there = pairs[0]
    active = not _passive(alignment.claim, mine) and not _passive(alignment.source, theirs)
    doer = first.position < mine.position and there.position < theirs.position and not first.prep and not there.prep
    ordered = [other.position for _, other in pairs] == sorted(other.position for _, other in pairs)
    moved = [{here.prep, other.prep} for here, other in pairs if here.prep != other.prep]
    return active and doer and ordered and bool(moved) and all(preps == _PARTY for preps in moved)


def _passive(unit: Unit, verb: Item) -> bool:
    before = [token.norm for token in unit.tokens if token.end <= verb.start][-1:]
    return any(norm in lexicon(unit.language).auxiliaries for norm in before)
