"""Which false answers of the model does a wrapped LangChain chain let through? Run it with `python` and its name.

The probe makes false statements of supported ones; a scripted model in the place of the chain's own says each of them,
and what counts is the text that leaves the chain. Build your chain with a model and a retriever as parameters.
"""

import warnings

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel, FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnablePassthrough

from grounding_middleware import Span
from grounding_middleware.evaluation.probing import Attempt, chosen, of_documents, probe
from grounding_middleware_langchain import ground

warnings.filterwarnings("ignore", message="policy .* expects a judge")
RULES = [
    Span(id="rules#0", source_id="rules", text="Refunds are paid within ten days. Vouchers must be shown at the desk."),
    Span(id="rules#1", source_id="rules", text="Parcels of more than 20 kg travel by rail."),
]


class Delivers(BaseRetriever):
    """Stands in for your retriever: it finds what the probe says the model was shown."""

    texts: list[str]

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        del query, run_manager
        return [Document(text, metadata={"source": f"{number}.md"}) for number, text in enumerate(self.texts)]


def build(model: BaseChatModel, retriever: BaseRetriever) -> Runnable[str, str]:
    """Your chain, as it is."""
    prompt = ChatPromptTemplate.from_messages([("system", "Answer from:\n{context}"), ("human", "{question}")])
    context = retriever | (lambda documents: "\n\n".join(document.page_content for document in documents))
    return {"context": context, "question": RunnablePassthrough()} | prompt | model | StrOutputParser()


def bare(attempt: Attempt) -> str:
    """The text that leaves the chain when the model says this."""
    texts = [span.text for span in attempt.evidence]
    return build(FakeListChatModel(responses=[attempt.answer]), Delivers(texts=texts)).invoke(attempt.question or "?")


def guarded(attempt: Attempt) -> str:
    """The same through the wrapped chain."""
    texts = [span.text for span in attempt.evidence]
    chain = build(FakeListChatModel(responses=[attempt.answer]), Delivers(texts=texts))
    return ground(chain).invoke(attempt.question or "?")


wanted = chosen(["spelled_number", "ten_times", "threshold_direction", "duty_weakened"])
for name, verify in (("bare", bare), ("guarded", guarded)):
    statements = of_documents(RULES, marker="")  # answers of this chain carry no citations
    result = probe(verify, statements, transformations=wanted)
    print(f"{name:8} {result.passed} of {result.tried} false statements left the chain;", end=" ")
    print(f"{result.controls.supported} of {result.controls.tried} true ones did")
