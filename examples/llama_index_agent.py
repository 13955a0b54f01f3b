"""An agent of which no unverified word gets out, in its events neither; a scripted model stands in for an LLM."""

import asyncio

from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.tools import QueryEngineTool
from stand_ins.llama_index_llm import ANSWER, Scripted, shop_rules

from grounding_middleware_llama_index import GroundedReActAgent, report_of

CALL = 'Thought: I need the rules.\nAction: rules\nAction Input: {"input": "refunds"}'


def think(prompt: str) -> str:
    """Calls the tool first, then answers."""
    return f"Thought: I can answer.\nAnswer: {ANSWER}" if "Vouchers are not refunded" in prompt else CALL


engine = shop_rules.as_query_engine(llm=Scripted(says=lambda _: ANSWER))
tool = QueryEngineTool.from_defaults(engine, name="rules", description="Shop rules.")
agent = GroundedReActAgent(tools=[tool], llm=Scripted(says=think))


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
