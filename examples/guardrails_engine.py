# ruff: noqa: I001  # this package comes before guardrails-ai, so that its import stays quiet
# ruff: noqa: ARG002, FBT001, FBT002  # the signatures of a model are LlamaIndex's own
"""A guard around a LlamaIndex query engine; a scripted model stands in for an LLM: run it with `python`."""

import warnings
from typing import Any

from grounding_middleware_guardrails import VerifiedClaims, ground
from guardrails import Guard
from llama_index.core import Document, SummaryIndex
from llama_index.core.llms import CompletionResponse, CompletionResponseGen, CustomLLM, LLMMetadata
from llama_index.core.llms.callbacks import llm_completion_callback

from grounding_middleware_llama_index import report_of

warnings.filterwarnings("ignore", message="policy .* expects a judge")  # rules are enough for this answer


class Scripted(CustomLLM):
    """Stands in for an LLM: always the same answer."""

    answer: str = "Refunds are paid within two days of the request. Vouchers are not refunded."

    @property
    def metadata(self) -> LLMMetadata:
        """The defaults."""
        return LLMMetadata()

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        """The answer."""
        return CompletionResponse(text=self.answer)

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        """The answer, in one piece."""
        yield CompletionResponse(text=self.answer, delta=self.answer)


index = SummaryIndex.from_documents(
    [
        Document(text="Refunds are paid within ten days of the request.", id_="refunds.md"),
        Document(text="Vouchers are not refunded.", id_="vouchers.md"),
    ]
)
engine = index.as_query_engine(llm=Scripted())
safe = ground(engine, Guard().use(VerifiedClaims(action="remove")))

question = "How long does a refund take?"
print("bare:   ", engine.query(question))
response = safe.query(question)
print("guarded:", response)
for claim in report_of(response).claims:
    print(f"  {claim.label}: {claim.text}")
