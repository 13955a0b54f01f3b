"""Stands in for an LLM, so that the examples run offline: what it says is written in the example."""

from collections.abc import Callable
from typing import Any

from llama_index.core import Document, SummaryIndex
from llama_index.core.llms import CompletionResponse, CompletionResponseGen, CustomLLM, LLMMetadata
from llama_index.core.llms.callbacks import llm_completion_callback


class Scripted(CustomLLM):
    """Answers every prompt with what `says` makes of it."""

    says: Callable[[str], str]

    @property
    def metadata(self) -> LLMMetadata:
        """The defaults."""
        return LLMMetadata()

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:  # noqa: ARG002, FBT001, FBT002  # LlamaIndex's signature
        """The answer."""
        return CompletionResponse(text=self.says(prompt))

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:  # noqa: ARG002, FBT001, FBT002  # the same
        """The answer, in one piece."""
        text = self.says(prompt)
        yield CompletionResponse(text=text, delta=text)


ANSWER = "Refunds are paid within two days of the request. Vouchers are not refunded. Parcels travel by rail."
"""What the model of the examples says; its first sentence contradicts the shop's rules."""

shop_rules = SummaryIndex.from_documents(
    [
        Document(text="Refunds are paid within ten days of the request.", id_="refunds.md"),
        Document(text="Vouchers are not refunded.", id_="vouchers.md"),
        Document(text="Parcels travel by rail.", id_="shipping.md"),
    ]
)
