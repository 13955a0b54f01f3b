"""`GroundingMiddleware` in `create_agent`: verified text only, whatever streams, fails over or resumes."""

from __future__ import annotations

import pytest

pytest.importorskip("langchain.agents")

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import create_retriever_tool

from grounding_middleware_langchain import GroundingMiddleware

QUESTION = {"messages": [("human", "When are refunds paid?")]}
RAW = "Refunds are paid within ten days. WRONG one. They go to the card."
VERIFIED = "Refunds are paid within ten days. They go to the card."


def _caller(answer=RAW, *, calls=1, text=""):
    """A model that calls the tool `calls` times in its first turn, then answers."""

    def reply(messages):
        if any(isinstance(message, ToolMessage) for message in messages):
            return answer
        asked = [{"name": "lookup", "args": {"query": "refunds"}, "id": f"c{n}"} for n in range(calls)]
        return AIMessage(text, tool_calls=asked)

    return reply


def _agent(kit, reply=None, *, more=(), tools=None, **options):
    lookup = create_retriever_tool(kit.Retriever(documents=kit.documents), "lookup", "Finds.")
    middleware = [GroundingMiddleware(kit.grounder), *more]
    return create_agent(kit.Model(reply or _caller()), tools or [lookup], middleware=middleware, **options)


async def test_answer_is_verified_against_what_tools_returned(kit):
    """Evidence comes from the tool, the final message is verified, sync and async alike."""
    agent = _agent(kit)
    result = agent.invoke(QUESTION)
    assert result["messages"][-1].text == VERIFIED
    assert {span.source_id for span in kit.grounder.last.evidence if span.delivered} == {"refunds.md", "vouchers.md"}
    assert (await agent.ainvoke(QUESTION))["messages"][-1].text == VERIFIED
    assert kit.grounder.calls[0] == kit.grounder.calls[1]
    assert result["grounding"]["action"] == "revised"
    assert result["grounding"]["capture"]["rules_reached"] == 1
    assert "grounding_spans" not in result
