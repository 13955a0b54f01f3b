"""One guarded invocation, without I/O: what is prepared before the chain runs and concluded after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import merge_configs

from grounding_middleware import Grounder
from grounding_middleware.capture import SourceText, SpanFields, recognised
from grounding_middleware.errors import ConfigError
from grounding_middleware.prevention import Rules
from grounding_middleware.records import Capture, Report, Span
from grounding_middleware_langchain import _unaccounted as unaccounted
from grounding_middleware_langchain._capture import Collector, Probe, active, documents_in
from grounding_middleware_langchain._delivery import delivered_spans, facts, notices, prompts_of, require_rules
from grounding_middleware_langchain._inputs import day_of, question_of, requester_of
from grounding_middleware_langchain._judge import NO_STREAM
from grounding_middleware_langchain._messages import SEPARATOR
from grounding_middleware_langchain._outputs import Slot, slot


@dataclass(frozen=True, slots=True)
class Guard:
    """How to guard: what decides, which rules go in, where question, answer, documents and metadata stand.

    `constants` are the fixed texts of the chain's prompt templates. Raises `ConfigError` for a budget that is none.
    """

    grounder: Grounder
    rules: Rules | None = field(default_factory=Rules)
    require_rules: bool = True
    max_prompt_tokens: int | None = None
    fields: SpanFields = field(default_factory=SpanFields)
    source_text: SourceText | None = None
    question_key: str | None = None
    answer_key: str | None = None
    documents_key: str | None = None
    requester: Mapping[str, Any] | None = None
    as_of: date | None = None
    constants: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Dies on a wrong budget."""
        limit = self.max_prompt_tokens
        if limit is not None and (type(limit) is not int or limit < 1):
            raise ConfigError(f"max_prompt_tokens: {limit!r} is wrong; allowed are whole numbers from 1, or None")

    def collector(self, *, expects_retrieval: bool = False, known: Sequence[Span] = ()) -> Collector:
        """An empty collector for one invocation; `known` was captured before it."""
        return Collector(
            self.fields, self.source_text, expects_retrieval, tuple(known), self.rules, self.max_prompt_tokens
        )

    def turn(self, value: Any, config: RunnableConfig, *, expects_retrieval: bool) -> Turn:
        """A fresh turn for one input; nothing is shared with any other."""
        collector = self.collector(expects_retrieval=expects_retrieval)
        collector.add(collector.passed, documents_in(value, self.documents_key))
        return Turn(
            self,
            collector,
            value,
            question_of(value, self.question_key),
            requester_of(config, self.requester),
            day_of(config, self.as_of, self.grounder.evidence_rules),
        )


@dataclass(frozen=True, slots=True)
class Checkable:
    """An output that waits for its verdicts: where its answer stands and what that answer may rest on."""

    slot: Slot
    evidence: tuple[Span, ...]
    capture: Capture
    loose: str
    context: Mapping[str, Any]

    def check(self, grounder: Grounder) -> Report:
        """The report on this answer; no sink has seen it yet."""
        return self._with_notices(grounder.silent().check(self.slot.text, **self._request()))

    async def acheck(self, grounder: Grounder) -> Report:
        """The report on this answer; no sink has seen it yet."""
        return self._with_notices(await grounder.silent().acheck(self.slot.text, **self._request()))

    def settle(self, grounder: Grounder) -> Report:
        """The finished report, after every sink took it; raises `AnswerWithheldError` when one refuses."""
        report = self.check(grounder)
        grounder.deliver(report)
        return report

    async def asettle(self, grounder: Grounder) -> Report:
        """The finished report, after every sink took it; raises `AnswerWithheldError` when one refuses."""
        report = await self.acheck(grounder)
        await grounder.adeliver(report)
        return report

    def _request(self) -> dict[str, Any]:
        return {"evidence": self.evidence, "capture": self.capture, **self.context}

    def _with_notices(self, report: Report) -> Report:
        own = list(notices(self.capture))
        if self.loose:
            own.append(unaccounted.notice(self.loose))
        return report.replace(notices=(*report.notices, *own)) if own else report


@dataclass(frozen=True, slots=True)
class Turn:
    """The state of one invocation."""

    guard: Guard
    collector: Collector
    value: Any
    question: str
    requester: Mapping[str, Any] | None
    day: date

    def conclude(self, output: Any) -> Checkable:
        """The answer in `output` with the evidence captured up to now, also in `output` itself."""
        self.note(output)
        return self.checkable(slot(output, self.guard.answer_key))

    def note(self, output: Any) -> None:
        """Capture the documents that an output, or a chunk of one, holds under `documents_key`."""
        if self.guard.documents_key is not None:
            self.collector.add(self.collector.passed, documents_in(output, self.guard.documents_key))

    def checkable(self, found: Slot) -> Checkable:
        """The answer in `found` with the evidence captured up to now; raises `ConfigError` when no rules arrived."""
        if self.guard.rules is not None and self.guard.require_rules:
            require_rules(recognised(list(self.collector.runs.values()), found.text))
        prompts = prompts_of(self.collector, found.text)
        evidence = delivered_spans(self.collector, prompts)
        version = "" if self.guard.rules is None else self.guard.rules.version
        context = {"question": self.question, "as_of": self.day, "requester": self.requester}
        known = unaccounted.known_texts(evidence, self.value, (*self.guard.constants, *self.collector.authored()))
        loose = unaccounted.find(SEPARATOR.join(prompts), known)
        return Checkable(found, evidence, facts(self.collector, evidence, version), loose, context)


def watched(collector: Collector, child: RunnableConfig) -> RunnableConfig:
    """The config to run with: the caller's, and a probe that fills `collector`. Also sets the probe in this context.

    Call it inside a context copy, such as LangChain makes for a run, so that nothing leaks to the caller.
    """
    probe = Probe(collector)
    active.set(probe)
    return merge_configs(child, {"callbacks": [probe], "tags": [NO_STREAM]})
