"""What a reader of the README already has: a chain of their own."""

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
