"""A value that no cited text states: what the evidence says in its place, if it says anything (CH-1).

"The deposit is 80 euros" is contradicted by "the deposit amounts to 60 euros", however that is put, and not borne out
by a text without any deposit. Between the two stands a sentence about the same thing with a value of the same
dimension that may be said of something else: that one is for the judge.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.binding import claimed
from grounding_middleware.checks.case import Case
from grounding_middleware.checks.derivation import may_follow
from grounding_middleware.checks.placing import OF
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.subjects import subject
from grounding_middleware.reading.units import Item
from grounding_middleware.reading.values import Relation, Value, ValueKind, compare
from grounding_middleware.records import Kind

__all__ = ["comparable", "slipped", "stated_instead"]

_HALF: Final = 0.5
_THIRD: Final = 0.3
_SHIFTS: Final = tuple(Fraction(10) ** power for power in (-3, -2, -1, 1, 2, 3))
_FEWEST: Final = 2  # digits that are no zeros at an end: fewer are alike by chance
_PERIODS: Final = (ValueKind.DURATION, ValueKind.CALENDAR_DURATION)


def stated_instead(case: Case, value: Value) -> tuple[Alignment, Value, Kind] | None:
    """The value the evidence gives for just this, in a sentence that has the claim's subject and all but one word."""
    for alignment in case.alignments:
        left = _left(alignment)
        if len(left) > 1 or not _near(alignment) or not _has_subject(alignment):
            continue
        rivals = _rivals(alignment, value) if all(_tells(alignment, value, item) for item in left) else []
        if len({other.interval for other, _ in rivals}) == 1:
            return alignment, rivals[0][0], rivals[0][1]
    return None


def slipped(case: Case, value: Value) -> bool:
    """With its decimal point elsewhere the evidence states the value, or it follows from there."""
    if len(str(value.written or "").replace("/", "").strip("0")) < _FEWEST or not value.interval.is_point:
        return False
    cited = case.library.values_of(case.cited)
    if not any(_sort(other) == _sort(value) for other in cited) or not any(map(_akin, case.alignments)):
        return False
    moved = (replace(value, interval=value.interval.map(by), quantum=value.quantum * by) for by in _SHIFTS)
    return any(_stated(one, cited) or may_follow(_with(case, value, one), one) for one in moved)


def _with(case: Case, value: Value, moved: Value) -> Case:
    """The case had the claim said `moved`."""
    values = tuple(moved if own is value else own for own in case.unit.values)
    return replace(case, unit=replace(case.unit, values=values))


def comparable(case: Case, value: Value) -> bool:
    """A sentence with at least half of the claim's words has a value of its dimension; whose it is remains open."""
    return any(_near(alignment) and any(_rivals(alignment, value)) for alignment in case.alignments)


def _near(alignment: Alignment) -> bool:
    named = any(item.name or item.code for item in alignment.claim_left)
    return alignment.covered >= _HALF and not named and not alignment.opposed


def _akin(alignment: Alignment) -> bool:
    """A third of the claim's words: the digits are the other half of the anchor."""
    return alignment.covered >= _THIRD


def _left(alignment: Alignment) -> list[Item]:
    """The claim's words the sentence has not, apart from verbs that only introduce an amount."""
    verbs = lexicon(alignment.claim.language).measure_verbs
    return [item for item in alignment.claim_left if not item.keys & verbs]


def _has_subject(alignment: Alignment) -> bool:
    """The sentence has what the claim is about; a verb nobody knows may look like its last word."""
    return any(item not in alignment.claim_left for item in subject(alignment.claim))


def _tells(alignment: Alignment, value: Value, item: Item) -> bool:
    """A verb, as far as its place shows: behind the subject and right before the value, or behind an auxiliary.

    Not what the value is said of: "for a cat", "a course of nine hours", "900 kg containers".
    """
    claim, words = alignment.claim, lexicon(alignment.claim.language)
    before = next((token for token in reversed(claim.tokens) if token.end <= item.start), None)
    if item.text[:1].isupper() or before is None:
        return False
    if before.norm in words.auxiliaries:
        return True
    behind_noun = any(other.end == before.end for other, _ in alignment.pairs)
    start = min(value.start, value.phrase[0])
    between = [token.norm for token in claim.tokens if item.end <= token.start < start]
    linking = all(norm in words.prepositions and norm not in OF for norm in between)
    return behind_noun and item.end <= start and linking


def _rivals(alignment: Alignment, value: Value) -> list[tuple[Value, Kind]]:
    """The values of its dimension that cannot hold beside it, with the kind of difference."""
    own = claimed(alignment.claim)
    found = [
        (other, compare(value, other))
        for other in claimed(alignment.source)
        if _sort(other) == _sort(value) and all(compare(one, other).relation is not Relation.ENTAILED for one in own)
    ]
    return [(other, one.kind or Kind.NUMBER) for other, one in found if one.relation is Relation.DISJOINT]


def _sort(value: Value) -> tuple[object, ...]:
    return (ValueKind.DURATION,) if value.kind in _PERIODS else (value.kind, value.dimension)


def _stated(value: Value, cited: tuple[Value, ...]) -> bool:
    return any(
        other.kind is value.kind and other.dimension == value.dimension and other.interval == value.interval
        for other in cited
    )
