"""What one invocation really retrieved, showed to its models and got back, seen through callbacks.

One probe belongs to one invocation; nothing is shared between inputs of a batch. The probe is a synchronous handler
that raises and runs inline: LangChain swallows the errors of all others, and an answer must not be checked against
evidence that was lost without a sound.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, LLMResult
from langchain_core.runnables import RunnableConfig
from langchain_core.tracers.context import register_configure_hook
from typing_extensions import override

from grounding_middleware.capture import ModelRun, Snapshot, SourceText, SpanFields, to_spans
from grounding_middleware.prevention import Rules
from grounding_middleware.records import Span
from grounding_middleware_langchain._documents import restore_sources, snapshot_of
from grounding_middleware_langchain._messages import prompt_text

INTERNAL = "lc_source"
"""Metadata key that marks model runs of middleware (judges, summaries): they never write the answer."""


@dataclass(slots=True)
class Collector:
    """Everything captured during one invocation, by the path it came on; `known` was captured before it began.

    `spoken` are messages of models that stood in prompts; `rules` are those of the guard, `max_tokens` is what they and
    the evidence may take of one prompt.
    `runs` are the model runs that could have written the answer; `helpers` ran inside a retriever or for another
    middleware and did not.
    """

    fields: SpanFields = field(default_factory=SpanFields)
    source_text: SourceText | None = None
    expects_retrieval: bool = False
    known: tuple[Span, ...] = ()
    rules: Rules | None = None
    max_tokens: int | None = None
    retrievals: int = 0
    retrieved: list[Snapshot] = field(default_factory=list)
    inner: list[Snapshot] = field(default_factory=list)
    passed: list[Snapshot] = field(default_factory=list)
    cited: list[Snapshot] = field(default_factory=list)
    steps: list[Snapshot] = field(default_factory=list)
    runs: dict[UUID, ModelRun] = field(default_factory=dict)
    helpers: dict[UUID, ModelRun] = field(default_factory=dict)
    spoken: list[str] = field(default_factory=list)
    handed_out: set[str] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def snapshots(self) -> tuple[Snapshot, ...]:
        """What was captured so far; documents between two steps of the chain count only if nothing else was seen.

        Steps after a retrieval rerank, cut or rewrite: their documents are no sources of their own.
        """
        with self.lock:
            found = (*self.retrieved, *self.passed, *self.cited)
            return found or tuple(self.steps)

    def spans(self) -> tuple[Span, ...]:
        """The captured text as spans, none of it marked as delivered yet; raises `InputError` for unusable metadata.

        `known` spans, captured before this model call, come first; the same text of the same source counts once.
        """
        restored = restore_sources(self.snapshots(), self.inner, self.fields)
        fresh = to_spans(restored, self.fields, self.source_text)
        have = {span.id for span in self.known}
        return (*self.known, *(span for span in fresh if span.id not in have))

    def paths(self) -> tuple[str, ...]:
        """Names of the paths on which something was captured, for the report."""
        kinds = {"retriever": self.retrieved, "passed": self.passed, "cite": self.cited, "known": self.known}
        found = tuple(name for name, items in kinds.items() if items)
        return found or (("step",) if self.steps else ())

    def add(self, where: list[Snapshot], documents: Iterable[Document]) -> None:
        """Copy `documents` into one of this collector's lists."""
        snapshots = [snapshot_of(document) for document in documents]
        with self.lock:
            where.extend(snapshots)

    def authored(self) -> list[str]:
        """What models wrote, in this invocation or before it: in a prompt it is explained, and no evidence."""
        runs = (*self.runs.values(), *self.helpers.values())
        return [*self.spoken, *(run.output for run in runs if run.output)]

    def is_early(self) -> bool:
        """True while a chain that has a retriever has not retrieved yet."""
        return self.expects_retrieval and not self.retrievals and not self.passed and not self.cited

    def without_rules(self, prompt: str) -> tuple[str, bool]:
        """`prompt` less the rules we put in, and whether they were in it: what we quote there is no delivery."""
        ruled = False
        for text in sorted(self.handed_out, key=len, reverse=True):
            if text in prompt:
                prompt, ruled = prompt.replace(text, ""), True
        return prompt, ruled


