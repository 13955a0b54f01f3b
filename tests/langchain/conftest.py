"""Deterministic stand-ins: a keyword retriever, a model that answers from its prompt, a grounder that writes down."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("langchain_core", reason="the LangChain integration is not installed")

from langchain_core.callbacks import BaseCallbackHandler, CallbackManagerForLLMRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnablePassthrough
from pydantic import Field

from grounding_middleware.evidence import EvidenceRules, build
from grounding_middleware.policy import Policy
from grounding_middleware.prevention import Rules
from grounding_middleware.records import Action, Decision, Edit, Label, Report, Span, Treatment, Verdict


class Retriever(BaseRetriever):
    """Returns the documents that share a word with the query, in their order."""

    documents: list[Document]

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        asked = set(query.lower().replace("?", "").split())
        return [document for document in self.documents if asked & set(document.page_content.lower().split())]


class Model(BaseChatModel):
    """Answers with what `reply` makes of the messages; streams word by word; remembers what it was shown."""

    reply: Callable[[Sequence[BaseMessage]], str | AIMessage]
    log: Any = Field(default_factory=lambda: SimpleNamespace(seen=[], kwargs=[]), repr=False)

    @property
    def seen(self) -> list[list[BaseMessage]]:
        """The messages of every run, in order, also those of copies."""
        return self.log.seen

    @property
    def kwargs_seen(self) -> list[dict[str, Any]]:
        """The keyword arguments of every run."""
        return self.log.kwargs

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._answer(messages, kwargs))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        answer = self._answer(messages, kwargs)
        content = answer.content
        plain = isinstance(content, str) and not answer.tool_calls
        pieces: list[Any] = re.findall(r"\S+\s*", str(content)) if plain else [content]
        name = answer.id or f"stream-{len(self.seen)}"
        for piece in pieces:
            message = AIMessageChunk(content=piece, id=name, tool_calls=answer.tool_calls)
            chunk = ChatGenerationChunk(message=message)
            if run_manager and isinstance(piece, str):
                run_manager.on_llm_new_token(piece, chunk=chunk)
            yield chunk

    def bind_tools(self, tools: Any, **kwargs: Any) -> Runnable[Any, Any]:
        """As providers do: a binding."""
        return self.bind(tools=tools, **kwargs)

    def _answer(self, messages: list[BaseMessage], kwargs: dict[str, Any]) -> AIMessage:
        self.seen.append(list(messages))
        self.kwargs_seen.append(kwargs)
        answer = self.reply(messages)
        return answer if isinstance(answer, AIMessage) else AIMessage(content=answer)


class NoteGrounder:
    """Stands in for the pipeline: keeps its calls, cuts every sentence with the word WRONG out of the answer."""

    repair: Any = None
    rules = Rules()
    evidence_rules = EvidenceRules()

    def __init__(self) -> None:
        self.calls: list[SimpleNamespace] = []
        self.policy = Policy()
        self.cascade: Any = None
        self.treatment = Treatment.REMOVE
        self.delivered: list[Report] = []
        self._lock = threading.Lock()

    def check(self, answer: str, *, evidence: Sequence[Span], **context: Any) -> Report:
        """Note the call and cut."""
        with self._lock:
            self.calls.append(SimpleNamespace(answer=answer, evidence=tuple(evidence), **context))
        edits, verdicts, position = [], [], 0
        for number, sentence in enumerate(answer.split(". ")):
            length = min(len(sentence) + 2, len(answer) - position)
            wrong = "WRONG" in sentence
            if wrong:
                edits.append(Edit(start=position, end=position + length, removed=answer[position : position + length]))
            verdicts.append(
                Verdict(
                    id=f"c{number}",
                    text=sentence,
                    start=position,
                    end=position + len(sentence),
                    label=Label.CONTRADICTED if wrong else Label.SUPPORTED,
                    treatment=self.treatment if wrong else Treatment.KEEP,
                )
            )
            position += length
        text = answer
        for edit in reversed(edits):
            text = text[: edit.start] + text[edit.end :]
        return Report(
            answer_id="a",
            question=context["question"],
            answer=answer,
            text=text,
            decision=Decision(action=Action.REVISED if edits else Action.OK, reason="test"),
            claims=tuple(verdict for verdict in verdicts if verdict.text.strip()),
            evidence=build(evidence),
            capture=context.get("capture"),
            edits=tuple(edits),
        )

    async def acheck(self, answer: str, *, evidence: Sequence[Span], **context: Any) -> Report:
        """The same, awaited."""
        return self.check(answer, evidence=evidence, **context)

    def silent(self) -> NoteGrounder:
        """Itself: no check of it calls a sink."""
        return self

    def deliver(self, report: Report) -> None:
        """Note what the sinks would get."""
        with self._lock:
            self.delivered.append(report)

    async def adeliver(self, report: Report) -> None:
        """The same, awaited."""
        self.deliver(report)

    @property
    def last(self) -> SimpleNamespace:
        """The newest call."""
        return self.calls[-1]


class Events(BaseCallbackHandler):
    """A user's own handler: the names of everything that happened, with tags."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.custom: list[tuple[str, Any]] = []

    def on_chain_start(self, serialized: Any, inputs: Any, *, name: str = "", **kwargs: Any) -> None:
        """Note the name."""
        self.names.append(name)

    def on_retriever_end(self, documents: Any, **kwargs: Any) -> None:
        """Note the event."""
        self.names.append("retriever_end")

    def on_chat_model_start(self, serialized: Any, messages: Any, **kwargs: Any) -> None:
        """Note the event."""
        self.names.append("model")

    def on_custom_event(self, name: str, data: Any, **kwargs: Any) -> None:
        """Keep the event."""
        self.custom.append((name, data))


DOCUMENTS = [
    Document(
        page_content="Refunds are paid within ten days. They go to the card used for the order.",
        metadata={"source": "refunds.md", "version": "3", "section": "2", "start_index": 120},
    ),
    Document(page_content="Parcels travel by rail where possible.", metadata={"source": "shipping.md"}),
    Document(page_content="Refunds for vouchers are not possible.", metadata={"source": "vouchers.md"}),
]

PROMPT = ChatPromptTemplate.from_messages([("system", "Answer from the context.\n{context}"), ("human", "{question}")])


def format_docs(documents: Sequence[Document]) -> str:
    return "\n\n".join(document.page_content for document in documents)


def chain_of(
    reply: Any = "Refunds are paid within ten days. WRONG one.",
    *,
    retriever: Any = None,
    parser: Any = None,
    model: Any = None,
) -> Runnable[Any, Any]:
    """The chain everybody writes: retriever, formatter, prompt, model, parser."""
    retriever = retriever or Retriever(documents=DOCUMENTS)
    answer = reply if callable(reply) else lambda _: reply
    model = model or Model(reply=answer)
    return (
        {"context": retriever | format_docs, "question": RunnablePassthrough()}
        | PROMPT
        | model
        | (parser or StrOutputParser())
    )


@pytest.fixture
def kit() -> SimpleNamespace:
    """The stand-ins by name; a fresh grounder and a fresh model for each test."""
    return SimpleNamespace(
        Retriever=Retriever,
        Model=lambda reply: Model(reply=reply if callable(reply) else lambda _: reply),
        Events=Events,
        grounder=NoteGrounder(),
        documents=[document.model_copy(deep=True) for document in DOCUMENTS],
        prompt=PROMPT,
        format_docs=format_docs,
        chain=chain_of,
    )
