"""An existing LCEL chain, wrapped; a scripted model stands in for an LLM: run with `python examples/langchain_chain.py`."""

from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnablePassthrough

from grounding_middleware_langchain import ground

RULES_OF_THE_SHOP = [
    Document("Refunds are paid within ten days of the request.", metadata={"source": "refunds.md", "version": "3"}),
    Document("Vouchers are not refunded.", metadata={"source": "vouchers.md", "version": "1"}),
]


class Shop(BaseRetriever):
    """Stands in for a vector store."""

    def _get_relevant_documents(self, query, *, run_manager):
        return RULES_OF_THE_SHOP


def format_docs(documents):
    """As everybody writes it."""
    return "\n\n".join(document.page_content for document in documents)


prompt = ChatPromptTemplate.from_messages([("system", "Answer from:\n{context}"), ("human", "{question}")])
model = FakeListChatModel(responses=["Refunds are paid within two days of the request. Vouchers are not refunded."])
chain = {"context": Shop() | format_docs, "question": RunnablePassthrough()} | prompt | model | StrOutputParser()

guarded = ground(chain)
question = "How long does a refund take?"

print("bare:    ", chain.invoke(question))
print("guarded: ", guarded.invoke(question))

report = guarded.with_report().invoke(question)
print("action:  ", report.action)
for claim in report.claims:
    print(f"  {claim.label}: {claim.text}")
print("captured:", report.capture.captured, "delivered:", report.capture.delivered)
print("rules reached", report.capture.rules_reached, "of", report.capture.model_runs, "model runs")
