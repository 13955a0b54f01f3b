"""`Grounder`: the pipeline with its settings, driven sync or async, and the sinks that receive its reports.

Importing this module does not load the pipeline; the first `Grounder()` does, so that a program that only names the
class, or a command that only prints its help, starts at once.
"""

from __future__ import annotations

import copy
import time
import warnings
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from grounding_middleware.errors import ConfigError
from grounding_middleware.escalation import Sink, deliver
from grounding_middleware.evidence import EvidenceItem, EvidenceRules, build
from grounding_middleware.policy import Policy
from grounding_middleware.prevention import Rules
from grounding_middleware.records import Capture, Evidence, Report

# Their modules are the pipeline, about 0.6 s: so `typing.get_type_hints` knows every method but `__init__`.
# Frameworks read the hints of functions that take a `Grounder`, which resolve, and `inspect.signature`, which works.
if TYPE_CHECKING:
    from grounding_middleware.checks import Check
    from grounding_middleware.citations import CitationSyntax
    from grounding_middleware.claims.risk import RiskRules
    from grounding_middleware.judges import Cascade
    from grounding_middleware.repair import Repair


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
        checks: Sequence[Check] | None = None,
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
        from grounding_middleware.engine import (  # noqa: PLC0415  # the whole pipeline: paid by who builds a grounder
            CHECKS,
            CitationSyntax,
            Engine,
            Examiner,
            Pipeline,
            RiskRules,
            Waiting,
            as_cascade,
            models,
        )

        self.policy = policy or Policy()
        self.cascade: Cascade | None = None if judge is None else as_cascade(judge)
        self.checks: tuple[Check, ...] = CHECKS if checks is None else tuple(checks)
        self.sinks = _callables(sinks)
        self.rules = rules or Rules()
        self.evidence_rules = evidence_rules or EvidenceRules()
        self.repair = repair
        self.citations = citations or CitationSyntax()
        examiner = Examiner(self.checks, self.citations, risks or RiskRules(), self.evidence_rules.precedence)
        pipeline = Pipeline(self.policy, self.cascade, examiner, repair, dict(versions or {}))
        self._engine = Engine(pipeline, models(self.cascade, repair, repair_model), Waiting(timeout, deadline))
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
        asked = self._engine.request(answer, question, self._evidence(evidence, as_of, requester), capture)
        report = self._engine.check(asked, begun)
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
        asked = self._engine.request(answer, question, self._evidence(evidence, as_of, requester), capture)
        report = await self._engine.acheck(asked, begun)
        await self.adeliver(report)
        return report

    def silent(self) -> Self:
        """A copy that calls no sink: for who checks an answer piece by piece and delivers the last report himself."""
        other = copy.copy(self)
        other.sinks = ()
        return other

    def judged_by(self, judge: object) -> Self:
        """A copy in which `judge` decides what the checks cannot; everything else is as it was."""
        other = copy.copy(self)
        other._engine = self._engine.judged_by(judge)  # noqa: SLF001  # a copy of this object
        other.cascade = other._engine.pipeline.cascade  # noqa: SLF001  # the same
        return other

    def deliver(self, report: Report) -> None:
        """Hand `report` to every sink, in order; raises `AnswerWithheldError` when one of them refuses or fails."""
        deliver(report, self.sinks)

    async def adeliver(self, report: Report) -> None:
        """As `deliver`, in a worker thread: sinks write to files and databases."""
        if self.sinks:
            import asyncio  # noqa: PLC0415  # with its sockets as costly as the rest of this module

            await asyncio.to_thread(deliver, report, self.sinks)

    def _evidence(
        self, evidence: Iterable[EvidenceItem] | Evidence, as_of: date | str | None, requester: Mapping[str, Any] | None
    ) -> Evidence:
        return build(evidence, as_of=as_of, requester=requester, rules=self.evidence_rules)


def _callables(sinks: Sequence[Sink]) -> tuple[Sink, ...]:
    wrong = next((sink for sink in sinks if not callable(sink)), None)
    if wrong is not None:
        raise ConfigError(f"sinks: got {type(wrong).__name__}; allowed are functions that take a report")
    return tuple(sinks)
