# ruff: noqa: I001  # this package comes before guardrails-ai, so that its import stays quiet
"""A guard around an LCEL chain; a script stands in for the LLM: run it with `python` and its name."""

import warnings

from grounding_middleware_guardrails import ground, guard_from_spec
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableLambda, RunnablePassthrough

warnings.filterwarnings("ignore", message="policy .* expects a judge")  # rules are enough for this answer

DOCUMENTS = [
    Document("Refunds are paid within ten days of the request.", metadata={"source": "refunds.md"}),
    Document("Vouchers are not refunded.", metadata={"source": "vouchers.md"}),
]
ANSWER = "Refunds are paid within two days of the request. Vouchers are not refunded."

prompt = ChatPromptTemplate.from_messages([("system", "Answer from:\n{context}"), ("human", "{question}")])
model = FakeListChatModel(responses=[ANSWER])
search = RunnableLambda(lambda _: DOCUMENTS) | (lambda found: "\n\n".join(one.page_content for one in found))
chain = {"context": search, "question": RunnablePassthrough()} | prompt | model | StrOutputParser()

guard = guard_from_spec(
    """
version: 1
guards:
  - validators:
      - {id: grounding/verified_claims, action: remove}
      - {id: grounding/answerable}
"""
)
guarded = ground(chain, guard)
question = "How long does a refund take?"
print("bare:   ", chain.invoke(question))
print("guarded:", guarded.invoke(question))

report = guarded.with_report().invoke(question)
print("action: ", report.action)
for claim in report.claims:
    print(f"  {claim.label}: {claim.text}")
