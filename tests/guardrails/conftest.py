"""What the tests of the guardrails-ai integration share; all of them are left out where guardrails-ai is not there."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from llama_index.core import Document as LlamaDocument
from llama_index.core import SummaryIndex
from llama_index.core.llms import CompletionResponse, CompletionResponseGen, CustomLLM, LLMMetadata
from llama_index.core.llms.callbacks import llm_completion_callback

from grounding_middleware.judges import Batch, JudgeTask, Opinion, Replies
from grounding_middleware.records import Label, Quote

if find_spec("guardrails"):
    import grounding_middleware_guardrails as package  # before any test imports guardrails-ai itself

    collect_ignore_glob: list[str] = []
else:  # Python 3.14, or installed without the extra
    collect_ignore_glob = ["test_*.py"]

TEXT = "The sky is blue. Pigs can fly."
EVIDENCE = "The sky is blue."


class FixedJudge:
    """A judge without a model: one label for every claim it is asked about, or an error."""

    def __init__(self, label: Label = Label.SUPPORTED, confidence: float | None = None, error: str = "") -> None:
        self.name = "fixed"
        self.model: Any = SimpleNamespace(name="fixed", complete=None, acomplete=None)
        self.asked: list[str] = []
        self._label, self._confidence, self._error = label, confidence, error

    def judge(self, task: JudgeTask) -> Generator[Batch, Replies, tuple[Opinion, ...]]:
        """Opinions that quote the first span, so that they count."""
        self.asked += [item.claim.text for item in task.items]
        if self._error:
            raise RuntimeError(self._error)
        span = task.evidence[0]
        quotes = (Quote(span_id=span.id, start=0, end=len(span.text), text=span.text),)
        return tuple(
            Opinion(claim_id=item.claim.id, label=self._label, quotes=quotes, confidence=self._confidence)
            for item in task.items
        )
        yield ()  # makes it a generator


@pytest.fixture
def kit() -> SimpleNamespace:
    """Names the tests use again and again."""
    return SimpleNamespace(package=package, text=TEXT, evidence=EVIDENCE, FixedJudge=FixedJudge, own_loop=own_loop)


@pytest.fixture
def ask() -> Any:
    """Ask a guard once with evidence of its own: outcome and request."""

    def asked(guard: Any, text: str = TEXT, evidence: Sequence[Any] = (EVIDENCE,), **context: Any) -> Any:
        request = package.Grounding(evidence, **context)
        return guard.validate(text, metadata={"grounding": request}), request

    return asked


@contextmanager
def own_loop() -> Iterator[None]:
    """An event loop for guardrails-ai, which makes one where there is none and never closes it."""
    with asyncio.Runner() as runner:
        asyncio.set_event_loop(runner.get_loop())
        yield


@pytest.fixture(autouse=True)
def _closed_loops(request: pytest.FixtureRequest) -> Iterator[None]:
    """So it is in every test that does not run in a loop already."""
    with nullcontext() if inspect.iscoroutinefunction(request.function) else own_loop():
        yield


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No configuration of the person who runs the tests is read."""
    monkeypatch.setenv("HOME", str(tmp_path_factory.mktemp("home")))


DOCUMENTS = (
    ("refunds.md", "Refunds are paid within ten days of the request."),
    ("vouchers.md", "Vouchers are not refunded."),
)
ANSWER = "Refunds are paid within two days of the request. Vouchers are not refunded."


@pytest.fixture
def chain() -> Any:
    """The LCEL chain of every tutorial, with a scripted model that gets one of two facts wrong."""
    return _chain_saying(ANSWER)


@pytest.fixture
def chain_saying() -> Any:
    """Makes chains with other answers and documents."""
    return _chain_saying


def _chain_saying(*answers: str, documents: Sequence[tuple[str, str]] = DOCUMENTS) -> Any:
    """A chain over `documents` whose model gives these answers in turn."""
    found = [Document(text, metadata={"source": name}) for name, text in documents]
    prompt = ChatPromptTemplate.from_messages([("system", "Answer from:\n{context}"), ("human", "{question}")])
    retriever = RunnableLambda(lambda _: found) | RunnableLambda(
        lambda all_: "\n\n".join(one.page_content for one in all_)
    )
    model = FakeListChatModel(responses=list(answers))
    return {"context": retriever, "question": RunnablePassthrough()} | prompt | model | StrOutputParser()


class Scripted(CustomLLM):
    """A LlamaIndex model that always says the same."""

    answer: str

    @property
    def metadata(self) -> LLMMetadata:
        """The defaults."""
        return LLMMetadata()

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:  # noqa: FBT001, FBT002  # LlamaIndex's own
        """The answer."""
        return CompletionResponse(text=self.answer)

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:  # noqa: FBT001, FBT002  # LlamaIndex's own
        """The answer, in two pieces."""
        half = len(self.answer) // 2
        yield CompletionResponse(text=self.answer[:half], delta=self.answer[:half])
        yield CompletionResponse(text=self.answer, delta=self.answer[half:])


@pytest.fixture
def index() -> Any:
    """The same documents as a LlamaIndex index."""
    return SummaryIndex.from_documents([LlamaDocument(text=text, id_=name) for name, text in DOCUMENTS])


@pytest.fixture
def scripted() -> Any:
    """The model of the engines."""
    return Scripted(answer=ANSWER)


@pytest.fixture
def query_engine(index: Any, scripted: Any) -> Any:
    """A query engine over them."""
    return index.as_query_engine(llm=scripted)
