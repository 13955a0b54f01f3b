"""Duties (CH-4): what must, need not, may and must not be, whatever words say it: "muss nicht" is "nicht erforderlich".

Two statuses that cannot both hold of the same act or thing are a conflict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from grounding_middleware.checks.acts import names_act, relative_told_before, subject_unsaid
from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.binding import states_all
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.checks.deontic import Duty, last_segment, statuses
from grounding_middleware.checks.duty_words import Status, listed_status, says_only_that
from grounding_middleware.checks.roles import crossings
from grounding_middleware.reading.lemmas import related
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.records import Finding, Kind

__all__ = ["alike", "duties", "same_status"]

_REPORT: Final = Reporter("modality")
_AGAINST: Final = (
    {Status.REQUIRED, Status.WAIVED},
    {Status.REQUIRED, Status.FORBIDDEN},
    {Status.WAIVED, Status.FORBIDDEN},
    {Status.ALLOWED, Status.FORBIDDEN},
)
_BROAD: Final = (Status.REQUIRED, Status.ALLOWED)  # said of a part, the opposite of the whole is wrong all the same
_LEFT: Final = 2  # words of the source beside those of the claim, at most
_MOVED: Final = 2  # words with a preposition on one side only, at most


def duties(case: Case) -> Iterator[Finding]:
    """A conflict where the best sentence about the same act or thing gives it a status the claim's excludes."""
    mine = list(statuses(case.unit))
    for alignment in case.alignments if mine else ():
        if alignment.source.language != case.unit.language:
            continue
        for own, their in ((own, their) for own in mine for their in statuses(alignment.source)):
            if _excluded(alignment, own, their) and _same_act(case, alignment, own, their):
                message = (
                    f"source '{their.word.text}' ({their.status.value}), answer '{own.word.text}' ({own.status.value})"
                )
                yield _REPORT.conflict("duty-turned", message, Kind.MODALITY, place(alignment, own.word, their.word))
                return


def same_status(alignment: Alignment) -> bool:
    """Something else than a negation may say the same: "ne peut pas" and "interdit", "exempt from"."""
    language = alignment.claim.language
    for item in (*alignment.claim_left, *alignment.source_left):
        if listed_status(item, language) in (Status.FORBIDDEN, Status.WAIVED):
            return True
    mine = list(statuses(alignment.claim))
    theirs = [duty for duty in statuses(alignment.source) if duty.segment in alignment.touched]
    if len(mine) != 1 or any({mine[0].status, their.status} in _AGAINST for their in theirs):
        return False
    return any(_said_otherwise(mine[0], their) for their in theirs)


def _said_otherwise(mine: Duty, theirs: Duty) -> bool:
    """The same status, or leave to do and not to do it, told by other words or in a clause of its own."""
    told = {mine.status, theirs.status}
    otherwise = mine.word.text.casefold() != theirs.word.text.casefold() or theirs.word.segment != theirs.segment
    return otherwise and (len(told) == 1 or told == {Status.ALLOWED, Status.WAIVED})


def alike(one: Item, other: Item) -> bool:
    """The same word, or one of its family: "zustimmt", "Zustimmung"."""
    return bool(one.keys & other.keys) or related(one.text, other.text)


def _excluded(alignment: Alignment, mine: Duty, theirs: Duty) -> bool:
    """The two statuses cannot both hold of the same: the thing named on one side is what the other asks for."""
    if {mine.status, theirs.status} not in _AGAINST:
        return False
    if mine.thing is None and theirs.thing is None:
        return True
    if mine.thing is not None and theirs.thing is not None:
        return alike(mine.thing, theirs.thing)
    told, thing, unit = (theirs, mine.thing, alignment.source) if mine.thing else (mine, theirs.thing, alignment.claim)
    if thing is None or not told.asks:
        return False
    asked = [item for item in unit.items if item.segment == told.segment and not item.prep and alike(item, thing)]
    return bool(asked)


def _same_act(case: Case, alignment: Alignment, mine: Duty, theirs: Duty) -> bool:
    """Every other word of the claim stands in that clause, which says little beside it and limits nothing more."""
    claim, reach = alignment.claim, _reach(alignment, theirs)
    there = [item for item in _content(alignment.source) if item.segment in reach]
    before = relative_told_before(case, alignment)
    unsaid = subject_unsaid(claim, mine, there)
    said = [item for item in _content(claim) if item not in before and item not in unsaid]
    if not said or not _one_act(claim, said) or not _unlimited(alignment, theirs) or not states_all(alignment):
        return False
    left = [item for item in there if not any(_names(item, own, mine) for own in said)]
    if left and (theirs.status not in _BROAD or len(reach) > 1):
        return False  # "need not be filed in person" does not say that it need not be filed
    named = all(any(_names(item, own, mine) for item in there) for own in said)
    return named and len(left) < min(_LEFT, len(said)) and _same_roles(alignment)


def _reach(alignment: Alignment, theirs: Duty) -> frozenset[int]:
    """The clause of the status, and what else of the sentence the claim repeats where that has no status of its own."""
    reach = alignment.touched | {theirs.segment}
    others = [duty for duty in statuses(alignment.source) if duty.segment in reach and duty != theirs]
    return frozenset({theirs.segment}) if others else reach


def _one_act(claim: Unit, said: Sequence[Item]) -> bool:
    """The claim's words stand in one clause, or under one status."""
    return len({item.segment for item in said}) == 1 or len(list(statuses(claim))) == 1


def _content(unit: Unit) -> Sequence[Item]:
    return [item for item in unit.items if not says_only_that(item, unit.language)]


def _names(item: Item, own: Item, mine: Duty) -> bool:
    return alike(item, own) or (mine.word.position < own.position and names_act(item, own))


def _same_roles(alignment: Alignment) -> bool:
    """Nothing changed places, where the order of words tells who acts."""
    if lexicon(alignment.claim.language).free_order:
        return True
    moved = [one for one, two in alignment.pairs if bool(one.prep) != bool(two.prep)]
    return len(moved) <= _MOVED and next(crossings(alignment), None) is None


def _unlimited(alignment: Alignment, theirs: Duty) -> bool:
    """The same conditions on both sides; no hedge of the claim's, and none that weakens what the source says."""
    claim, source = alignment.claim, alignment.source
    if any(segment.opener == "but" for segment in source.segments[last_segment(source, theirs.word.segment) + 1 :][:1]):
        return False
    hedged = any(cue.table == "certainty" and cue.name != "certainty.strong" for cue in source.cues)
    return not claim.of("certainty") and not hedged and _conditions(claim) == _conditions(source)


def _conditions(unit: Unit) -> Sequence[str]:
    return sorted(
        cue.name for cue in unit.cues if cue.table in ("condition", "time") and cue.name != "condition.inclusion"
    )
