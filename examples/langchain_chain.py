"""An existing LCEL chain, wrapped; a script stands in for the LLM. Run with `python examples/langchain_chain.py`."""

from collections.abc import Sequence

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnablePassthrough

from grounding_middleware_langchain import ground

REFUNDS = "Refunds are paid within ten days of the request. They go to the card used."
VOUCHERS = "Vouchers are not refunded."
ANSWER = "Refunds are paid within two days of the request. They go to the card used. Vouchers are not refunded."
QUESTION = "How long does a refund take?"


class Shop(BaseRetriever):
    """Stands in for a vector store."""

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        del query, run_manager  # a vector store would use them
        return [
            Document(REFUNDS, metadata={"source": "refunds.md", "version": "3"}),
            Document(VOUCHERS, metadata={"source": "vouchers.md", "version": "1"}),
        ]


def format_docs(documents: Sequence[Document]) -> str:
    """As everybody writes it: the model sees texts, no ids."""
    return "\n\n".join(document.page_content for document in documents)


prompt = ChatPromptTemplate.from_messages([("system", "Answer from:\n{context}"), ("human", "{question}")])
model = FakeListChatModel(responses=[ANSWER])
chain = {"context": Shop() | format_docs, "question": RunnablePassthrough()} | prompt | model | StrOutputParser()

guarded = ground(chain)
print("bare:    ", chain.invoke(QUESTION))
print("guarded: ", guarded.invoke(QUESTION))

report = guarded.with_report().invoke(QUESTION)
print("action:  ", report.action)
for claim in report.claims:
    print(f"  {claim.label}: {claim.text}")
if report.capture:
    print("captured:", report.capture.captured, "delivered:", report.capture.delivered)
    print("rules reached", report.capture.rules_reached, "of", report.capture.model_runs, "model runs")
