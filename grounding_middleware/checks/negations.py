"""What each negation of a sentence has in its scope, item by item; "neither ... nor" and agreeing negations are one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Cue, Item, Unit

__all__ = ["negated", "negates"]

_CORRELATIVE: Final = {"neither": "nor"}
_CARRIES_ON: Final = frozenset({"or", "nor"})  # openers a negation reaches over
_PLAIN: Final = ("negation.clause", "negation.determiner")


def negated(unit: Unit) -> dict[int, tuple[Cue, ...]]:
    """Item position -> the negations that have it in scope: the rest of the segment and what "or" adds to it."""
    found: dict[int, list[Cue]] = {}
    concord = lexicon(unit.language).concord
    negations = [cue for cue in unit.cues if negates(cue)]
    for number, cue in enumerate(negations):
        end = _correlate(negations[number + 1 :], cue)
        last = _closes(unit, cue)
        for item in unit.items:
            ahead = cue.position < item.position < end and _reaches(unit, cue, item)
            denied = ahead or (last and item.segment == cue.segment)
            if denied and not _repeats(cue, found.get(item.position, ()), concord=concord):
                found.setdefault(item.position, []).append(cue)
    return {position: tuple(cues) for position, cues in found.items()}


def _closes(unit: Unit, cue: Cue) -> bool:
    """At the end of its clause it denies what stands before it: "Das Amt erstattet die Gebühr nicht"."""
    if cue.name != "negation.clause":
        return False
    items = any(item.segment == cue.segment and item.position > cue.position for item in unit.items)
    return not items and not any(
        value.start > cue.start and unit.segment_at(value.start) == cue.segment for value in unit.values
    )


def _repeats(cue: Cue, others: Sequence[Cue], *, concord: bool) -> bool:
    """Says again what is denied already: "nor" after "not", and "non ... mai" where negations of a clause are one."""
    if cue.name == "negation.nor":
        return bool(others)
    same = [other.name for other in others if other.segment == cue.segment]
    told = any(name in _PLAIN or name == "condition.unless" for name in same)  # "a meno che non", "à moins que ne"
    return concord and cue.name in _PLAIN and told


def negates(cue: Cue) -> bool:
    """Negations, and "unless", which says "if not"; idioms such as "not only" are none."""
    return (cue.table == "negation" and cue.name != "negation.idioms") or cue.name == "condition.unless"


def _correlate(following: Sequence[Cue], cue: Cue) -> float:
    """Where "neither" hands over to its "nor": one negation told in two words."""
    if cue.text.casefold() not in _CORRELATIVE:
        return math.inf
    return min(
        (other.position for other in following if other.text.casefold() == _CORRELATIVE[cue.text.casefold()]),
        default=math.inf,
    )


def _reaches(unit: Unit, cue: Cue, item: Item) -> bool:
    """Within its segment, and on through "A, B or C": commas carry it only on the way to an "or"."""
    between = unit.segments[cue.segment + 1 : item.segment + 1]
    if not between:
        return True
    if any(negates(one) and cue.segment < one.segment <= item.segment for one in unit.cues):
        return False  # what follows has a negation of its own
    behind = unit.segments[item.segment :]
    joined = between[-1].opener in _CARRIES_ON or (len(behind) > 1 and behind[1].opener in _CARRIES_ON)
    return joined and all(segment.opener in (*_CARRIES_ON, "") for segment in between)
