# ruff: noqa: ARG002, FBT001, FBT002  # the signatures of a model are LlamaIndex's own
"""An existing query engine, wrapped; a scripted model stands in for an LLM: run it with `python` and its name."""

from typing import Any

from llama_index.core import Document, SummaryIndex
from llama_index.core.llms import CompletionResponse, CompletionResponseGen, CustomLLM, LLMMetadata
from llama_index.core.llms.callbacks import llm_completion_callback

from grounding_middleware_llama_index import ground, report_of

ANSWER = "Refunds are paid within two days of the request. Vouchers are not refunded. Parcels travel by rail."


class Scripted(CustomLLM):
    """Stands in for an LLM: always the same answer."""

    answer: str

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
        Document(text="Parcels travel by rail.", id_="shipping.md"),
    ]
)
engine = index.as_query_engine(llm=Scripted(answer=ANSWER))

safe = ground(engine)
question = "How long does a refund take?"

print("bare:    ", engine.query(question))
response = safe.query(question)
print("grounded:", response)

report = report_of(response)
print("action:  ", report.action)
for claim in report.claims:
    print(f"  {claim.label}: {claim.text}")
print("captured:", report.capture.captured, "delivered:", report.capture.delivered)
print("rules reached", report.capture.rules_reached, "of", report.capture.model_runs, "model runs")
