"""The pipeline, written once and without I/O, and the `Grounder` that drives it.

`verify` is a generator: it yields batches of model calls, is sent the replies and returns the report. The two drivers
of `judges.driving` run it, one sync, one async; there is no second copy of any logic.
"""

from __future__ import annotations

import warnings
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from grounding_middleware import __version__
from grounding_middleware import citations as citing
from grounding_middleware.checks import CHECKS, Check, Library
from grounding_middleware.claims import split
from grounding_middleware.editing import edit
from grounding_middleware.errors import InputError
from grounding_middleware.evidence import EvidenceItem, build, delivered_ranges
from grounding_middleware.judges import (
    Batch,
    Cascade,
    JudgeItem,
    JudgeTask,
    Opinion,
    Replies,
    arun,
    as_cascade,
    models_of,
    run,
)
from grounding_middleware.judges.independence import same_models
from grounding_middleware.policy import Policy, decide, released, weigh, withheld
from grounding_middleware.records import (
    CallRecord,
    Capture,
    Evidence,
    FrozenDict,
    Kind,
    Label,
    Outcome,
    Report,
    Span,
    Verdict,
    sha256,
)
from grounding_middleware.verdicts import Setting, by_rules, cited_spans

MAX_ANSWER: Final = 1_000_000
"""Longest answer in characters; far above any model's output, low enough to end in bounded time."""

_HOLE: Final = "\ufffc"  # stands for text the model did not see; no quotation can run across it
_DEFAULT_LANGUAGE: Final = "en"  # when no word of answer or question tells: function words of others would have told


@dataclass(frozen=True, slots=True)
class Request:
    """One answer to verify, already validated."""

    answer: str
    question: str
    evidence: Evidence
    answer_id: str
    capture: Capture | None = None


