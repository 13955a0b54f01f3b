"""The same roles (DESIGN §5): equal prepositions, or the same order of words; only adverbials may move."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from grounding_middleware.checks.alignment import Alignment, Pair
from grounding_middleware.checks.binding import claimed
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.tokens import Shape
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.reading.values import Relation, compare

_LIKE: Final = (
    frozenset({"", "to", "of", "in", "on", "at"}),
    frozenset({"to", "toward", "towards", "into", "onto"}),
    frozenset({"in", "inside", "within", "into"}),
    frozenset({"via", "with", "through"}),
)
"""English prepositions that may stand for each other where the order of the words is the same."""
_STEPS: Final = frozenset({"then", "afterwards", "finally", "next"})
_DURING: Final = frozenset({"", "for"})
_ING: Final = "ing"
_SHORTEST: Final = 5  # letters of a participle: not "king", "ring"


def same_roles(alignment: Alignment) -> bool:
    """Equal prepositions, or the same order of all words and no preposition that turns the relation round."""
    if any(_turned(left, right) for left, right in pairwise(alignment.pairs)):
        return False
    if all(here.prep == there.prep for here, there in alignment.pairs):
        return _ordered(alignment.pairs) or not _in_steps(alignment)
    if _by_doing(alignment):
        return True
    alike = all(_compatible(here, there, alignment) for here, there in alignment.pairs)
    return alike and (_ordered(alignment.pairs) or _moved(alignment))


def _in_steps(alignment: Alignment) -> bool:
    """One thing after another: "heat the oil, then add the fish" is not "add the fish, then heat the oil"."""
    return any(token.norm in _STEPS for unit in (alignment.claim, alignment.source) for token in unit.tokens)


def _turned(left: Pair, right: Pair) -> bool:
    """Neighbours of one phrase that changed their order: "in Great Britain" is no "in Britain Great"."""
    together = left[0].segment == right[0].segment and left[0].prep == right[0].prep != ""
    return together and left[1].position > right[1].position


def _compatible(here: Item, there: Item, alignment: Alignment) -> bool:
    mine, theirs = here.prep, there.prep
    if mine == theirs or any(mine in group and theirs in group for group in _LIKE):
        return True
    return {mine, theirs} == _DURING and _before_a_length(here, alignment.claim)


def _by_doing(alignment: Alignment) -> bool:
    """How a thing is done, told either way: "start the fan by pressing the key", "to start the fan, press the key"."""
    pairs, words = alignment.pairs, lexicon(alignment.claim.language)
    turn = next((n for n, (here, _) in enumerate(pairs) if here.prep in words.agents), 0)
    if not turn or not _ordered(pairs) or pairs[0][1].prep != "to":
        return False
    here, there = pairs[turn]
    opens = all(item.segment < there.segment for item in alignment.source.items if item.position < there.position)
    doing = here.text.endswith(_ING) and there.keys & words.instructing and opens and not there.prep
    return bool(doing) and all(
        _compatible(mine, theirs, alignment) or (mine.prep, theirs.prep) in (("", "to"), (here.prep, ""))
        for mine, theirs in pairs
    )


def _before_a_length(item: Item, unit: Unit) -> bool:
    """What lasts so long may go with "for" or without: "cook (for) another 5 minutes"."""
    behind = [other.start for other in unit.items if other.start > item.start]
    nearest = min(behind, default=unit.end)
    return any(item.start < value.start < nearest and value.dimension == "time" for value in unit.values)


def _ordered(pairs: Sequence[Pair]) -> bool:
    places = [there.position for _, there in pairs]
    return all(left < right for left, right in pairwise(places))


def _moved(alignment: Alignment) -> bool:
    """Each segment of the claim is one of the source, and without the adverbials among them the order is the same.

    "Stirring all the time, add the milk" says what "add the milk, stirring all the time" says.
    """
    went: dict[int, set[int]] = {}
    for here, there in alignment.pairs:
        went.setdefault(here.segment, set()).add(there.segment)
    homes = [next(iter(found)) for found in went.values()]
    if any(len(found) > 1 for found in went.values()) or len(set(homes)) < len(homes):
        return False
    groups = {mine: [pair for pair in alignment.pairs if pair[0].segment == mine] for mine in went}
    if not all(_ordered(group) for group in groups.values()) or not _values_went_along(alignment, went):
        return False
    fixed = [mine for mine in went if not _adverbial(alignment, mine, next(iter(went[mine])))]
    return _ordered([pair for mine in sorted(fixed) for pair in groups[mine]])


def _values_went_along(alignment: Alignment, went: dict[int, set[int]]) -> bool:
    """Every value stands in the segment that its own segment became."""
    claim, source = alignment.claim, alignment.source
    for value in claimed(claim):
        homes = {
            source.segment_at(other.start)
            for other in source.values
            if compare(value, other).relation is Relation.ENTAILED
        }
        if not homes & went.get(claim.segment_at(value.start), set()):
            return False
    return True


def _adverbial(alignment: Alignment, mine: int, theirs: int) -> bool:
    """On both sides a participle, a phrase with a preposition, or a clause with a condition or time."""
    sides = ((alignment.claim, mine), (alignment.source, theirs))
    openers = {unit.segments[number].opener for unit, number in sides}
    if len(openers - {""}) == 1 and not openers - {""} <= {"and", "or", "nor", "but"}:
        return len(openers) == 1
    return openers == {""} and all(_begins_adverbial(unit, number) for unit, number in sides)


def _begins_adverbial(unit: Unit, number: int) -> bool:
    words, segment = lexicon(unit.language), unit.segments[number]
    inside = (t for t in unit.tokens if segment.start <= t.start < segment.end and t.shape is not Shape.PUNCT)
    norm = next(
        (token.norm for token in inside if (token.norm,) not in words.connectives and token.norm not in words.joins), ""
    )
    return norm in words.prepositions or (norm.endswith(_ING) and len(norm) > _SHORTEST)
