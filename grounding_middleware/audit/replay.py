"""Replay: stored answers scored again, offline, and compared with what was decided then (SPEC AU-4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from grounding_middleware.audit.answers import report_of
from grounding_middleware.audit.comparing import Comparison, compare
from grounding_middleware.audit.records import AuditRecord, RecordKind
from grounding_middleware.audit.redaction import MASK
from grounding_middleware.audit.rescoring import by_verifier, under_policy
from grounding_middleware.errors import InputError
from grounding_middleware.grounder import Grounder
from grounding_middleware.policy import Policy
from grounding_middleware.records import Record, Report, Verdict

Rescore = Callable[[Report], Report]
"""Scores the report of a stored answer again."""


class Skipped(Record):
    """A stored answer that cannot be scored again, and why."""

    seq: int
    answer_id: str
    reason: str


def replay(records: Iterable[AuditRecord], rescore: Rescore) -> Iterator[Comparison | Skipped]:
    """One result for each answer in `records`, in order; none is left out silently."""
    for record in records:
        if record.kind is not RecordKind.ANSWER:
            continue
        try:
            report = report_of(record)
            again = rescore(report)
        except InputError as error:
            yield Skipped(seq=record.seq, answer_id=record.subject, reason=str(error))
        else:
            yield compare(report, again, seq=record.seq, notes=_notes(report, again))


def policy_of(policy: Policy) -> Rescore:
    """Replay under another policy: the verdicts stay."""
    return lambda report: under_policy(report, policy)


def verifier_of(grounder: Grounder) -> Rescore:
    """Replay by another verifier; verdicts on claims with hidden text stay, for nobody can judge those again."""
    return lambda report: by_verifier(report, grounder, stands=is_masked)


def is_masked(verdict: Verdict) -> bool:
    """Whether something in the claim was hidden before it was stored."""
    return MASK in verdict.text or MASK in verdict.context


def _notes(report: Report, again: Report) -> tuple[str, ...]:
    hidden = sum(map(is_masked, report.claims))
    repaired = 0 if again.repairs else sum(attempt.accepted for attempt in report.repairs)
    return (
        *((f"{hidden} claim(s) hold hidden text and keep their verdict",) if hidden else ()),
        *((f"{repaired} repair(s) are not made again: what was repaired counts as removed",) if repaired else ()),
    )
