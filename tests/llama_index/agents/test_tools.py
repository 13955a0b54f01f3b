"""What an agent's answer may rest on: the sources its tools returned, and never a sentence a model wrote in one."""

from __future__ import annotations

import asyncio

import pytest
from llama_index.core import Document
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.agent.workflow.workflow_events import ToolCallResult
from llama_index.core.tools import FunctionTool, RetrieverTool

from grounding_middleware import Action
from grounding_middleware_llama_index import GroundedFunctionAgent, asking, extract_spans, report_of


@pytest.mark.parametrize("kind", ["function", "react"])
async def test_11_evidence_is_what_the_tools_engine_showed_its_model(kit, agents, kind):
    """Checklist 11: leaf nodes of the tool's engine, not the sentence the tool returned."""
    output, _, _ = await agents.run(agents.make(kind, tools=[agents.kb(kit.RAW)]))
    report = report_of(output)
    assert {span.source_id for span in report.evidence.spans} == {"refunds.md", "vouchers.md"}
    assert all(span.delivered for span in report.evidence.spans)
    assert kit.LEAK not in "".join(span.text for span in report.evidence.spans)


async def test_11_query_engines_in_tools_are_grounded(kit, agents):
    """Checklist 11: what a tool says is verified before the agent, or the reader of its events, sees it."""
    tool = agents.kb(kit.RAW)
    agent = agents.make(answer=kit.SUPPORTED, tools=[tool])
    _, events, _ = await agents.run(agent)
    (result,) = [event for event in events if isinstance(event, ToolCallResult)]
    assert result.tool_output.content == kit.SUPPORTED
    assert str(tool.call("x")) == kit.RAW, "the tool itself is untouched"


async def test_11_a_function_that_asks_an_engine_is_verified_like_one(kit, agents):
    """Checklist 11: a tool whose text a model wrote is no source; its retrieved nodes are."""
    engine = kit.engine()

    def kb(input: str) -> str:  # noqa: A002  # the name agents pass
        """Looks up."""
        return str(engine.query(input))

    agent = agents.make(tools=[FunctionTool.from_defaults(kb)])
    output, events, _ = await agents.run(agent)
    assert kit.LEAK not in repr(events) + repr(output)
    assert {span.source_id for span in report_of(output).evidence.spans} == {"refunds.md", "vouchers.md"}


@pytest.mark.parametrize("kind", ["function", "react"])
async def test_11_a_tool_that_returns_directly_is_verified(kit, agents, kind):
    """Checklist 11: `return_direct` ends without another step; the tool's answer is the result."""
    output, events, memory = await agents.run(agents.make(kind, tools=[agents.kb(kit.RAW, return_direct=True)]))
    assert str(output) == kit.SUPPORTED
    assert kit.LEAK not in repr(events) + repr(memory.get_all())
    assert report_of(output).action is Action.REVISED


@pytest.mark.parametrize("kind", ["function", "react"])
async def test_11_a_function_that_returns_directly_is_its_own_source(kit, agents, kind):
    """Checklist 11: what no model wrote rests on the tool itself."""
    tool = FunctionTool.from_defaults(agents.lookup, name="kb", return_direct=True)
    output, _, memory = await agents.run(agents.make(kind, tools=[tool]))
    assert str(output) == kit.SUPPORTED
    assert [span.source_id for span in report_of(output).evidence.spans] == ["tool:kb"]
    assert memory.get_all()[-1].content.endswith(kit.SUPPORTED)


async def test_11_parallel_tools_add_up(kit, agents):
    """Checklist 11: results of calls made at the same time are evidence together."""

    def post(input: str = "") -> str:  # noqa: A002  # the name agents pass
        """Says how parcels travel."""
        return "Parcels travel by rail."

    tools = [FunctionTool.from_defaults(agents.lookup, name="kb"), FunctionTool.from_defaults(post)]
    both = "Refunds are paid within ten days. Parcels travel by rail."
    model = kit.model(agents.caller(both, agents.call("kb", 0), agents.call("post", 1)))
    output, _, _ = await agents.run(agents.make(llm=model, tools=tools))
    assert {span.source_id for span in report_of(output).evidence.spans} == {"tool:kb", "tool:post"}
    assert str(output) == both


