"""Deterministic stand-ins: models that answer from their prompt, an embedding of words, a judge that knows one word."""

# ruff: noqa: FBT001, FBT002  # the signatures of the models are LlamaIndex's own
from __future__ import annotations

import asyncio
import hashlib
import importlib.util
import os
import re
import threading
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

# Old versions look for the data they ship in the user's cache first, and would download it.
os.environ.setdefault(
    "NLTK_DATA",
    os.pathsep.join(
        str(Path(place) / "core" / "_static" / "nltk_cache")
        for place in getattr(importlib.util.find_spec("llama_index"), "submodule_search_locations", ())
    ),
)
pytest.importorskip("llama_index.core", reason="the LlamaIndex integration is not installed")

import aiosqlite
from llama_index.core import Document, MockEmbedding, Settings, SummaryIndex, VectorStoreIndex
from llama_index.core.base.llms.types import (
    ChatMessage,
    ChatResponse,
    CompletionResponse,
    LLMMetadata,
    MessageRole,
)
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.llms.callbacks import llm_chat_callback, llm_completion_callback
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.llms.llm import ToolSelection
from llama_index_instrumentation import get_dispatcher
from pydantic import Field

from grounding_middleware import Grounder, Label, Policy, Quote, Span
from grounding_middleware.capture import SpanFields
from grounding_middleware.judges.protocol import ModelReply, Opinion
from grounding_middleware.records import Kind

LEAK = "gold"
"""The word of the one statement no source supports; it must not be seen anywhere."""

SUPPORTED = "Refunds are paid within ten days."
RAW = f"{SUPPORTED} Refunds are paid in {LEAK} coins."


class Model(FunctionCallingLLM):
    """Answers with what `reply` makes of the messages: a text, or tool calls; streams word by word; remembers all."""

    reply: Callable[[Sequence[ChatMessage]], Any] = Field(exclude=True)
    model: str = "scripted"
    chatty: bool = True
    window: int = 4_000
    log: Any = Field(default_factory=lambda: SimpleNamespace(prompts=[]), exclude=True)

    @property
    def metadata(self) -> LLMMetadata:
        """A chat model that calls functions, or a completion model."""
        return LLMMetadata(
            context_window=self.window,
            num_output=64,
            is_chat_model=self.chatty,
            is_function_calling_model=self.chatty,
            model_name="scripted",
        )

    @property
    def prompts(self) -> list[str]:
        """Every prompt this model saw, as one text each."""
        return self.log.prompts

    @llm_chat_callback()
    def chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        """The whole reply."""
        return self._answer(messages)

    @llm_chat_callback()
    def stream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> Generator[ChatResponse, None, None]:
        """The reply, word by word."""

        def generate() -> Generator[ChatResponse, None, None]:
            yield from _pieces(self._answer(messages))

        return generate()

    @llm_chat_callback()
    async def achat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        """The whole reply."""
        return self._answer(messages)

    @llm_chat_callback()
    async def astream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> AsyncGenerator[ChatResponse, None]:
        """The reply, word by word."""

        async def generate() -> AsyncGenerator[ChatResponse, None]:
            for piece in _pieces(self._answer(messages)):
                yield piece

        return generate()

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        """The whole reply to one text."""
        return CompletionResponse(text=self._text(prompt))

    @llm_completion_callback()
    def stream_complete(
        self, prompt: str, formatted: bool = False, **kwargs: Any
    ) -> Generator[CompletionResponse, None, None]:
        """The reply to one text, word by word."""

        def generate() -> Generator[CompletionResponse, None, None]:
            text = ""
            for word in _words(self._text(prompt)):
                text += word
                yield CompletionResponse(text=text, delta=word)

        return generate()

    @llm_completion_callback()
    async def acomplete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        """The whole reply to one text."""
        return CompletionResponse(text=self._text(prompt))

    @llm_completion_callback()
    async def astream_complete(
        self, prompt: str, formatted: bool = False, **kwargs: Any
    ) -> AsyncGenerator[CompletionResponse, None]:
        """The reply to one text, word by word."""

        async def generate() -> AsyncGenerator[CompletionResponse, None]:
            text = ""
            for word in _words(self._text(prompt)):
                text += word
                yield CompletionResponse(text=text, delta=word)

        return generate()

    def _prepare_chat_with_tools(
        self, tools: Any, user_msg: Any = None, chat_history: Any = None, **kwargs: Any
    ) -> dict[str, Any]:
        asked = (
            [ChatMessage(role="user", content=user_msg)]
            if isinstance(user_msg, str)
            else [user_msg]
            if user_msg
            else []
        )
        return {"messages": [*(chat_history or ()), *asked]}

    def get_tool_calls_from_response(self, response: ChatResponse, **kwargs: Any) -> list[ToolSelection]:
        """The calls kept beside the text."""
        return response.message.additional_kwargs.get("calls", [])

    def _text(self, prompt: str) -> str:
        return self._answer([ChatMessage(role=MessageRole.USER, content=prompt)]).message.content or ""

    def _answer(self, messages: Sequence[ChatMessage]) -> ChatResponse:
        self.log.prompts.append("\n".join(message.content or "" for message in messages))
        answer = self.reply(messages)
        text, calls = answer if isinstance(answer, tuple) else (answer, [])
        message = ChatMessage(
            role=MessageRole.ASSISTANT, content=text, additional_kwargs={"calls": calls} if calls else {}
        )
        return ChatResponse(message=message, raw={"text": text})


def _words(text: str) -> list[str]:
    return re.findall(r"\S+\s*|^\s+", text)


