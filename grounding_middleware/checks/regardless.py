"""What the source binds to a condition, told as if it did not matter (CH-5).

"Covered only if the lock was fitted by a dealer" beside "covered regardless of who fitted the lock".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.case import Reporter, place
from grounding_middleware.reading.units import Cue, Item, Unit
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("conditions")
_MARK: Final = "condition.regardless"
_BINDING: Final = ("condition.if", "condition.only_if", "condition.unless")
_DEPENDS: Final = "depend"
_OPEN: Final = ("certainty", "quantity")
_FEWEST: Final = 2  # words of the statement itself that both sides have


def regardless(alignment: Alignment) -> Iterator[Finding]:
    """A conflict where all that does not matter in the claim stands in the condition of the same statement."""
    claim, source = alignment.claim, alignment.source
    mark = next((cue for cue in claim.cues if cue.name == _MARK), None)
    if mark is None or claim.of("negation") or any(source.of(table) for table in _OPEN) or _says_so(source):
        return
    inside = _behind(claim, mark)
    binding = [cue for cue in source.cues if cue.name in _BINDING]
    strange = [item for item in alignment.claim_left if item not in inside]
    if not inside or len(binding) > 1 or len(strange) > (not binding):
        return  # "is paid regardless of X", "depends on X": the verb is another
    theirs = _condition(alignment, inside, binding[0]) if binding else _dependence(alignment, inside)
    if theirs is not None:
        message = f"source '{theirs.text} …', answer '{mark.text} …'"
        yield _REPORT.conflict("condition-waived", message, Kind.CONDITION, place(alignment, mark, theirs))


def _says_so(unit: Unit) -> bool:
    return any(cue.name in (_MARK, "condition.even_if") for cue in unit.cues)


def _behind(claim: Unit, mark: Cue) -> list[Item]:
    """What does not matter: to the end of the clause the mark stands in."""
    end = next((one.start for one in claim.segments if one.start > mark.end and not one.opener), claim.end)
    return [item for item in claim.items if mark.end <= item.start < end]


def _condition(alignment: Alignment, inside: list[Item], condition: Cue) -> Cue | None:
    """Every word of it that the source has stands in its condition, and no other word of the claim does."""
    if alignment.source.of("negation"):
        return None
    homes = {here.position: there.segment for here, there in alignment.pairs}
    matter = {homes[item.position] for item in inside if item.position in homes}
    rest = [there for here, there in alignment.pairs if here not in inside]
    known = sum(item.position in homes for item in inside)
    whole = known * 2 > len(inside) and matter == {condition.segment}
    apart = all(there.segment != condition.segment for there in rest)
    said = {there.segment for there in rest}
    spare = [item for item in alignment.source_left if item.segment in said]
    return condition if whole and apart and len(rest) >= _FEWEST and not spare else None


def _dependence(alignment: Alignment, inside: list[Item]) -> Item | None:
    """The source says that the thing depends on it."""
    source = alignment.source
    verb = next((item for item in source.items if _DEPENDS in item.keys), None)
    if verb is None or source.of("negation") or source.of("condition"):
        return None
    partners = [alignment.partner(item) for item in inside]
    behind = all(there is not None and there.position > verb.position for there in partners)
    ahead = [there for here, there in alignment.pairs if here not in inside and there.position < verb.position]
    before = [item for item in source.items if item.position < verb.position]
    return verb if behind and ahead and len(ahead) == len(before) else None
