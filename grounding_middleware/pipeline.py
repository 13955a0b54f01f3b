"""The pipeline, written once and without I/O.

`verify` is a generator: it yields batches of model calls, is sent the replies and returns the report. The two drivers
of `judges.driving` run it, one sync, one async; there is no second copy of any logic. `Grounder` holds the settings.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from grounding_middleware import __version__
from grounding_middleware import citations as citing
from grounding_middleware.checks import CHECKS, Check, Library
from grounding_middleware.citations import CitationSyntax
from grounding_middleware.claims import split
from grounding_middleware.claims.risk import RiskRules, classify_risk
from grounding_middleware.editing import edit
from grounding_middleware.judges import Batch, Cascade, Replies, models_of
from grounding_middleware.judging import is_undecided, judged
from grounding_middleware.policy import Policy, decide, released, weigh, withheld
from grounding_middleware.records import Capture, Evidence, FrozenDict, Report, Verdict
from grounding_middleware.verdicts import Setting, by_rules

_DEFAULT_LANGUAGE: Final = "en"  # when no word of answer or question tells: function words of others would have told


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
    """What is the same for all answers: the policy, the judges, the checks, and how answers are read.

    `versions` are entries of the user's own for `Report.versions`.
    """

    policy: Policy
    cascade: Cascade | None
    checks: tuple[Check, ...] = CHECKS
    syntax: CitationSyntax = field(default_factory=CitationSyntax)
    risks: RiskRules = field(default_factory=RiskRules)
    versions: Mapping[str, str] = field(default_factory=dict)

    def verify(self, request: Request) -> Generator[Batch, Replies, Report]:
        """The whole pipeline without I/O: yields batches of model calls, receives replies, returns the report."""
        answer, evidence = request.answer, request.evidence
        citations = citing.resolve(answer, evidence, self.syntax)
        statements = classify_risk(split(answer, citations, request.question), self.risks)
        claims = citing.attach(statements, citations, answer)
        language = next((claim.language for claim in claims if claim.language), "") or _DEFAULT_LANGUAGE
        library = Library(evidence, language)
        setting = Setting(answer, request.question, citations, evidence, library, language, self.checks)
        verdicts = by_rules(claims, setting)
        if self.cascade is not None:
            verdicts = yield from judged(verdicts, setting, self.cascade, self.policy, request.answer_id)
        verdicts, decision = decide(verdicts, self.policy)
        text, edits, verdicts = edit(answer, verdicts, citations)
        decision = weigh(verdicts, self.policy)
        return Report(
            answer_id=request.answer_id,
            question=request.question,
            answer=answer,
            text=released(decision, text, self.policy, withheld(verdicts)),
            decision=decision,
            claims=verdicts,
            citations=citations,
            evidence=evidence,
            edits=edits,
            notices=_notices(verdicts, evidence),
            checks_run=tuple(check.__module__.rpartition(".")[2] for check in self.checks),
            capture=request.capture,
            versions=FrozenDict(
                self.versions,
                package=__version__,
                policy=self.policy.version,
                judges=list(models_of(self.cascade)) if self.cascade else [],
            ),
        )


def _notices(verdicts: Sequence[Verdict], evidence: Evidence) -> tuple[str, ...]:
    found: list[str] = []
    undecided = sum(is_undecided(verdict) for verdict in verdicts)
    if undecided:
        found.append(f"{undecided} claim(s) were checked by nobody: no rule decides them and no judge was asked")
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
