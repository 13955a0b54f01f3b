"""Conditions, exceptions and order (CH-5): dropped, added or turned round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.checks.framing import clauses_exchanged
from grounding_middleware.checks.onlyif import only_if
from grounding_middleware.reading.units import Cue, Unit
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("conditions")
_OPPOSITE: Final = {
    ("condition.unless", "condition.only_if"): Kind.CONDITION,
    ("condition.only_if", "condition.unless"): Kind.CONDITION,
    ("condition.unless", "condition.if"): Kind.CONDITION,
    ("condition.if", "condition.unless"): Kind.CONDITION,
    ("condition.exception", "condition.inclusion"): Kind.EXCEPTION,
    ("condition.inclusion", "condition.exception"): Kind.EXCEPTION,
    ("time.before", "time.after"): Kind.ORDER,
    ("time.after", "time.before"): Kind.ORDER,
    ("time.until", "time.since"): Kind.DATE,
    ("time.since", "time.until"): Kind.DATE,
}
"""(source, claim) openers of the same words that cannot both hold."""
_LIMITS: Final = ("condition.if", "condition.only_if", "condition.unless", "condition.exception")


def check(case: Case) -> Iterator[Finding]:
    """Conflict where the same words follow the opposite connective; doubt where a condition is on one side only."""
    for alignment in case.anchored:
        turned = list(_turned(alignment)) or list(_exchanged(alignment))
        yield from turned
        if not turned:
            yield from _one_sided(alignment)
    yield from only_if(case.alignments)


def _turned(alignment: Alignment) -> Iterator[Finding]:
    for mine in _openers(alignment.claim):
        for theirs in _openers(alignment.source):
            kind = _OPPOSITE.get((theirs.name, mine.name))
            if kind is None or not _same_words(alignment, mine, theirs):
                continue
            message = f"source '{theirs.text}', answer '{mine.text}', before the same words"
            build = _REPORT.conflict if _certain(alignment) else _REPORT.doubt
            yield build("connective-turned", message, kind, place(alignment, mine, theirs))


def _exchanged(alignment: Alignment) -> Iterator[Finding]:
    """What follows "before" or "after" and what it is said of changed places."""
    cue = clauses_exchanged(alignment)
    if cue is not None:
        message = f"what stands on the one side of '{cue.text}' in the source stands on the other in the answer"
        build = _REPORT.conflict if _certain(alignment) and not alignment.source_left else _REPORT.doubt
        yield build("clauses-exchanged", message, Kind.ORDER, place(alignment, cue, None))


def _openers(unit: Unit) -> list[Cue]:
    return [cue for cue in unit.cues if cue.table in ("condition", "time")]


def _same_words(alignment: Alignment, mine: Cue, theirs: Cue) -> bool:
    """What follows one connective follows the other: at least one pair in both segments, none across."""
    pairs = [
        (here, there)
        for here, there in alignment.pairs
        if here.segment == mine.segment and here.position > mine.position
    ]
    return bool(pairs) and all(there.segment == theirs.segment for _, there in pairs)


def _certain(alignment: Alignment) -> bool:
    """Negations make "if not" and "unless" say the same; then nothing is certain."""
    return alignment.tight and not alignment.claim.of("negation") and not alignment.source.of("negation")


def _one_sided(alignment: Alignment) -> Iterator[Finding]:
    mine = [cue for cue in alignment.claim.cues if cue.name in _LIMITS]
    theirs = [cue for cue in alignment.source.cues if cue.name in _LIMITS]
    if theirs and not mine:
        message = f"source '{theirs[0].text} …', the answer drops it"
        kind = Kind.EXCEPTION if theirs[0].name == "condition.exception" else Kind.CONDITION
        yield _REPORT.doubt("condition-dropped", message, kind, place(alignment, None, theirs[0]))
    elif mine and not theirs:
        message = f"answer '{mine[0].text} …', the source has no such condition"
        yield _REPORT.doubt("condition-added", message, Kind.CONDITION, place(alignment, mine[0], None))
