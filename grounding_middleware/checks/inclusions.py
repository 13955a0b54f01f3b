"""What one sentence takes out of a rule, put in by the claim (CH-5).

"Dogs are admitted to the park. Dogs are not admitted to the rose garden" beside "dogs are admitted to the whole park,
including the rose garden".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.reading.lemmas import related
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.reading.values import Relation, Value, compare
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("conditions")
_INCLUDED: Final = "included"
_TAKEN_OUT: Final = frozenset({"exempt", "exclude", "except", "excluded", "exempted"})
_OPEN: Final = ("condition", "certainty")
_FEWEST: Final = 2  # words of the rule that another sentence must state


def inclusions(case: Case) -> Iterator[Finding]:
    """A conflict where a sentence denies of just what the claim includes what the claim says of all."""
    inside = _included(case.unit)
    if case.unit.language != "en" or not inside or any(c.name == "negation.clause" for c in case.unit.cues):
        return
    rule = [item for item in case.unit.items if item not in inside]
    for alignment in case.alignments:
        denial = _denial(alignment, inside, rule)
        if denial is not None and _stated(case, alignment, inside, rule):
            message = f"source takes out '{inside[0].text}', answer puts it in"
            at = place(alignment, inside[0], denial)
            yield _REPORT.conflict("exception-put-in", message, Kind.EXCEPTION, at)
            return


def _included(unit: Unit) -> list[Item]:
    """The words behind "including", or before an "included" at the end, back to the comma."""
    mark = next((cue for cue in unit.cues if cue.name == "condition.inclusion"), None)
    if mark is not None:
        return [item for item in unit.items if item.start > mark.start]
    last = unit.items[-1] if unit.items else None
    if last is None or last.text.casefold() != _INCLUDED or last.segment == 0:
        return []
    return [item for item in unit.items if item.segment == last.segment and item is not last]


def _denial(alignment: Alignment, inside: list[Item], rule: list[Item]) -> Item | None:
    """The predicate that the sentence denies of all of `inside`, or that takes it out; nothing else is said there."""
    source = alignment.source
    partners = [_there(alignment, item) for item in inside]
    homes = {there.segment for there in partners if there is not None}
    if len(homes) != 1 or None in partners or alignment.opposed:
        return None
    home = homes.pop()
    denied = [cue for cue in source.of("negation") if cue.segment == home and cue.name == "negation.clause"]
    rest = [item for item in source.items if item.segment == home and item not in partners]
    bound = any(cue.table in _OPEN for cue in source.cues) or len(source.of("negation")) != len(denied)
    if not rest or bound or not all(_told(alignment.claim, value) for value in source.claimed):
        return None
    if not denied:
        return rest[0] if len(rest) == 1 and rest[0].keys & _TAKEN_OUT else None
    behind = [item for item in rest if item.start > denied[0].start]
    known = all(any(_alike(item, one) for one in rule) for item in rest)
    return behind[0] if len(denied) == 1 and known and behind else None


def _there(alignment: Alignment, item: Item) -> Item | None:
    """Its partner, or the word it would have if the claim did not have it twice."""
    alike = (one for one in alignment.source.items if one.keys & item.keys)
    return alignment.partner(item) or next(alike, None)


def _told(claim: Unit, value: Value) -> bool:
    return any(compare(own, value).relation is Relation.ENTAILED for own in claim.values)


def _alike(item: Item, other: Item) -> bool:
    return bool(item.keys & other.keys) or related(item.text, other.text)


def _stated(case: Case, exception: Alignment, inside: list[Item], rule: list[Item]) -> bool:
    """Another sentence states the rule; where the passage of the exception is another one, it speaks of the same."""
    said = [item for item in rule if item.text.casefold() != _INCLUDED]
    for alignment in case.alignments:
        found = [item for item in said if alignment.partner(item)]
        if alignment is exception or len(found) < _FEWEST or len(found) * 2 < len(said):
            continue
        units = (unit for unit, _ in case.library.units_of({exception.span_id}))
        about = any(_alike(item, one) for unit in units for one in unit.items for item in found if item not in inside)
        if about and not alignment.source.of("condition"):
            return True
    return False
