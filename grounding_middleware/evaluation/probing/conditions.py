"""Conditions and exceptions cut off: what holds under a condition is said to hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.evaluation.probing.ground import Subject
from grounding_middleware.evaluation.probing.phrases import change_of, cut
from grounding_middleware.evaluation.probing.statements import Change
from grounding_middleware.reading.units import Cue

__all__ = ["condition_cut", "exception_cut"]

_CONDITIONS: Final = frozenset({"condition.if", "condition.only_if"})
_EXCEPTIONS: Final = frozenset({"condition.unless", "condition.exception"})
_FEW: Final = 2  # content words of what is left


def condition_cut(subject: Subject) -> Iterator[Change]:
    """The clause with "if", "provided that", "only if" is gone."""
    for cue in subject.unit.cues:
        if cue.name in _CONDITIONS and _is_condition(subject, cue):
            yield from _cut(subject, cue)
            return


def exception_cut(subject: Subject) -> Iterator[Change]:
    """The clause with "unless" or "except" is gone."""
    for cue in subject.unit.cues:
        if cue.name in _EXCEPTIONS:
            yield from _cut(subject, cue)
            return


def _is_condition(subject: Subject, cue: Cue) -> bool:
    """Not "even if", "see if", "once" or "if they wish"; a word that may only tell the time needs a rule around it."""
    before = subject.norms[cue.position - 1] if cue.position else ""
    if before in (*subject.words.list("concessive"), *subject.words.list("asking")):
        return False
    if set(subject.norms) & {
        *subject.words.list("past"),
        *subject.words.list("wishes"),
    } or cue.text.casefold() in subject.words.list("moments"):
        return False
    return cue.text.casefold() not in subject.words.list("soft_conditions") or subject.has("modality")


def _cut(subject: Subject, cue: Cue) -> Iterator[Change]:
    change = _leading(subject, cue) if cue.position == 0 else _trailing(subject, cue)
    if change is None:
        return
    left = subject.changed(change)
    if (
        len(left.items) >= _FEW
        and not any(one.table == "condition" for one in left.cues)
        and not subject.restated(change)
    ):
        yield change


def _leading(subject: Subject, cue: Cue) -> Change | None:
    """Up to the only comma."""
    commas = [token for token in subject.tokens if token.text == ","]
    if len(commas) != 1:
        return None
    return change_of(subject, cut(subject, cue.start, commas[0].end))


def _trailing(subject: Subject, cue: Cue) -> Change | None:
    """To the end, with the comma and the word that leads over; nothing when another sentence follows inside."""
    at = cue.position
    while at > 1 and (subject.norms[at - 1] in subject.words.list("left_over") or subject.tokens[at - 1].text in ",;("):
        at -= 1
    rest = subject.answer[cue.start : subject.statement.end]
    if any(mark in rest for mark in (";", ":", " –", " —", "[")) or rest.count("(") != rest.count(")"):
        return None
    return change_of(subject, cut(subject, subject.tokens[at].start, subject.statement.end))
