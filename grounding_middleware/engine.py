"""A pipeline with the models it asks: what `Grounder` loads when the first one is built."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from grounding_middleware.checks import CHECKS
from grounding_middleware.citations import CitationSyntax
from grounding_middleware.claims.risk import RiskRules
from grounding_middleware.errors import ConfigError, InputError
from grounding_middleware.examining import Examiner
from grounding_middleware.judges import Breaker, Cascade, Model, Run, arun, as_cascade, as_model, models_of, run
from grounding_middleware.judges.independence import same_models
from grounding_middleware.pipeline import Pipeline, Request
from grounding_middleware.records import Capture, Evidence, Report, sha256
from grounding_middleware.repair import TIER, Repair

__all__ = [
    "CHECKS",
    "MAX_ANSWER",
    "CitationSyntax",
    "Engine",
    "Examiner",
    "Pipeline",
    "RiskRules",
    "Waiting",
    "as_cascade",
    "models",
]

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
MAX_ANSWER: Final = 1_000_000
"""Longest answer in characters; far above any model's output, low enough to end in bounded time."""


class Waiting(NamedTuple):
    """How long models are waited for, in seconds: each call, and all calls of one answer."""

    timeout: float | None
    deadline: float | None


@dataclass(frozen=True, slots=True)
class Engine:
    """Runs one request after the other, sync or async; wrong requests and dead models never read as supported."""

    pipeline: Pipeline
    models: Mapping[str, Model]
    waiting: Waiting

    def check(self, request: Request, begun: float) -> Report:
        """The report on `request`; its check began at `begun` of `time.perf_counter`."""
        ready = time.perf_counter()
        done = run(self.pipeline.verify(request), self.models, breaker=self._breaker, **self._limits)
        return _finished(done, begun, ready)

    async def acheck(self, request: Request, begun: float) -> Report:
        """As `check`, without blocking the event loop while a model answers."""
        ready = time.perf_counter()
        done = await arun(self.pipeline.verify(request), self.models, breaker=self._breaker, **self._limits)
        return _finished(done, begun, ready)

    def judged_by(self, judge: object) -> Engine:
        """The same with another judge; raises `ConfigError` when it does not fit."""
        cascade, pipeline = as_cascade(judge), self.pipeline
        given = models(cascade, pipeline.repair, self.models.get(TIER))
        return replace(self, pipeline=replace(pipeline, cascade=cascade), models=given)

    @staticmethod
    def request(answer: str, question: str, evidence: Evidence, capture: Capture | None) -> Request:
        """One answer to verify; raises `InputError` for what is no text, or too long."""
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

    @property
    def _breaker(self) -> Breaker | None:
        return self.pipeline.cascade.breaker if self.pipeline.cascade else None

    @property
    def _limits(self) -> dict[str, float | None]:
        return self.waiting._asdict() if self.models else {}


def models(cascade: Cascade | None, repair: Repair | None, repair_model: object | None) -> Mapping[str, Model]:
    """Every model by its tier; raises `ConfigError` when judges, repair and its model do not fit together."""
    return {**_judges(cascade), **_repairing(repair, repair_model, cascade)}


def _judges(cascade: Cascade | None) -> Mapping[str, Model]:
    return {} if cascade is None else models_of(cascade)


def _repairing(repair: Repair | None, model: object | None, cascade: Cascade | None) -> Mapping[str, Model]:
    """The repair model under its tier."""
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