@pytest.mark.parametrize("kind", ["function", "react"])
async def test_11_an_error_of_a_tool_is_no_evidence(kit, agents, kind):
    """Checklist 11: an answer that rests on a failed tool is withheld."""

    def kb(input: str = "") -> str:  # noqa: A002  # the name agents pass
        """Looks up."""
        raise ConnectionError("Refunds are paid within ten days.")

    output, _, _ = await agents.run(agents.make(kind, tools=[FunctionTool.from_defaults(kb)]))
    assert report_of(output).evidence.spans == ()
    assert str(output) == kit.grounder.policy.texts.escalation


async def test_11_nodes_of_a_retriever_tool_are_evidence(kit, agents):
    """Checklist 11: RetrieverTool returns nodes; they count as far as the agent's prompt shows them."""
    tool = RetrieverTool.from_defaults(kit.index().as_retriever(similarity_top_k=2), name="kb", description="Finds.")
    output, _, _ = await agents.run(agents.make(tools=[tool]))
    spans = report_of(output).evidence.spans
    assert {(span.source_id, span.delivered) for span in spans} == {("refunds.md", True), ("vouchers.md", True)}
    assert str(output) == kit.SUPPORTED


async def test_twenty_runs_at_once_do_not_share_evidence(kit, agents):
    """Checklist 9: one agent, many runs: each answer rests on its own tool call."""

    def kb(input: str) -> str:  # noqa: A002  # the name agents pass
        """Looks up."""
        return f"Token {input} is valid."

    def reply(messages):
        if agents.asked(messages):
            return next(m.content for m in reversed(messages) if m.role.value == "tool")
        return "", [agents.call("kb", input=messages[-1].content)]

    agent = GroundedFunctionAgent(tools=[FunctionTool.from_defaults(kb)], llm=kit.model(reply), grounder=kit.grounder)
    outputs = await asyncio.gather(*(agents.run(agent, f"t{n}") for n in range(20)))
    for n, (output, _, _) in enumerate(outputs):
        assert str(output) == f"Token t{n} is valid."
        assert [span.text for span in report_of(output).evidence.spans] == [f"Token t{n} is valid."]


async def test_sources_of_a_bare_agent_can_be_had(kit, agents):
    """`extract_spans` looks into the tools a bare agent called; nothing in there counts as shown."""
    agent = FunctionAgent(tools=[agents.kb()], llm=kit.model(agents.caller(kit.SUPPORTED)))
    output, _, _ = await agents.run(agent)
    spans = extract_spans(output)
    assert {span.source_id for span in spans} == {"refunds.md", "vouchers.md"}
    assert not any(span.delivered for span in spans)


async def test_who_asks_reaches_an_agent(kit, agents):
    """EV-5: `asking` around `run` holds inside the steps; another tenant's source is not there."""
    documents = [
        Document(text=kit.SUPPORTED, id_="a", metadata={"tenant": "a"}),
        Document(text="Refunds are paid within two days.", id_="b", metadata={"tenant": "b"}),
    ]
    retriever = kit.index(documents).as_retriever(similarity_top_k=2)
    tool = RetrieverTool.from_defaults(retriever, name="kb", description="Finds.")
    agent = agents.make(answer=kit.SUPPORTED, tools=[tool], fields=kit.fields)
    output, _, _ = await agents.run(agent)
    assert str(output) == kit.grounder.policy.texts.escalation
    with asking(requester={"tenant": "a"}):
        output, _, _ = await agents.run(agent)
    assert str(output) == kit.SUPPORTED
    assert {span.source_id for span in report_of(output).evidence.spans} == {"a"}
