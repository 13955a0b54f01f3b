# ruff: noqa: ARG002, FBT001, FBT002  # the signatures of a model are LlamaIndex's own
"""An agent of which no unverified word gets out, in its events neither; a scripted model stands in for an LLM."""

import asyncio
from typing import Any

from llama_index.core import Document, SummaryIndex
from llama_index.core.llms import CompletionResponse, CompletionResponseGen, CustomLLM, LLMMetadata
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.tools import QueryEngineTool

from grounding_middleware_llama_index import GroundedReActAgent, report_of

ANSWER = "Refunds are paid within two days of the request. Vouchers are not refunded. Parcels travel by rail."
CALL = 'Thought: I need the rules.\nAction: rules\nAction Input: {"input": "refunds"}'


class Scripted(CustomLLM):
    """Stands in for an LLM: as an agent it calls the tool first; whatever it answers is the same."""

    agent: bool = False

    @property
    def metadata(self) -> LLMMetadata:
        """The defaults."""
        return LLMMetadata()

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        """The next line of the script."""
        return CompletionResponse(text=self._next(prompt))

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        """The same, in one piece."""
        text = self._next(prompt)
        yield CompletionResponse(text=text, delta=text)

    def _next(self, prompt: str) -> str:
        if not self.agent:
            return ANSWER
        return f"Thought: I can answer.\nAnswer: {ANSWER}" if "Vouchers are not refunded" in prompt else CALL


index = SummaryIndex.from_documents(
    [
        Document(text="Refunds are paid within ten days of the request.", id_="refunds.md"),
        Document(text="Vouchers are not refunded.", id_="vouchers.md"),
        Document(text="Parcels travel by rail.", id_="shipping.md"),
    ]
)
tool = QueryEngineTool.from_defaults(index.as_query_engine(llm=Scripted()), name="rules", description="Shop rules.")
agent = GroundedReActAgent(tools=[tool], llm=Scripted(agent=True))


async def main() -> None:
    """One run, with its event stream."""
    handler = agent.run("How long does a refund take?", memory=ChatMemoryBuffer.from_defaults(token_limit=3_000))
    async for event in handler.stream_events():
        if delta := getattr(event, "delta", ""):
            print("stream:", delta)
    output = await handler
    print("answer:", output)
    print("action:", report_of(output).action)
    print("sources:", ", ".join(span.source_id for span in report_of(output).evidence.spans))


asyncio.run(main())
