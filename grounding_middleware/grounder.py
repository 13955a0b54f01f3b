"""`Grounder`: the pipeline with its settings, driven sync or async, and the sinks that receive its reports."""

from __future__ import annotations

import asyncio
import copy
import re
import time
import warnings
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final, Self

from grounding_middleware.checks import CHECKS, Check
from grounding_middleware.citations import CitationSyntax
from grounding_middleware.claims.risk import RiskRules
from grounding_middleware.errors import ConfigError, InputError
from grounding_middleware.escalation import Sink, deliver
from grounding_middleware.evidence import EvidenceItem, EvidenceRules, build
from grounding_middleware.examining import Examiner
from grounding_middleware.judges import Cascade, Model, Run, arun, as_cascade, as_model, models_of, run
from grounding_middleware.judges.independence import same_models
from grounding_middleware.pipeline import Pipeline, Request
from grounding_middleware.policy import Policy
from grounding_middleware.prevention import Rules
from grounding_middleware.records import Capture, Evidence, Report, sha256
from grounding_middleware.repair import TIER, Repair

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
MAX_ANSWER: Final = 1_000_000
"""Longest answer in characters; far above any model's output, low enough to end in bounded time."""


class Grounder:
    """Verifies answers; the same input gives the same report, sync or async, one at a time or in parallel.

    `judge` decides what the checks cannot: a function from prompt to text, a `Model`, a `Judge`, or several in order of
    cost. Without one, undecided claims stay marked and the action is never "ok". `timeout` bounds each model call,
    `deadline` all calls of one answer, in seconds. Each of `sinks` is called with every report before it is returned;
    one that raises withholds the answer. `rules` are what adapters put into the prompt; `evidence_rules` say what an
    answer may rest on, `citations` how markers look, `risks` which claims make somebody act; `versions` are entries
    of your own for `report.versions`, such as the build of the application. With `repair` unsupported statements are
    repaired from the evidence where that can be verified, instead of removed; `repair_model`, a function or a `Model`,
    is asked when its last step is "model". Wrong settings raise `ConfigError`. Holds no state between answers, apart
    from the breaker that keeps a dead judge from being asked.
    """

    def __init__(  # noqa: PLR0913  # the public surface: all are optional keywords
        self,
        judge: object | None = None,
        *,
        policy: Policy | None = None,
        checks: Sequence[Check] = CHECKS,
        timeout: float | None = 60.0,
        deadline: float | None = None,
        sinks: Sequence[Sink] = (),
        rules: Rules | None = None,
        evidence_rules: EvidenceRules | None = None,
        citations: CitationSyntax | None = None,
        risks: RiskRules | None = None,
        versions: Mapping[str, str] | None = None,
        repair: Repair | None = None,
        repair_model: object | None = None,
    ) -> None:
        self.policy = policy or Policy()
        self.cascade: Cascade | None = None if judge is None else as_cascade(judge)
        self.checks = tuple(checks)
        self.sinks = _callables(sinks)
        self.rules = rules or Rules()
        self.evidence_rules = evidence_rules or EvidenceRules()
        self.repair = repair
        self._models: Mapping[str, Model] = {**_judges(self.cascade), **_repairing(repair, repair_model, self.cascade)}
        examiner = Examiner(self.checks, citations or CitationSyntax(), risks or RiskRules(), self.evidence_rules.precedence)
        self._pipeline = Pipeline(self.policy, self.cascade, examiner, repair, dict(versions or {}))
        self._limits = {"timeout": timeout, "deadline": deadline} if self._models else {}
        self._breaker = self.cascade.breaker if self.cascade else None
        if self.cascade is None and self.policy.judge_message:
            warnings.warn(self.policy.judge_message, UserWarning, stacklevel=2)

    @classmethod
    def from_spec(cls, source: Path | str | Mapping[str, Any], names: Mapping[str, object] | None = None) -> Grounder:
        """The grounder that a spec describes: a YAML or JSON file, a mapping, or the name of a preset.

        `names` are judges, models or functions the spec refers to with `kind: named`. Raises `ConfigError` with one
        line for each fault.
        """
        from grounding_middleware.spec import grounder_from  # noqa: PLC0415  # the spec knows the grounder, not before

        return grounder_from(source, names)

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
        `requester`: attributes that decide access and applicability. Raises `InputError` for unusable input and
        `AnswerWithheldError` when a sink refuses.
        """
        begun = time.perf_counter()
        request = _request(answer, question, self._evidence(evidence, as_of, requester), capture)
        ready = time.perf_counter()
        done = run(self._pipeline.verify(request), self._models, breaker=self._breaker, **self._limits)
        report = _finished(done, begun, ready)
        self.deliver(report)
        return report

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
        """As `check`, without blocking the event loop while a model answers or a sink writes."""
        begun = time.perf_counter()
        request = _request(answer, question, self._evidence(evidence, as_of, requester), capture)
        ready = time.perf_counter()
        done = await arun(self._pipeline.verify(request), self._models, breaker=self._breaker, **self._limits)
        report = _finished(done, begun, ready)
        await self.adeliver(report)
        return report

    def silent(self) -> Self:
        """A copy that calls no sink: for who checks an answer piece by piece and delivers the last report himself."""
        other = copy.copy(self)
        other.sinks = ()
        return other

    def deliver(self, report: Report) -> None:
        """Hand `report` to every sink, in order; raises `AnswerWithheldError` when one of them refuses or fails."""
        deliver(report, self.sinks)

    async def adeliver(self, report: Report) -> None:
        """As `deliver`, in a worker thread: sinks write to files and databases."""
        if self.sinks:
            await asyncio.to_thread(deliver, report, self.sinks)

    def _evidence(
        self, evidence: Iterable[EvidenceItem] | Evidence, as_of: date | str | None, requester: Mapping[str, Any] | None
    ) -> Evidence:
        return build(evidence, as_of=as_of, requester=requester, rules=self.evidence_rules)


def _judges(cascade: Cascade | None) -> Mapping[str, Model]:
    return {} if cascade is None else models_of(cascade)


def _repairing(repair: Repair | None, model: object | None, cascade: Cascade | None) -> Mapping[str, Model]:
    """The repair model under its tier; raises `ConfigError` when settings and model do not fit together."""
    if repair is not None and not isinstance(repair, Repair):
        raise ConfigError(f"repair: got {type(repair).__name__}; allowed is Repair(...) or None")
    wanted = repair is not None and repair.needs_model
    if model is None and wanted:
        raise ConfigError('repair: steps hold "model" and repair_model is None; allowed is a function or a Model')
    if model is not None and not wanted:
        raise ConfigError('repair_model: nothing asks it; allowed with repair=Repair(steps=(..., "model"))')
    if TIER in _judges(cascade):
        raise ConfigError(f"judge: the name {TIER!r} is taken by the repair model; allowed is any other")
    return {} if model is None else {TIER: as_model(model)}


def _callables(sinks: Sequence[Sink]) -> tuple[Sink, ...]:
    wrong = next((sink for sink in sinks if not callable(sink)), None)
    if wrong is not None:
        raise ConfigError(f"sinks: got {type(wrong).__name__}; allowed are functions that take a report")
    return tuple(sinks)


def _request(answer: str, question: str, evidence: Evidence, capture: Capture | None) -> Request:
    if not isinstance(answer, str):
        raise InputError(f"answer: got {type(answer).__name__}; allowed is a string")
    if not isinstance(question, str):
        raise InputError(f"question: got {type(question).__name__}; allowed is a string")
    if len(answer) > MAX_ANSWER:
        raise InputError(f"answer: {len(answer)} characters; allowed are at most {MAX_ANSWER}")
    for name, text in (("answer", answer), ("question", question)):
        broken = _SURROGATE.search(text)
        if broken:
            raise InputError(f"{name}: half a character ({broken.group()!r}) at {broken.start()}; allowed is text")
    parts = (answer, question, *(f"{span.id}:{span.sha256}" for span in evidence.spans))
    return Request(answer, question, evidence, sha256("\0".join(parts))[:16], capture)


def _finished(done: Run[Report], begun: float, ready: float) -> Report:
    """The report with its calls and times, and a warning where a judge is the model that wrote the answer (JU-1).

    The check began at `begun`; at `ready` its evidence was built and the run began.
    """
    report = done.result
    generators = report.capture.generators if report.capture else ()
    writers = (*generators, *(call.model for call in done.calls if call.tier == TIER))
    same = same_models((call.model for call in done.calls if call.tier != TIER), writers)
    told = (
        (f"the judge {', '.join(same)} is the model that wrote the answer; let another one judge it",) if same else ()
    )
    elapsed, early = (time.perf_counter() - begun) * 1_000, (ready - begun) * 1_000
    calls = tuple(one.model_copy(update={"started_ms": round(one.started_ms + early, 3)}) for one in done.calls)
    return report.model_copy(
        update={"calls": calls, "notices": (*report.notices, *told), "elapsed_ms": round(elapsed, 3)}
    )