class Grounder:
    """Verifies answers; the same input gives the same report, sync or async, one at a time or in parallel.

    `judge` decides what the checks cannot: a function from prompt to text, a `Model`, a `Judge`, or several in order of
    cost. Without one, undecided claims stay marked and the action is never "ok". `timeout` bounds each model call,
    `deadline` all calls of one answer, in seconds. Wrong settings raise `ConfigError`. Holds no state between answers,
    apart from the breaker that keeps a dead judge from being asked.
    """

    def __init__(
        self,
        judge: object | None = None,
        *,
        policy: Policy | None = None,
        checks: Sequence[Check] = CHECKS,
        timeout: float | None = 60.0,
        deadline: float | None = None,
    ) -> None:
        self.policy = policy or Policy()
        self.cascade: Cascade | None = None if judge is None else as_cascade(judge)
        self.checks = tuple(checks)
        self._limits = {"timeout": timeout, "deadline": deadline} if judge is not None else {}
        self._breaker = self.cascade.breaker if self.cascade else None
        if self.cascade is None and self.policy.judge_message:
            warnings.warn(self.policy.judge_message, UserWarning, stacklevel=2)

    def check(  # noqa: PLR0913  # the public surface: all but the answer are optional keywords
        self,
        answer: str,
        *,
        evidence: Iterable[EvidenceItem] | Evidence,
        question: str = "",
        as_of: date | str | None = None,
        requester: Mapping[str, Any] | None = None,
        capture: Capture | None = None,
    ) -> Report:
        """The report on `answer`, verified against `evidence` and nothing else.

        `evidence`: spans, strings or mappings; `as_of`: the day of the question (without it dates play no role);
        `requester`: attributes that decide access and applicability. Raises `InputError` for unusable input.
        """
        request = _request(answer, question, build(evidence, as_of=as_of, requester=requester), capture)
        done = run(self.verify(request), self._models(), breaker=self._breaker, **self._limits)
        return _logged(done.result, done.calls)

    async def acheck(  # noqa: PLR0913  # as above
        self,
        answer: str,
        *,
        evidence: Iterable[EvidenceItem] | Evidence,
        question: str = "",
        as_of: date | str | None = None,
        requester: Mapping[str, Any] | None = None,
        capture: Capture | None = None,
    ) -> Report:
        """As `check`, without blocking the event loop while a model answers."""
        request = _request(answer, question, build(evidence, as_of=as_of, requester=requester), capture)
        done = await arun(self.verify(request), self._models(), breaker=self._breaker, **self._limits)
        return _logged(done.result, done.calls)

    def verify(self, request: Request) -> Generator[Batch, Replies, Report]:
        """The whole pipeline without I/O: yields batches of model calls, receives replies, returns the report."""
        answer, evidence = request.answer, request.evidence
        citations = citing.resolve(answer, evidence)
        claims = citing.attach(split(answer, citations, request.question), citations, answer)
        language = next((claim.language for claim in claims if claim.language), "") or _DEFAULT_LANGUAGE
        library = Library(evidence, language)
        setting = Setting(answer, request.question, citations, evidence, library, language, self.checks)
        verdicts = by_rules(claims, setting)
        if self.cascade is not None:
            verdicts = yield from self._judged(verdicts, setting, request.answer_id)
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
            notices=self._notices(verdicts, evidence),
            checks_run=tuple(check.__module__.rpartition(".")[2] for check in self.checks),
            capture=request.capture,
            versions=FrozenDict(
                package=__version__, policy=self.policy.version, judges=list(self._models()) if self.cascade else []
            ),
        )

    def _judged(
        self, verdicts: tuple[Verdict, ...], setting: Setting, answer_id: str
    ) -> Generator[Batch, Replies, tuple[Verdict, ...]]:
        """Put what no rule decided to the judges; what a check calls a conflict is not theirs to overrule (CH-9)."""
        assert self.cascade is not None  # noqa: S101  # the caller asked; for the type checker
        items = tuple(_item(verdict, setting, n) for n, verdict in _numbered(verdicts) if _open(verdict))
        if not items or not (any(map(_flagged, verdicts)) or self.policy.samples(answer_id)):
            return verdicts
        usable = tuple(_as_delivered(span) for span in setting.evidence.usable)
        task = JudgeTask(
            question=setting.question, answer=setting.answer, evidence=usable, items=items, risk=self.policy.risk
        )
        opinions = yield from self.cascade.judge(task)
        by_claim = {opinion.claim_id: opinion for opinion in opinions}
        return tuple(_with_opinion(verdict, by_claim.get(verdict.id), self.cascade.name) for verdict in verdicts)

    def _models(self) -> Mapping[str, Any]:
        return {} if self.cascade is None else models_of(self.cascade)

    def _notices(self, verdicts: Sequence[Verdict], evidence: Evidence) -> tuple[str, ...]:
        found: list[str] = []
        undecided = sum(_undecided(verdict) for verdict in verdicts)
        if undecided:
            found.append(f"{undecided} claim(s) were checked by nobody: no rule decides them and no judge was asked")
        if not evidence.usable:
            found.append("there is no usable evidence: nothing in this answer can be supported")
        if evidence.as_of is None and any(span.effective_from or span.effective_to for span in evidence.spans):
            found.append("as_of was not given: the dates in force of the sources were not checked")
        found += [
            f"span {status.span_id} cannot support anything: {status.reason}"
            for status in evidence.statuses
            if not status.usable
        ]
        return tuple(found)


def _request(answer: str, question: str, evidence: Evidence, capture: Capture | None) -> Request:
    if not isinstance(answer, str):
        raise InputError(f"answer: got {type(answer).__name__}; allowed is a string")
    if not isinstance(question, str):
        raise InputError(f"question: got {type(question).__name__}; allowed is a string")
    if len(answer) > MAX_ANSWER:
        raise InputError(f"answer: {len(answer)} characters; allowed are at most {MAX_ANSWER}")
    parts = (answer, question, *(f"{span.id}:{span.sha256}" for span in evidence.spans))
    return Request(answer, question, evidence, sha256("\0".join(parts))[:16], capture)


