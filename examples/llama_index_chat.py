# ruff: noqa: ARG002, FBT001, FBT002  # the signatures of a model are LlamaIndex's own
"""A chat engine whose memory holds the verified text; a scripted model stands in for an LLM."""

from typing import Any

from llama_index.core import Document, SummaryIndex
from llama_index.core.llms import CompletionResponse, CompletionResponseGen, CustomLLM, LLMMetadata
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.memory import ChatMemoryBuffer

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
memory = ChatMemoryBuffer.from_defaults(token_limit=3_000)
chat = ground(index.as_chat_engine(chat_mode="context", llm=Scripted(answer=ANSWER), memory=memory))

reply = chat.chat("How long does a refund take?")
print("reply: ", reply.response)
print("action:", report_of(reply).action)
print("memory:", chat.chat_history[-1].content)

print("stream:", end=" ")
for piece in chat.stream_chat("And with a voucher?").response_gen:
    print(piece, end="")
print()
