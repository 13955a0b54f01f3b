"""Which labelled claims fared worse, or better, in the later run: each change by name, in both error directions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final

from grounding_middleware.evaluation.comparing.pairing import Both
from grounding_middleware.evaluation.golden import PASSES, GoldLabel, Segments, Side
from grounding_middleware.evaluation.measures.model import flagged
from grounding_middleware.evaluation.runs import Fate, ScoredClaim
from grounding_middleware.labels import Label
from grounding_middleware.records import FrozenDict, Record

__all__ = ["WORSE", "Change", "ChangedClaim", "changes"]


class Change(StrEnum):
    """What became different for one claim.

    | change | the claim | before | after |
    |---|---|---|---|
    | `escaped` | must be flagged | flagged or undecided | passed |
    | `missed` | must be flagged | flagged | undecided |
    | `false_alarm` | must pass | passed or undecided | flagged |
    | `lost` | must pass | passed | undecided |
    | `dropped` | any | stands in a claim | stands in none, so nobody looked at it (CL-3), and nothing above says so |
    | `released` | must be flagged | did not reach the reader | reaches the reader, its label is no worse |
    | `crashed` | any, told once an answer | checked | the check crashed |
    | `caught`, `held` | must be flagged | undecided or passed; passed | flagged; undecided |
    | `cleared`, `unflagged` | must pass | undecided or flagged; flagged | passed; undecided |
    | `found` | any | stood in no claim | stands in one, and nothing above says so |
    | `withheld` | must be flagged | reached the reader | does not any more, its label is no better |
    | `recovered` | any, told once an answer | the check crashed | checked |
    """

    ESCAPED = "escaped"
    MISSED = "missed"
    FALSE_ALARM = "false_alarm"
    LOST = "lost"
    DROPPED = "dropped"
    RELEASED = "released"
    CRASHED = "crashed"
    CAUGHT = "caught"
    HELD = "held"
    CLEARED = "cleared"
    UNFLAGGED = "unflagged"
    FOUND = "found"
    WITHHELD = "withheld"
    RECOVERED = "recovered"


WORSE: Final = frozenset(
    {
        *(Change.ESCAPED, Change.MISSED, Change.FALSE_ALARM, Change.LOST),
        *(Change.DROPPED, Change.RELEASED, Change.CRASHED),
    }
)
"""The changes for the worse."""

_FLAGGED, _UNDECIDED, _PASSED = range(3)
_OF_BAD: Final[Mapping[tuple[int, int], Change]] = {
    (_FLAGGED, _UNDECIDED): Change.MISSED,
    (_FLAGGED, _PASSED): Change.ESCAPED,
    (_UNDECIDED, _PASSED): Change.ESCAPED,
    (_UNDECIDED, _FLAGGED): Change.CAUGHT,
    (_PASSED, _FLAGGED): Change.CAUGHT,
    (_PASSED, _UNDECIDED): Change.HELD,
}
_OF_GOOD: Final[Mapping[tuple[int, int], Change]] = {
    (_PASSED, _UNDECIDED): Change.LOST,
    (_PASSED, _FLAGGED): Change.FALSE_ALARM,
    (_UNDECIDED, _FLAGGED): Change.FALSE_ALARM,
    (_UNDECIDED, _PASSED): Change.CLEARED,
    (_FLAGGED, _PASSED): Change.CLEARED,
    (_FLAGGED, _UNDECIDED): Change.UNFLAGGED,
}
_REACHES: Final = frozenset({Fate.KEPT})


class ChangedClaim(Record):
    """One labelled claim that both runs treat differently: `answer[start:end] == text` in the answer `id`.

    Of an answer whose check crashed the whole text stands here once, with `gold` and labels None.
    """

    change: Change
    id: str
    text: str
    start: int
    end: int
    gold: GoldLabel | None = None
    before: Label | None = None
    after: Label | None = None
    rules_before: tuple[str, ...] = ()
    rules_after: tuple[str, ...] = ()
    note: str = ""
    segments: Segments = FrozenDict()

    @property
    def worse(self) -> bool:
        """Whether the later run is the worse one here."""
        return self.change in WORSE


def changes(both: Both) -> Iterator[ChangedClaim]:
    """The changes of one answer, in its order; claims that may be flagged or passed have none."""
    one, other = both
    if one.error or other.error:
        if not (one.error and other.error):
            change = Change.CRASHED if other.error else Change.RECOVERED
            note = other.error or one.error
            yield ChangedClaim(
                change=change,
                id=one.id,
                text=one.answer,
                start=0,
                end=len(one.answer),
                note=note,
                segments=one.segments,
            )
        return
    for first, second in zip(one.gold_claims, other.gold_claims, strict=True):
        change_of = _change(first, second)
        if change_of:
            yield _told(one.id, {**one.segments, **first.segments}, change_of, (first, second))


def _told(
    answer_id: str, segments: Mapping[str, str], change: Change, both: tuple[ScoredClaim, ScoredClaim]
) -> ChangedClaim:
    first, second = both
    return ChangedClaim(
        change=change,
        id=answer_id,
        text=first.text,
        start=first.start,
        end=first.end,
        gold=first.gold,
        before=first.label,
        after=second.label,
        rules_before=first.rules,
        rules_after=second.rules,
        segments=FrozenDict(segments),
    )


def _change(first: ScoredClaim, second: ScoredClaim) -> Change | None:
    states = _state(first), _state(second)
    if first.side is Side.PASS:
        change = _OF_GOOD.get(states)
    elif first.side is Side.FLAG:
        change = _OF_BAD.get(states) or _moved(first, second)
    else:
        return None
    if second.label is None is not first.label and change in (None, Change.LOST):
        return Change.DROPPED
    if first.label is None is not second.label and change is None:
        return Change.FOUND
    return change


def _moved(first: ScoredClaim, second: ScoredClaim) -> Change | None:
    """What became of its text, where the label is as good as it was."""
    reached, reaches = (claim.fate in _REACHES for claim in (first, second))
    return None if reached is reaches else (Change.RELEASED if reaches else Change.WITHHELD)


def _state(claim: ScoredClaim) -> int:
    if flagged(claim):
        return _FLAGGED
    return _PASSED if claim.label in PASSES else _UNDECIDED
