"""What a reader of the README already has: a chain of their own, a query engine of their own."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from llama_index.core import SummaryIndex
from llama_index.core.llms import CompletionResponse, CompletionResponseGen, CustomLLM, LLMMetadata
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.schema import TextNode


class PolicyRetriever(BaseRetriever):
    """Always finds the one paragraph."""

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        text = "Claims above SGD 500 must be reviewed by regional finance before payment."
        return [Document(page_content=text, metadata={"source": "policy.md"})]


@pytest.fixture
def chain() -> Any:
    """Retriever, prompt, model, parser: the LCEL chain of every tutorial, with a scripted model."""
    prompt = ChatPromptTemplate.from_messages([("system", "Answer from:\n{context}"), ("human", "{question}")])
    model = FakeListChatModel(responses=["Claims above SGD 500 must be reviewed by regional finance before payment."])
    context = PolicyRetriever() | RunnableLambda(lambda found: "\n\n".join(document.page_content for document in found))
    return {"context": context, "question": RunnablePassthrough()} | prompt | model | StrOutputParser()


class Scripted(CustomLLM):
    """Stands in for an LLM: always the same answer."""

    @property
    def metadata(self) -> LLMMetadata:
        """The defaults."""
        return LLMMetadata()

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:  # noqa: FBT001, FBT002  # LlamaIndex's signature
        """The answer."""
        return CompletionResponse(text="Claims above SGD 500 must be reviewed by regional finance before payment.")

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponseGen:  # noqa: FBT001, FBT002  # the same
        """The answer, in one piece."""
        yield self.complete(prompt)


@pytest.fixture
def query_engine() -> Any:
    """The query engine of every tutorial, with a scripted model."""
    text = "Claims above SGD 500 must be reviewed by regional finance before payment."
    return SummaryIndex([TextNode(text=text, id_="policy.md")]).as_query_engine(llm=Scripted())