def _pieces(response: ChatResponse) -> Generator[ChatResponse, None, None]:
    text = ""
    for word in _words(response.message.content or "") or [""]:
        text += word
        message = response.message.model_copy(update={"blocks": ChatMessage(content=text).blocks})
        yield ChatResponse(message=message, delta=word, raw=response.raw)


class WordEmbedding(BaseEmbedding):
    """Texts that share words are near to one another."""

    def _vector(self, text: str) -> list[float]:
        vector = [0.0] * 64
        for word in re.findall(r"\w+", text.lower()):
            vector[int(hashlib.sha256(word.encode()).hexdigest(), 16) % 64] += 1.0
        return vector

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._vector(text)

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._vector(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._vector(query)


class Judge:
    """Supports every claim but those with the word; asks no model; counts how often it was called."""

    name = "word"

    def __init__(self) -> None:
        self.tasks: list[Any] = []
        self.model = SimpleNamespace(name="none", complete=lambda _: ModelReply(text="-"), acomplete=None)

    def judge(self, task: Any) -> Any:
        """One opinion for each item."""
        self.tasks.append(task)
        yield from ()
        return tuple(_opinion(item, task.evidence) for item in task.items)


def _opinion(item: Any, evidence: Sequence[Span]) -> Opinion:
    """Against, with the word; for, with a quotation of all that may be quoted."""
    wrong = LEAK in item.claim.text.lower()
    label = Label.INSUFFICIENT_EVIDENCE if wrong else Label.SUPPORTED
    spans = () if wrong else [span for span in evidence if span.id in item.span_ids]
    quotes = tuple(Quote(span_id=span.id, start=0, end=len(span.text), text=span.text) for span in spans)
    kind = Kind.ADDED_DETAIL if wrong else None
    return Opinion(claim_id=item.claim.id, label=label, kind=kind, reason="word", judge="word", quotes=quotes)


DOCUMENTS = (
    Document(
        text="Refunds are paid within ten days. They go to the card used for the order.",
        id_="refunds.md",
        metadata={"version": "3"},
        excluded_llm_metadata_keys=["version"],
    ),
    Document(text="Parcels travel by rail where possible.", id_="shipping.md"),
    Document(text="Refunds for vouchers are not possible.", id_="vouchers.md"),
)


def model(reply: Any = RAW, **settings: Any) -> Model:
    """A model with a fixed reply, or one made from the messages."""
    return Model(reply=reply if callable(reply) else lambda _: reply, **settings)


def index(documents: Sequence[Document] = DOCUMENTS, **settings: Any) -> VectorStoreIndex:
    """A vector index of the documents, in memory."""
    return VectorStoreIndex.from_documents(list(documents), embed_model=WordEmbedding(), **settings)


@pytest.fixture(autouse=True)
def _no_database_left_open(monkeypatch: pytest.MonkeyPatch) -> Generator[None, None, None]:
    """LlamaIndex's chat memory never closes its database; left to the collector, its thread would fail a later test."""
    opened: list[aiosqlite.Connection] = []
    begin = aiosqlite.Connection.__init__

    def recorded(self: aiosqlite.Connection, *args: Any, **kwargs: Any) -> None:
        begin(self, *args, **kwargs)
        opened.append(self)

    monkeypatch.setattr(aiosqlite.Connection, "__init__", recorded)
    yield
    for connection in opened:
        if connection._connection is None:  # already closed; a pool that is done may have done it
            continue
        closing = threading.Thread(target=connection.stop)  # in a thread without a loop it waits for none
        closing.start()
        closing.join()
        connection._thread.join(timeout=5)


@pytest.fixture(autouse=True, scope="session")
def _no_loop_left_open() -> None:
    """Where a thread has none set, LlamaIndex takes a loop that it closes; else it makes one and leaves it open."""
    asyncio.set_event_loop(None)


@pytest.fixture(autouse=True)
def _no_default_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing may answer through `Settings.llm`, which would be OpenAI; the embedding is for indexes without one."""

    def refuse(_: Any) -> Any:
        raise AssertionError("the model in Settings was asked")

    monkeypatch.setattr(Settings, "_llm", model(refuse))
    monkeypatch.setattr(Settings, "_embed_model", MockEmbedding(embed_dim=8))


class Log(BaseEventHandler):
    """Keeps every event."""

    events: list = []  # noqa: RUF012  # a pydantic field, copied for each handler

    @classmethod
    def class_name(cls):
        """Its name."""
        return "Log"

    def handle(self, event, **kwargs):
        """Keep it."""
        self.events.append(event)


@pytest.fixture
def log() -> Generator[Log, None, None]:
    """A handler at the root, taken away afterwards."""
    handler = Log(events=[])
    root = get_dispatcher()
    root.add_event_handler(handler)
    yield handler
    root.event_handlers.remove(handler)


@pytest.fixture
def kit() -> SimpleNamespace:
    """The stand-ins by name; a fresh judge and grounder for each test."""
    judge = Judge()
    return SimpleNamespace(
        LEAK=LEAK,
        fields=SpanFields(attributes=("tenant",)),
        RAW=RAW,
        SUPPORTED=SUPPORTED,
        QUESTION="When are refunds paid?",
        documents=[document.model_copy(deep=True) for document in DOCUMENTS],
        embedding=WordEmbedding(),
        model=model,
        index=index,
        summary=lambda documents=DOCUMENTS: SummaryIndex.from_documents(list(documents)),
        judge=judge,
        grounder=Grounder(judge, policy=Policy(escalate_above=0.9)),
        engine=lambda reply=RAW, **settings: index().as_query_engine(llm=model(reply), **settings),
    )
