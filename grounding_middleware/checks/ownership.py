"""The value of another sentence (CH-1): what the evidence says of something else, told of the claim's own thing.

"On Fridays there is a night market, from 6 p.m. to 10.30 p.m. The car park closes at midnight" and "the night market
goes on until midnight". The sentence about the thing gives its value; the claim's stands only where its words do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from grounding_middleware.checks.alignment import Alignment, align
from grounding_middleware.checks.binding import own_rivals
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.checks.derivation import may_follow
from grounding_middleware.reading.subjects import leans_back
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.reading.values import Relation, Value, ValueKind, compare
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("values")
_FEWEST: Final = 2  # words of the claim the sentence about its thing must have
_MARKS: Final = ("condition", "negation", "certainty", "modality")
_SHARED: Final = 2  # words that two sentences of one form have in common
_OWN: Final = 2  # and those that set one of them apart
_PACKS: Final = (4, 5, 6, 8, 10, 12, 20)
_HEDGES: Final = ("condition", "negation", "certainty", "quantity")
_SORTS: Final = {
    ValueKind.TIME: ValueKind.TIME,
    ValueKind.DATE: ValueKind.DATE,
    ValueKind.MONEY: ValueKind.MONEY,
    ValueKind.QUANTITY: ValueKind.QUANTITY,
    ValueKind.DURATION: ValueKind.DURATION,
    ValueKind.CALENDAR_DURATION: ValueKind.DURATION,
}


@dataclass(frozen=True, slots=True)
class _Home:
    """A unit that states the claim's value, aligned with the claim."""

    alignment: Alignment
    value: Value


def of_another_thing(case: Case, value: Value) -> Iterator[Finding]:
    """A conflict where the claim's own sentence gives one other value of this sort; a doubt where it is less plain."""
    if value.kind not in _SORTS or value.approx or not case.alignments or case.alignments[0].source.tabular:
        return
    homes = _homes(case, value)
    about = _about(case, [home.alignment.source for home in homes])
    if not homes or about is None:
        return
    twins = all(_parallel(home.alignment.source, about) for home in homes)
    if not twins and not all(_elsewhere(home, about) for home in homes):
        return
    rivals = _rivals(value, about, apiece=twins)
    if not rivals:
        return
    message = f"source '{rivals[0].text}', answer '{value.text}', which is said of something else"
    certain = len(rivals) == 1 and (twins or _plain(case.unit, about)) and not _apiece(value, rivals[0])
    certain = certain and not may_follow(case, value, about.source)
    build = _REPORT.conflict if certain else _REPORT.doubt
    yield build("value-of-another-sentence", message, Kind.BINDING, place(about, value, rivals[0]))


def _apiece(value: Value, other: Value) -> bool:
    """One piece of a pack, or the pack of one piece: the price of a ticket of ten trips told for one."""
    one, two = value.exact, other.exact
    if not one or not two or value.kind is not ValueKind.MONEY:
        return False
    return max(one / two, two / one) in _PACKS


def _homes(case: Case, value: Value) -> list[_Home]:
    """The units that state the value, or of which it is one end: "until 5 p.m." of "from 9 a.m. to 5 p.m."."""
    found = []
    for unit, span_id in case.library.units_of(case.cited):
        stated = next((other for other in unit.values if _states(value, other)), None)
        if stated is not None:
            found.append(_Home(align(case.unit, unit, span_id), stated))
    return found


def _states(value: Value, other: Value) -> bool:
    if _SORTS.get(other.kind) is not _SORTS[value.kind]:
        return False
    ends = {end for end in (value.interval.low, value.interval.high) if end is not None}
    inside = ends & {other.interval.low, other.interval.high}
    same = compare(value, other).relation is compare(other, value).relation is Relation.ENTAILED
    return same or bool(inside)


def _about(case: Case, homes: Sequence[Unit]) -> Alignment | None:
    """The sentence with all words of the claim but one that only tells them otherwise ("goes on", "lasts")."""
    for one in case.alignments:
        if one.source in homes or one.opposed or len(one.pairs) < _FEWEST or one.by_title:
            continue
        if len(one.claim_left) <= 1 and not any(item.name or item.code for item in one.claim_left):
            return one
    return None


def _elsewhere(home: _Home, about: Alignment) -> bool:
    """Says something of its own: less of the claim than the right sentence has, and words that the claim has not."""
    found, unit = home.alignment, home.alignment.source
    if leans_back(unit) or unit.context or unit.tabular or unit.start == about.source.start:
        return False
    shared = [mine for mine, _ in found.pairs]
    known = {id(mine) for mine, _ in about.pairs}
    own = [item for item in unit.items if item.end <= home.value.start and not _in(item, found)]
    return all(id(mine) in known for mine in shared) and len(shared) < len(about.pairs) and bool(own)


def _parallel(home: Unit, about: Alignment) -> bool:
    """The same is said of two things, in one form: "Lift A ... was inspected on 4 March. Lift B ... on 19 May".

    The claim names what sets its own sentence apart, and not what stands in that place of the other.
    """
    mine = about.source
    own = [n for n, item in enumerate(mine.items) if not item.keys & home.keys and not item.text.isdigit()]
    foreign = [n for n, item in enumerate(home.items) if not item.keys & mine.keys and not item.text.isdigit()]
    paired = {id(there) for _, there in about.pairs}
    if (
        len(mine.items) - len(own) < _SHARED
        or not own
        or not foreign
        or own[0] != foreign[0]
        or max(len(own), len(foreign)) > _OWN
    ):
        return False
    marks = [{cue.name for cue in unit.cues if cue.table in _MARKS} for unit in (home, mine)]
    named = all(id(mine.items[n]) in paired for n in own)
    return named and not home.items[foreign[0]].keys & about.claim.keys and marks[0] == marks[1]


def _in(item: Item, found: Alignment) -> bool:
    return any(there is item for _, there in found.pairs)


def _rivals(value: Value, about: Alignment, *, apiece: bool) -> list[Value]:
    """The values there that exclude the claim's; of several the one whose clause the claim has every word of.

    With `apiece` what one of the two counts each for is left open.
    """
    values = (replace(other, per="") if apiece and not value.per else other for other in about.source.values)
    found = [(other, compare(value, other)) for other in values if _rival(value, other)]
    return [other for other, _ in own_rivals(about, found) or found]


def _rival(value: Value, other: Value) -> bool:
    """A value of the same sort that cannot hold beside the claim's."""
    if _SORTS.get(other.kind) is not _SORTS[value.kind] or other.is_name:
        return False
    if value.bound and other.interval.is_range and not other.bound:
        ends = {end for end in (value.interval.low, value.interval.high) if end is not None}
        return not ends & {other.interval.low, other.interval.high}
    return compare(value, other).relation is Relation.DISJOINT


def _plain(claim: Unit, about: Alignment) -> bool:
    """Nothing that could reconcile the two: as few other words as the claim has, the same cues, no other segment."""
    marks = [{cue.name for cue in unit.cues if cue.table in _HEDGES} for unit in (claim, about.source)]
    return len(about.source_left) * 2 <= len(about.pairs) and marks[0] == marks[1]
