"""Whether a claim puts every word into the kind of clause it has in the source, and limits the same thing by "only".

The words alone do not tell "the bill is paid after the keys are returned" from "the keys are returned after the bill is
paid", nor "only members may borrow tools" from "members may only borrow tools".
"""

from __future__ import annotations

from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.reading.degrees import degree
from grounding_middleware.reading.units import Cue, Item, Unit
from grounding_middleware.reading.values import Relation, Value, compare

__all__ = ["clauses_exchanged", "same_frame"]

_ORDER: Final = ("time.before", "time.after")
_GRADED: Final = ("certainty", "modality", "quantity")
_WORDED: Final = ("certainty.weak", "certainty.strong", "certainty.planned", "certainty.attributed", "modality.will")
"""Kinds of cues with words that differ in degree: the word counts, not the kind."""


def same_frame(alignment: Alignment) -> bool:
    """True if no word went into or out of a condition, exception or time clause, and every cue is said of the same."""
    clauses = all(_opener(alignment.claim, here) == _opener(alignment.source, there) for here, there in alignment.pairs)
    return clauses and _same_limits(alignment) and _same_grades(alignment)


def term(cue: Cue, language: str) -> str:
    """What the cue says, comparable between claim and source: its kind, and the degree where words of it differ."""
    return f"{cue.name}:{degree(cue.text, language)}" if cue.name in _WORDED else cue.name


def clauses_exchanged(alignment: Alignment) -> Cue | None:
    """The "before" or "after" on whose other side every word of the claim stands; None where some word does not."""
    mine = [cue for cue in alignment.claim.cues if cue.name in _ORDER]
    theirs = [cue for cue in alignment.source.cues if cue.name in _ORDER]
    if len(mine) != 1 or len(theirs) != 1 or mine[0].name != theirs[0].name or len(alignment.pairs) < len(_ORDER):
        return None
    name = mine[0].name
    sides = {(_opener(alignment.claim, a) == name, _opener(alignment.source, b) == name) for a, b in alignment.pairs}
    return mine[0] if sides == {(True, False), (False, True)} else None


def _opener(unit: Unit, item: Item) -> str:
    """The cue that opens the clause of this word; "" for any other."""
    for segment in reversed(unit.segments[: item.segment + 1]):
        if not segment.joined:
            return segment.opener
    return ""


def _same_grades(alignment: Alignment) -> bool:
    """Each modal, quantifier and mark of certainty of the claim governs what it governs in the source.

    "Adults must pay and children may pay" is not said by "adults may pay and children must pay".
    """
    claim, source = alignment.claim, alignment.source
    for cue in claim.cues:
        if cue.table not in _GRADED or cue.name in ("quantity.only", "quantity.either"):
            continue
        mine = _limited(claim, cue)
        theirs = alignment.partner(mine) if isinstance(mine, Item) else None
        if theirs is not None and term(cue, claim.language) not in _governing(source, theirs, cue.table):
            return False
    return True


def _governing(unit: Unit, item: Item, table: str) -> set[str]:
    """The cues of one kind nearest to a word: the last before it ("will have to"), and the first behind it."""
    cues = unit.of(table)
    before = [cue for cue in cues if cue.position <= item.position]
    behind = [cue for cue in cues if cue.position > item.position and cue.segment == item.segment][:1]
    parted = max((one.position for one in unit.items if before and one.position < before[-1].position), default=-1)
    chain = [cue for cue in before if cue.position > parted and cue.segment == before[-1].segment]
    near = chain if chain and chain[-1].segment == item.segment else [*chain, *behind]
    return {term(cue, unit.language) for cue in near}


def _same_limits(alignment: Alignment) -> bool:
    """What stands behind each "only" of the claim stands behind one of the source."""
    theirs = [_limited(alignment.source, cue) for cue in alignment.source.cues if cue.name == "quantity.only"]
    return all(
        any(_same(alignment, _limited(alignment.claim, cue), other) for other in theirs)
        for cue in alignment.claim.cues
        if cue.name == "quantity.only"
    )


def _limited(unit: Unit, cue: Cue) -> Item | Value | None:
    """The first word or value behind the cue; the last one before it where it closes its clause ("members only")."""
    said: list[Item | Value] = sorted([*unit.items, *unit.values], key=lambda one: one.start)
    inside = [one for one in said if unit.segment_at(one.start) == cue.segment]
    behind = next((one for one in inside if one.start > cue.start), None)
    return behind or next((one for one in reversed(inside) if one.start < cue.start), None)


def _same(alignment: Alignment, mine: Item | Value | None, theirs: Item | Value | None) -> bool:
    if isinstance(mine, Item) and isinstance(theirs, Item):
        return alignment.partner(mine) is theirs
    if isinstance(mine, Value) and isinstance(theirs, Value):
        return compare(mine, theirs).relation is Relation.ENTAILED
    return mine is theirs
