"""Conditions that must all hold (CH-5): "only if A and B" against "A is enough", "also without B", "no B is needed"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.case import Reporter, place
from grounding_middleware.checks.deontic import Duty, statuses
from grounding_middleware.checks.duties import alike
from grounding_middleware.checks.duty_words import Status, duty_words, says_only_that
from grounding_middleware.reading.units import Cue, Item, Unit
from grounding_middleware.records import Finding, Kind

__all__ = ["only_if"]

_REPORT: Final = Reporter("conditions")
_OPEN: Final = ("condition", "certainty")


@dataclass(frozen=True, slots=True)
class _Limit:
    """The connective, and the words of each condition it opens."""

    cue: Cue
    conditions: tuple[tuple[Item, ...], ...]


def only_if(alignments: Sequence[Alignment]) -> Iterator[Finding]:
    """A conflict where the claim waives one of the conditions, or says that one of several is enough."""
    for alignment in alignments:
        claim = alignment.claim
        words = duty_words(claim.language)
        if not words or claim.language != alignment.source.language:
            return
        limit = _limit(alignment.source)
        if limit is None or any(cue.table in _OPEN and cue.name != "condition.inclusion" for cue in claim.cues):
            continue
        said = [item for item in claim.items if not says_only_that(item, claim.language)]
        if not said or not all(_known(item, alignment.source) for item in said):
            continue
        waived = next((duty for duty in statuses(claim) if _waives(duty, said, limit)), None)
        if waived is not None:
            message = f"source '{limit.cue.text} …', answer '{waived.word.text}' of what it demands"
            yield _REPORT.conflict(
                "condition-waived", message, Kind.CONDITION, place(alignment, waived.word, limit.cue)
            )
            return
        left = _not_mentioned(claim, said, limit)
        if left is not None and not claim.of("negation"):
            message = f"source demands '{left.text}' as well, answer says that the rest is enough"
            yield _REPORT.conflict("condition-enough", message, Kind.CONDITION, place(alignment, None, left))
            return


def _limit(source: Unit) -> _Limit | None:
    """Of "only ... if A and B", in one word or two; None where anything is denied or excepted."""
    only = next((cue for cue in source.cues if cue.name == "quantity.only"), None)
    limits = [cue for cue in source.cues if cue.table == "condition" and cue.name != "condition.inclusion"]
    if len(limits) != 1 or source.of("negation"):
        return None
    cue = limits[0]
    split = cue.name == "condition.if" and only is not None and only.position < cue.position
    if cue.name != "condition.only_if" and not split:
        return None
    last = cue.segment
    while last + 1 < len(source.segments) and source.segments[last + 1].opener == "and":
        last += 1
    parts = (tuple(item for item in source.items if item.segment == number) for number in range(cue.segment, last + 1))
    return _Limit(cue, tuple(part for part in parts if part))


def _known(item: Item, source: Unit) -> bool:
    return any(alike(item, other) for other in source.items)


def _waives(duty: Duty, said: Sequence[Item], limit: _Limit) -> bool:
    """It lifts what one condition demands: the thing behind "without", the one asked for, or all that is said."""
    if duty.status is not Status.WAIVED:
        return False
    demanded = [item for part in limit.conditions for item in part]
    if duty.thing is not None:
        return any(alike(duty.thing, item) for item in demanded)
    inside = [item for item in said if any(alike(item, other) for other in demanded)]
    return any(not item.prep for item in inside) if duty.asks else bool(inside) and len(inside) == len(said)


def _not_mentioned(claim: Unit, said: Sequence[Item], limit: _Limit) -> Item | None:
    """A word of a condition the claim passes over, where it says that what it names is enough."""
    enough = duty_words(claim.language).get("enough", frozenset())
    if len(limit.conditions) < len(("one", "another")) or not any(token.norm in enough for token in claim.tokens):
        return None
    named = [part for part in limit.conditions if any(alike(item, own) for item in part for own in said)]
    left = [part for part in limit.conditions if part not in named]
    return left[0][0] if named and left else None
