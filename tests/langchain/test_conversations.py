"""Evidence of a conversation: what an agent was shown stays evidence, whoever shortens its prompt or reads for it."""

from __future__ import annotations

import pytest

pytest.importorskip("langchain.agents")

from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware, dynamic_prompt, wrap_model_call
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import create_retriever_tool, tool
from langgraph.checkpoint.memory import InMemorySaver

from grounding_middleware_langchain import GroundingMiddleware, cite

ASKED = {"messages": [("human", "When are refunds paid?")]}
AGAIN = {"messages": [("human", "Tell me more")]}
RIGHT = "Refunds are paid within ten days."
CONFIG = {"configurable": {"thread_id": "1"}}


def _reply(messages):
    """Looks it up when asked first, answers right away later."""
    if isinstance(messages[-1], ToolMessage) or "more" in messages[-1].text:
        return RIGHT
    return AIMessage("", tool_calls=[{"name": "lookup", "args": {"query": "refunds"}, "id": f"c{len(messages)}"}])


def _agent(kit, *later, tools=None, reply=_reply):
    lookup = create_retriever_tool(kit.Retriever(documents=kit.documents), "lookup", "Finds.")
    guard = GroundingMiddleware(kit.grounder)
    return create_agent(kit.Model(reply), tools or [lookup], middleware=[guard, *later], checkpointer=InMemorySaver())


def _delivered(kit):
    return {span.source_id: span.delivered for span in kit.grounder.last.evidence}


def test_what_a_summary_replaced_stays_evidence(kit):
    """A built-in summary takes the tool's message out of the history; its words rest on what was shown."""
    shorten = SummarizationMiddleware(
        model=kit.Model("Refunds were asked for."), trigger=("messages", 4), keep=("messages", 1)
    )
    agent = _agent(kit, shorten)
    agent.invoke(ASKED, CONFIG)
    result = agent.invoke(AGAIN, CONFIG)
    assert not any(isinstance(message, ToolMessage) for message in result["messages"])
    assert _delivered(kit) == {"refunds.md": True, "vouchers.md": True}


def test_what_was_never_shown_does_not_become_evidence(kit):
    """A tool's documents that every model call was spared are no evidence, now or later."""

    @wrap_model_call
    def without_tool_results(request, handler):
        kept = [message for message in request.messages if not isinstance(message, ToolMessage)]
        return handler(request.override(messages=kept))

    def reply(messages):
        if len(kit.model.seen) > 1:
            return "Money comes back soon."
        return AIMessage("", tool_calls=[{"name": "lookup", "args": {"query": "refunds"}, "id": "c"}])

    kit.model = kit.Model(reply)
    lookup = create_retriever_tool(kit.Retriever(documents=kit.documents), "lookup", "Finds.")
    guard = GroundingMiddleware(kit.grounder)
    agent = create_agent(kit.model, [lookup], middleware=[guard, without_tool_results], checkpointer=InMemorySaver())
    agent.invoke(ASKED, CONFIG)
    agent.invoke(AGAIN, CONFIG)
    assert _delivered(kit) == {"refunds.md": False, "vouchers.md": False}


def test_cited_documents_stay_evidence_of_the_conversation(kit):
    """A prompt that shows its documents in the first turn only."""

    @dynamic_prompt
    def retrieve(request):
        return f"Context:\n{cite(kit.documents[:1])}" if len(request.messages) == 1 else "Go on."

    agent = _agent(kit, retrieve, reply=lambda _: RIGHT)
    agent.invoke(ASKED, CONFIG)
    agent.invoke(AGAIN, CONFIG)
    assert _delivered(kit) == {"refunds.md": True}


def test_conversations_do_not_share_evidence(kit):
    """Another thread begins with nothing."""
    agent = _agent(kit)
    agent.invoke(ASKED, CONFIG)
    agent.invoke(AGAIN, {"configurable": {"thread_id": "2"}})
    assert kit.grounder.last.evidence == ()


@pytest.mark.parametrize("sync", [True, False])
async def test_what_another_agent_read_is_evidence_of_its_report(kit, sync):
    """An agent as a tool: the outer answer rests on the documents the inner model was shown."""
    inner = _agent(kit)

    @tool
    def expert(query: str) -> str:
        """Asks an expert."""
        return inner.invoke(ASKED, CONFIG)["messages"][-1].text

    def ask(messages):
        if isinstance(messages[-1], ToolMessage):
            return f"The expert says: {messages[-1].text}"
        return AIMessage("", tool_calls=[{"name": "expert", "args": {"query": "refunds"}, "id": "e"}])

    outer = _agent(kit, tools=[expert], reply=ask)
    config = {"configurable": {"thread_id": "outer"}}
    outer.invoke(ASKED, config) if sync else await outer.ainvoke(ASKED, config)
    assert _delivered(kit) == {"refunds.md": True, "vouchers.md": True}


def test_a_tool_that_works_out_something_from_documents_is_its_own_source(kit):
    """What the model saw is the tool's text; none of the documents it used stands in it."""

    @tool
    def count(query: str) -> str:
        """Counts."""
        return f"{len(kit.Retriever(documents=kit.documents).invoke(query))} rules are about refunds."

    def reply(messages):
        if isinstance(messages[-1], ToolMessage):
            return "2 rules are about refunds."
        return AIMessage("", tool_calls=[{"name": "count", "args": {"query": "refunds"}, "id": "c"}])

    _agent(kit, tools=[count], reply=reply).invoke(ASKED, CONFIG)
    assert _delivered(kit) == {"refunds.md": False, "vouchers.md": False, "tool:count": True}


def test_names_of_a_prompt_are_not_kept_in_the_state(kit):
    """A prompt that numbers its documents names the spans of its own call only; the state keeps their stable ids."""

    @dynamic_prompt
    def numbered(request):
        cite(kit.documents[:1])
        return f"[1] {kit.documents[0].page_content}"

    agent = _agent(kit, numbered, reply=lambda _: RIGHT)
    agent.invoke(ASKED, CONFIG)
    assert [span.id for span in kit.grounder.last.evidence] == ["1"]
    (stored,) = agent.get_state(CONFIG).values["grounding_spans"]
    assert stored["id"].startswith("refunds.md@3#")
    agent.invoke(AGAIN, CONFIG)
    assert len(kit.grounder.last.evidence) == 1
