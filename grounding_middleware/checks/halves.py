"""Two clauses of one sentence with opposite predicates: "the lift is disabled and the alarm stays enabled" (CH-3).

A claim about the lift finds its "enabled" in the clause about the alarm, so that no word of it is missing.
"""

from __future__ import annotations

from typing import Final

from grounding_middleware.checks.alignment import Alignment, Pair
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Item, Unit

_BINDING: Final = ("condition", "negation", "modality", "certainty", "time")
_CHOICES: Final = frozenset({"or", "nor"})
_FEWEST: Final = 2  # words of the clause, its predicate apart, that the claim must have


def opposite_half(alignment: Alignment) -> Pair | None:
    """The claim's predicate and the opposite one that the clause of all its other words has; None if not certain.

    The clause with the claim's predicate has a subject of its own, which the claim does not name.
    """
    if not alignment.anchored or alignment.opposed or alignment.by_context or _bound(alignment):
        return None
    clause_of = _clauses(alignment.source)
    homes = {there.segment: clause_of[there.segment] for _, there in alignment.pairs}
    for here, there in alignment.pairs:
        others = [pair for pair in alignment.pairs if pair[1] is not there]
        home = {homes[other.segment] for _, other in others}
        if len(home) != 1 or homes[there.segment] in home or len(others) < _FEWEST:
            continue
        rival = _rival(alignment, here, home.pop(), clause_of)
        if rival is not None and _own_subject(alignment, there, clause_of):
            return here, rival
    return None


def _clauses(unit: Unit) -> list[int]:
    """For each segment the number of its clause: a conjunction opens one, a comma and an "or" do not."""
    found, clause = [], 0
    for segment in unit.segments:
        clause += segment.joined and segment.opener not in _CHOICES
        found.append(clause)
    return found


def _bound(alignment: Alignment) -> bool:
    """Either side says more than a plain fact, or gives a value: then both may hold."""
    cues = (cue for unit in (alignment.claim, alignment.source) for cue in unit.cues)
    values = bool(alignment.claim.claimed) or bool(alignment.source.claimed)
    return values or any(cue.table in _BINDING or cue.name == "quantity.only" for cue in cues)


def _rival(alignment: Alignment, predicate: Item, clause: int, clause_of: list[int]) -> Item | None:
    """All that the clause says beside the claim's words, when that is the opposite of the claim's predicate."""
    words = lexicon(alignment.claim.language)
    against = words.against(predicate.keys)
    left = [item for item in alignment.source_left if clause_of[item.segment] == clause]
    found = len(left) == 1 and bool(words.sides(left[0].keys) & against) and left[0].prep == predicate.prep
    return left[0] if found else None


def _own_subject(alignment: Alignment, predicate: Item, clause_of: list[int]) -> bool:
    """Something the claim does not name stands before the predicate in its clause, and no pronoun does."""
    source, words = alignment.source, lexicon(alignment.source.language)
    clause = clause_of[predicate.segment]
    start = next(one.start for one, number in zip(source.segments, clause_of, strict=True) if number == clause)
    before = [item for item in alignment.source_left if start <= item.start < predicate.start and not item.prep]
    norms = {token.norm for token in source.tokens if start <= token.start < predicate.start}
    return bool(before) and not norms & words.pronouns
