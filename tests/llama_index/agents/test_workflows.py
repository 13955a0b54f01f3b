"""Agents inside an `AgentWorkflow`, which speaks and calls tools past its agents."""

from __future__ import annotations

import pytest
from llama_index.core import VectorStoreIndex
from llama_index.core.agent.workflow import AgentWorkflow, FunctionAgent
from llama_index.core.objects import ObjectIndex

from grounding_middleware import Action
from grounding_middleware_llama_index import GroundedFunctionAgent, report_of

HAS_EARLY_STOPPING = "early_stopping_method" in FunctionAgent.model_fields


@pytest.mark.parametrize("flow", [False, True])
async def test_11_tools_that_a_retriever_finds_are_grounded(kit, agents, flow):
    """Checklist 11: also inside an AgentWorkflow, which asks the retriever past its agent."""
    tool = agents.kb(kit.RAW)
    found = ObjectIndex.from_objects([tool], index_cls=VectorStoreIndex, embed_model=kit.embedding)
    agent = GroundedFunctionAgent(
        name="a",
        description="b",
        tool_retriever=found.as_retriever(similarity_top_k=1),
        llm=kit.model(agents.caller(kit.RAW)),
        grounder=kit.grounder,
    )
    output, events, _ = await agents.run(AgentWorkflow(agents=[agent]) if flow else agent)
    assert str(output) == kit.SUPPORTED
    assert kit.LEAK not in repr(events)


@pytest.mark.parametrize("kind", ["function", "react"])
async def test_11_in_an_agent_workflow_with_a_handoff(kit, agents, kind):
    """Checklist 11: one agent hands over; that is no evidence, the answer is verified, events are clean."""

    def first(messages):
        return "", [agents.call("handoff", to_agent="second", reason=f"It asks about {kit.LEAK}.")]

    start = GroundedFunctionAgent(
        name="first", description="Starts.", llm=kit.model(first), grounder=kit.grounder, can_handoff_to=["second"]
    )
    second = agents.make(kind, name="second", description="Answers.", can_handoff_to=[])
    flow = AgentWorkflow(agents=[start, second], root_agent="first")
    output, events, memory = await agents.run(flow)
    assert str(output) == kit.SUPPORTED
    assert report_of(output).action is Action.REVISED
    assert "coins" not in repr(events) + repr(memory.get_all())
    assert {span.source_id for span in report_of(output).evidence.spans} == {"refunds.md", "vouchers.md"}


async def test_11_generated_ends_of_a_workflow_are_refused(kit, agents):
    """Checklist 11: an AgentWorkflow that may write one last answer past its agents cannot be kept clean."""
    if not HAS_EARLY_STOPPING:
        pytest.skip("this version knows no early stopping")
    flow = AgentWorkflow(agents=[agents.make(name="a", description="b")], early_stopping_method="generate")
    with pytest.raises(Exception, match="early_stopping_method: 'generate'"):
        await agents.run(flow)
