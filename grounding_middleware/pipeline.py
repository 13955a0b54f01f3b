"""The pipeline, written once and without I/O.

`verify` is a generator: it yields batches of model calls, is sent the replies and returns the report. The two drivers
of `judges.driving` run it, one sync, one async; there is no second copy of any logic. `Grounder` holds the settings.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grounding_middleware import __version__
from grounding_middleware.checks import coverage
from grounding_middleware.conflicts import conflicts_of
from grounding_middleware.examining import Examiner
from grounding_middleware.judges import Batch, Cascade, Replies, models_of
from grounding_middleware.judging import is_undecided, judged
from grounding_middleware.policy import Policy, decide, released, weigh, withheld
from grounding_middleware.records import Capture, Evidence, FrozenDict, Report, Verdict
from grounding_middleware.repair import Original, Outcome, Repair, removed, repaired


@dataclass(frozen=True, slots=True)
class Request:
    """One answer to verify, already validated."""

    answer: str
    question: str
    evidence: Evidence
    answer_id: str
    capture: Capture | None = None


@dataclass(frozen=True, slots=True)
class Pipeline:
    """What is the same for all answers: the policy, the judges, how answers are read, and whether they are repaired.

    `versions` are entries of the user's own for `Report.versions`.
    """

    policy: Policy
    cascade: Cascade | None
    examiner: Examiner = field(default_factory=Examiner)
    repair: Repair | None = None
    versions: Mapping[str, str] = field(default_factory=dict)

    def verify(self, request: Request) -> Generator[Batch, Replies, Report]:
        """The whole pipeline without I/O: yields batches of model calls, receives replies, returns the report."""
        found = self.examiner.examine(request.answer, request.question, request.evidence)
        verdicts = found.verdicts
        if self.cascade is not None:
            verdicts = yield from judged(verdicts, found.setting, self.cascade, self.policy, request.answer_id)
        treated, _ = decide(verdicts, self.policy)
        original = Original(self.examiner, found, treated)
        outcome = yield from self._edited(original)
        decision = weigh(outcome.verdicts, self.policy, outcome.repaired)
        gone = withheld(outcome.verdicts, outcome.repaired)
        return Report(
            answer_id=request.answer_id,
            question=request.question,
            answer=request.answer,
            text=released(decision, outcome.text, self.policy, gone),
            decision=decision,
            claims=outcome.verdicts,
            citations=found.setting.citations,
            evidence=request.evidence,
            conflicts=conflicts_of(outcome.verdicts, found.setting),
            edits=outcome.edits,
            repairs=outcome.attempts,
            drafts=outcome.drafts,
            notices=_notices(outcome.verdicts, request.evidence),
            checks_run=tuple(check.__module__.rpartition(".")[2] for check in self.examiner.checks),
            capture=request.capture,
            versions=FrozenDict(self.versions, **self._versions()),
        )

    def _edited(self, original: Original) -> Generator[Batch, Replies, Outcome]:
        if self.repair is None:
            return removed(original)
        return (yield from repaired(original, self.repair, self.policy, self.cascade))

    def _versions(self) -> dict[str, Any]:
        own = {"repair": self.repair.version} if self.repair else {}
        judges = list(models_of(self.cascade)) if self.cascade else []
        return {"package": __version__, "policy": self.policy.version, "judges": judges, **own}


def _notices(verdicts: Sequence[Verdict], evidence: Evidence) -> tuple[str, ...]:
    found: list[str] = []
    undecided = sum(is_undecided(verdict) for verdict in verdicts)
    if undecided:
        found.append(f"{undecided} claim(s) were checked by nobody: no rule decides them and no judge was asked")
    found += sorted({f.message for verdict in verdicts for f in verdict.findings if f.check == coverage.CHECK})
    if not evidence.usable:
        found.append("there is no usable evidence: nothing in this answer can be supported")
    elif not evidence.enough:
        found.append(
            f"there are {len(evidence.usable)} usable spans, at least {evidence.minimum} are needed: nothing in this "
            "answer can be supported"
        )
    if evidence.as_of is None and any(span.effective_from or span.effective_to for span in evidence.spans):
        found.append("as_of was not given: the dates in force of the sources were not checked")
    found += [
        f"span {status.span_id} cannot support anything: {status.reason}"
        for status in evidence.statuses
        if not status.usable
    ]
    return tuple(found)
