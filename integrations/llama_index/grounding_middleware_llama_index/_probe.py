"""What the models of one invocation were shown, seen through LlamaIndex's instrumentation.

One probe belongs to one invocation and travels in a context variable; the one handler at the root only looks there.
LlamaIndex swallows errors of handlers: a run that could not be noted was not seen, and what it was shown is not
delivered. So a loss here withholds an answer, it never passes one.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.instrumentation.events import BaseEvent
from llama_index.core.instrumentation.events.llm import (
    LLMChatEndEvent,
    LLMChatStartEvent,
    LLMCompletionEndEvent,
    LLMCompletionStartEvent,
    LLMPredictStartEvent,
    LLMStructuredPredictStartEvent,
)
from llama_index.core.instrumentation.events.retrieval import RetrievalEndEvent
from llama_index.core.prompts import BasePromptTemplate
from llama_index.core.schema import NodeWithScore
from llama_index_instrumentation import get_dispatcher
from typing_extensions import override

from grounding_middleware.capture import ModelRun


@dataclass(frozen=True, slots=True)
class _Announced:
    """A template and what goes into it."""

    template: BasePromptTemplate
    values: Mapping[str, Any]
    group: object | None
    early: bool

    def prompt(self) -> str:
        return self.template.format(**self.values)


@dataclass(slots=True)
class Probe:
    """Collects model runs and retrieved nodes of one invocation; `outer` belongs to the guard around this one.

    `announced` are questions LlamaIndex was about to put to a model: all there is of models that report no calls.
    """

    outer: Probe | None = None
    runs: list[ModelRun] = field(default_factory=list)
    announced: list[_Announced] = field(default_factory=list)
    nodes: list[NodeWithScore] = field(default_factory=list)
    retrievals: int = 0
    handed_out: set[str] = field(default_factory=set)
    _open: dict[str, ModelRun] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def seen(self) -> list[ModelRun]:
        """The model runs, in order."""
        return self.runs or [self._run(each.prompt(), each.group, each.early) for each in self.announced]

    def began(self, prompt: str, model: str, span_id: str) -> None:
        """Note a model run before it answers."""
        with self._lock:
            run = self._run(prompt, _group.get(), not self.retrievals, model)
            self.runs.append(run)
            self._open[span_id] = run

    def announce(self, template: BasePromptTemplate, values: Mapping[str, Any]) -> None:
        """Note what a model is about to be asked; rendered only if need be, for templates call functions of users."""
        with self._lock:
            self.announced.append(_Announced(template, values, _group.get(), not self.retrievals))

    def ended(self, output: str, span_id: str) -> None:
        """Note what it wrote."""
        with self._lock:
            run = self._open.pop(span_id, None)
            if run is not None:
                run.output = output

    def retrieved(self, nodes: Sequence[NodeWithScore]) -> None:
        """Note what a retriever returned."""
        with self._lock:
            self.nodes.extend(nodes)
            self.retrievals += 1

    def expect(self, rules: str) -> None:
        """Recognise these rules in the prompts that follow."""
        with self._lock:
            self.handed_out.add(rules)

    def _run(self, prompt: str, group: object | None, early: bool, model: str = "") -> ModelRun:  # noqa: FBT001  # a record
        text, ruled = self._without_rules(prompt)
        return ModelRun(text, ruled, group, early, model=model)

    def _without_rules(self, prompt: str) -> tuple[str, bool]:
        """The prompt less the rules put in, and whether they were in it: what is quoted there is no delivery."""
        ruled = False
        for text in sorted(self.handed_out, key=len, reverse=True):
            if text in prompt:
                prompt, ruled = prompt.replace(text, ""), True
        return prompt, ruled


active: ContextVar[Probe | None] = ContextVar("grounding_probe", default=None)
"""The probe of the innermost guarded invocation."""

_group: ContextVar[object | None] = ContextVar("grounding_group", default=None)


@contextmanager
def watched() -> Iterator[Probe]:
    """A fresh probe for what runs inside; also seen by the guard around it."""
    probe = Probe(outer=active.get())
    token = active.set(probe)
    try:
        yield probe
    finally:
        active.reset(token)


@contextmanager
def unwatched() -> Iterator[None]:
    """Nothing that runs inside wrote the answer: judges."""
    token = active.set(None)
    try:
        yield
    finally:
        active.reset(token)


@contextmanager
def answering() -> Iterator[None]:
    """Model runs inside write one answer together, as opposed to those that choose, rewrite or rerank."""
    token = _group.set(object())
    try:
        yield
    finally:
        _group.reset(token)


def hand_out(rules: str) -> None:
    """Tell every guard around this place which rules go into the next prompts, so that it recognises them."""
    for probe in _probes() if rules else ():
        probe.expect(rules)


def _probes() -> Iterator[Probe]:
    probe = active.get()
    while probe is not None:
        yield probe
        probe = probe.outer


class _Recorder(BaseEventHandler):
    """Reads the events of whatever runs under a probe."""

    @classmethod
    @override
    def class_name(cls) -> str:
        return "GroundingRecorder"

    @override
    def handle(self, event: BaseEvent, **_: Any) -> None:
        for probe in _probes():
            _note(probe, event)


def _note(probe: Probe, event: BaseEvent) -> None:
    span_id = event.span_id or ""
    if isinstance(event, LLMChatStartEvent):
        probe.began(messages_text(event.messages), _model(event.model_dict), span_id)
    elif isinstance(event, LLMCompletionStartEvent):
        probe.began(event.prompt, _model(event.model_dict), span_id)
    elif isinstance(event, LLMPredictStartEvent | LLMStructuredPredictStartEvent):
        probe.announce(event.template, event.template_args or {})
    elif isinstance(event, LLMChatEndEvent) and event.response is not None:
        probe.ended(event.response.message.content or "", span_id)
    elif isinstance(event, LLMCompletionEndEvent):
        probe.ended(event.response.text, span_id)
    elif isinstance(event, RetrievalEndEvent):
        probe.retrieved(event.nodes)


def messages_text(messages: Sequence[ChatMessage]) -> str:
    """All text a model was shown, message by message."""
    return "\n\n".join(message.content for message in messages if message.content)


def _model(facts: dict[str, Any]) -> str:
    named = (facts.get(key) for key in ("model", "model_name"))
    return next((name for name in named if isinstance(name, str)), "")


get_dispatcher().add_event_handler(_Recorder())  # once, at import: LlamaIndex knows no way to take a handler away