def _logged(report: Report, calls: tuple[CallRecord, ...]) -> Report:
    """The report with its calls, and a warning where a judge is the model that wrote the answer (JU-1)."""
    generators = report.capture.generators if report.capture else ()
    same = same_models((call.model for call in calls), generators)
    told = (
        (f"the judge {', '.join(same)} is the model that wrote the answer; let another one judge it",) if same else ()
    )
    return report.model_copy(update={"calls": calls, "notices": (*report.notices, *told)})


def _flagged(verdict: Verdict) -> bool:
    """Whether the checks saw anything wrong, or in doubt: then the answer goes to the judge in any case (JU-11)."""
    wrong = verdict.label.is_claim and verdict.label is not Label.SUPPORTED and verdict.decided_by != "nobody"
    return wrong or any(finding.outcome is Outcome.DOUBT for finding in verdict.findings)


def _undecided(verdict: Verdict) -> bool:
    return verdict.label is Label.UNVERIFIED and verdict.kind is Kind.UNDECIDED


def _doubtful_abstention(verdict: Verdict) -> bool:
    """An abstention about something the evidence does mention: only a judge can tell whether it is answered."""
    return verdict.label is Label.ABSTENTION and any(f.outcome is Outcome.DOUBT for f in verdict.findings)


def _open(verdict: Verdict) -> bool:
    return _undecided(verdict) or _doubtful_abstention(verdict)


def _numbered(verdicts: Sequence[Verdict]) -> list[tuple[int, Verdict]]:
    """The claims with their place in the answer, from 1; abstentions are numbered behind them."""
    claims = [verdict for verdict in verdicts if verdict.label.is_claim]
    return list(enumerate([*claims, *filter(_doubtful_abstention, verdicts)], 1))


def _item(verdict: Verdict, setting: Setting, number: int) -> JudgeItem:
    doubts = tuple(finding for finding in verdict.findings if finding.outcome is Outcome.DOUBT)
    spans = tuple(sorted(cited_spans(verdict, setting)))
    return JudgeItem(claim=verdict, span_ids=spans, doubts=doubts, number=number)


def _as_delivered(span: Span) -> Span:
    """The span cut to what the model saw; its own offsets no longer fit and are dropped."""
    ranges = delivered_ranges(span)
    if ranges == ((0, len(span.text)),):
        return span
    pieces = [span.text[low:high] for low, high in ranges]
    gaps = [low - before for before, (low, _) in zip((0, *(high for _, high in ranges)), ranges, strict=False)]
    text = "".join(_HOLE * gap + piece for gap, piece in zip(gaps, pieces, strict=True))
    return span.replace(text=text, sha256="", start=None, end=None, delivered_ranges=None)


def _with_opinion(verdict: Verdict, opinion: Opinion | None, judge: str) -> Verdict:
    """The verdict with the judge's opinion; a judge that was asked and said nothing failed, it did not agree."""
    if _doubtful_abstention(verdict):
        return _answered_after_all(verdict, opinion, judge)
    if not _undecided(verdict):
        return verdict
    if opinion is None:
        reason = "the judge was asked and gave no verdict"
        return verdict.replace(kind=Kind.VERIFIER_FAILURE, reason=reason, decided_by=judge)
    kind = opinion.kind or (Kind.VERIFIER_FAILURE if opinion.label is Label.UNVERIFIED else None)
    return verdict.replace(
        label=opinion.label,
        kind=kind,
        reason=opinion.reason,
        quotes=opinion.quotes,
        confidence=opinion.confidence,
        decided_by=opinion.judge or judge,
    )


def _answered_after_all(verdict: Verdict, opinion: Opinion | None, judge: str) -> Verdict:
    """A false abstention when the judge quotes the answer from the evidence; every other opinion leaves it as it is."""
    if opinion is None or opinion.label is not Label.CONTRADICTED or not opinion.quotes:
        return verdict
    return verdict.replace(
        label=Label.CONTRADICTED,
        kind=Kind.FALSE_ABSTENTION,
        reason=opinion.reason or "says that the sources do not answer, but one does",
        quotes=opinion.quotes,
        decided_by=opinion.judge or judge,
    )