class Probe(BaseCallbackHandler):
    """Fills one collector from callback events; keeps the run tree to tell outermost retrievers from nested ones."""

    raise_error = True
    run_inline = True

    def __init__(self, collector: Collector) -> None:
        super().__init__()
        self.collector = collector
        self._parents: dict[UUID, UUID | None] = {}
        self._retrievers: set[UUID] = set()

    @override
    def on_chain_start(
        self, serialized: Any, inputs: Any, *, run_id: UUID, parent_run_id: UUID | None = None, **_: Any
    ) -> None:
        """Remember the place in the run tree."""
        self._parents[run_id] = parent_run_id

    @override
    def on_tool_start(
        self, serialized: Any, input_str: str, *, run_id: UUID, parent_run_id: UUID | None = None, **_: Any
    ) -> None:
        """Remember the place in the run tree."""
        self._parents[run_id] = parent_run_id

    @override
    def on_retriever_start(
        self, serialized: Any, query: str, *, run_id: UUID, parent_run_id: UUID | None = None, **_: Any
    ) -> None:
        """Remember the place in the run tree, and that it is a retriever."""
        self._parents[run_id] = parent_run_id
        self._retrievers.add(run_id)

    @override
    def on_retriever_end(
        self, documents: Sequence[Document], *, run_id: UUID, parent_run_id: UUID | None = None, **_: Any
    ) -> None:
        """Keep what an outermost retriever returned; what it asked itself only serves to restore metadata."""
        if self._in_retriever(parent_run_id):
            self.collector.add(self.collector.inner, documents)
            return
        self.collector.add(self.collector.retrieved, documents)
        self.collector.retrievals += 1

    @override
    def on_chain_end(self, outputs: Any, *, run_id: UUID, **_: Any) -> None:
        """Keep documents a step of the chain handed on: the only trace of a search without a retriever."""
        if not self._in_retriever(run_id):
            self.collector.add(self.collector.steps, documents_in(outputs))

    @override
    def on_tool_end(self, output: Any, *, run_id: UUID, **_: Any) -> None:
        """Keep the documents a tool returned beside its text."""
        if isinstance(output, ToolMessage):
            self.collector.add(self.collector.passed, documents_in(output.artifact))

    @override
    def on_chat_model_start(
        self,
        serialized: Any,
        messages: list[list[BaseMessage]],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: Mapping[str, Any] | None = None,
        **_: Any,
    ) -> None:
        """Keep what a chat model was shown."""
        said = (message for batch in messages for message in batch if isinstance(message, AIMessage))
        self.collector.spoken.extend(str(message.text) for message in said)
        self._started(run_id, parent_run_id, "\n\n".join(prompt_text(batch) for batch in messages), metadata)

    @override
    def on_llm_start(
        self,
        serialized: Any,
        prompts: list[str],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: Mapping[str, Any] | None = None,
        **_: Any,
    ) -> None:
        """Keep what a completion model was shown."""
        self._started(run_id, parent_run_id, "\n\n".join(prompts), metadata)

    @override
    def on_llm_new_token(self, token: str | list[Any], *, run_id: UUID, **_: Any) -> None:
        """Keep what the model has written up to now: a stream is checked before it has ended."""
        run = self.collector.runs.get(run_id)
        if run is not None and isinstance(token, str):
            run.output += token

    @override
    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **_: Any) -> None:
        """Keep what the model wrote."""
        run = self.collector.runs.get(run_id) or self.collector.helpers.get(run_id)
        if run is not None and response.generations and response.generations[0]:
            first = response.generations[0][0]
            run.output = str(first.message.text) if isinstance(first, ChatGeneration) else first.text

    def _started(self, run_id: UUID, parent: UUID | None, prompt: str, metadata: Mapping[str, Any] | None) -> None:
        collector, known = self.collector, metadata or {}
        seen, ruled = collector.without_rules(prompt)
        run = ModelRun(seen, ruled, early=collector.is_early(), model=str(known.get("ls_model_name") or ""))
        helps = self._in_retriever(parent) or known.get(INTERNAL)
        (collector.helpers if helps else collector.runs)[run_id] = run

    def _in_retriever(self, run_id: UUID | None) -> bool:
        while run_id is not None:
            if run_id in self._retrievers:
                return True
            run_id = self._parents.get(run_id)
        return False


active: ContextVar[Probe | None] = ContextVar("grounding_probe", default=None)
"""The probe of the innermost guarded invocation; reaches runs whose caller replaced the callbacks, and `cite`."""

register_configure_hook(active, inheritable=True)  # once, at import: every call appends another hook


def probes_of(config: RunnableConfig | None) -> tuple[Probe, ...]:
    """The probes of all guards this config runs under, innermost first: those it carries, then that of the context."""
    callbacks = (config or {}).get("callbacks")
    handlers = callbacks if isinstance(callbacks, list) else getattr(callbacks, "handlers", [])
    carried = [handler for handler in reversed(handlers) if isinstance(handler, Probe)]
    ambient = active.get()
    return tuple(carried) if ambient is None or ambient in carried else (*carried, ambient)


def documents_in(value: Any, key: str | None = None) -> list[Document]:
    """Documents of `value`: a document, a list of them, or such values of a mapping (only of `key` when given)."""
    if isinstance(value, Mapping):
        items = [value.get(key)] if key is not None else list(value.values())
        return [document for item in items for document in documents_in(item) if not isinstance(item, Mapping)]
    if isinstance(value, Document):
        return [value]
    if isinstance(value, list | tuple) and value and all(isinstance(item, Document) for item in value):
        return list(value)
    return []
