"""Agents: no unverified word in results, events or memory, with and without streaming, alone and in workflows."""

from __future__ import annotations

import asyncio
import warnings

import pytest
from llama_index.core import Document, VectorStoreIndex
from llama_index.core.agent.workflow import AgentStream, AgentWorkflow, FunctionAgent, ReActAgent
from llama_index.core.agent.workflow.workflow_events import AgentOutput, ToolCallResult
from llama_index.core.llms.llm import ToolSelection
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.objects import ObjectIndex
from llama_index.core.tools import FunctionTool, QueryEngineTool, RetrieverTool
from llama_index.core.workflow import Context
from pydantic import BaseModel

from grounding_middleware import Action, ConfigError
from grounding_middleware_llama_index import (
    GroundedFunctionAgent,
    GroundedReActAgent,
    asking,
    extract_spans,
    ground,
    report_of,
)

pytestmark = pytest.mark.filterwarnings(  # all of them LlamaIndex's own
    "ignore::pydantic.PydanticDeprecationWarning",
    "ignore:is_running called from within a step",
    "ignore:Skipping serialization of known unserializable key",
    "ignore:ServiceManager is deprecated",
)

HAS_STREAMING_FLAG = "streaming" in FunctionAgent.model_fields
HAS_EARLY_STOPPING = "early_stopping_method" in FunctionAgent.model_fields


def _call(name="kb", number=0, **arguments):
    return ToolSelection(tool_id=f"c{number}", tool_name=name, tool_kwargs=arguments or {"input": "refunds"})


def _asked(messages):
    """Whether a tool has answered since the user spoke last; a handoff is no answer."""
    roles = [message.role.value for message in messages]
    start = len(roles) - roles[::-1].index("user") if "user" in roles else 0
    return any(m.role.value == "tool" and "handling the request" not in m.content for m in messages[start:])


def _caller(answer, *calls, text=""):
    """A function-calling model: first the calls, then the answer."""
    return lambda messages: answer if _asked(messages) else (text, list(calls or [_call()]))


def _react(answer, *, thought=""):
    """A ReAct model: first an action, then the answer, each with a thought."""

    def reply(messages):
        if "Observation:" in messages[-1].content:
            return f"Thought: {thought or 'I can answer.'}\nAnswer: {answer}"
        return f'Thought: {thought or "I need the tool."}\nAction: kb\nAction Input: {{"input": "refunds"}}'

    return reply


def _kb(kit, reply=None, **settings):
    """A query engine as a tool."""
    engine = kit.engine(reply or kit.SUPPORTED)
    return QueryEngineTool.from_defaults(engine, name="kb", description="Looks up.", **settings)


def _lookup(topic: str = "", input: str = "") -> str:  # noqa: A002  # the name agents pass
    """Looks up."""
    return "Refunds are paid within ten days."


def _agent(kit, kind="function", answer=None, tools=None, **settings):
    answer = kit.RAW if answer is None else answer
    made: dict = {
        "function": (GroundedFunctionAgent, kit.model(_caller(answer))),
        "react": (GroundedReActAgent, kit.model(_react(answer))),
    }
    cls, model = made[kind]
    return cls(tools=tools or [_kb(kit)], llm=settings.pop("llm", model), grounder=kit.grounder, **settings)


async def _run(agent, question="When are refunds paid?", **settings):
    """The result and everything that was streamed."""
    memory = settings.setdefault("memory", ChatMemoryBuffer.from_defaults(token_limit=3_000))
    handler = agent.run(question, **settings)
    events = [event async for event in handler.stream_events()]
    return await handler, events, memory


@pytest.mark.parametrize("streaming", [True, False] if HAS_STREAMING_FLAG else [True])
@pytest.mark.parametrize("kind", ["function", "react"])
async def test_11_nothing_unverified_leaves_an_agent(kit, kind, streaming):
    """Checklist 11: result, events and memory hold the verified answer; one stream event carries it."""
    settings = {"streaming": streaming} if HAS_STREAMING_FLAG else {}
    output, events, memory = await _run(_agent(kit, kind, **settings))
    assert str(output) == kit.SUPPORTED
    assert report_of(output).action is Action.REVISED
    seen = repr(events) + repr(memory.get_all()) + repr([event.model_dump() for event in events])
    assert kit.LEAK not in seen
    assert output.raw is None
    assert memory.get_all()[-1].content.endswith(kit.SUPPORTED)
    last = [event for event in events if isinstance(event, AgentStream)][-1:]
    assert [event.delta for event in last] == ([kit.SUPPORTED] if streaming else [])
    assert {span.source_id for span in extract_spans(output)} >= {"refunds.md"}


@pytest.mark.parametrize("kind", ["function", "react"])
async def test_11_evidence_is_what_the_tools_engine_showed_its_model(kit, kind):
    """Checklist 11: leaf nodes of the tool's engine, not the sentence the tool returned."""
    output, _, _ = await _run(_agent(kit, kind, tools=[_kb(kit, kit.RAW)]))
    report = report_of(output)
    assert {span.source_id for span in report.evidence.spans} == {"refunds.md", "vouchers.md"}
    assert all(span.delivered for span in report.evidence.spans)
    assert kit.LEAK not in "".join(span.text for span in report.evidence.spans)


async def test_11_query_engines_in_tools_are_grounded(kit):
    """Checklist 11: what a tool says is verified before the agent, or the reader of its events, sees it."""
    tool = _kb(kit, kit.RAW)
    agent = _agent(kit, answer=kit.SUPPORTED, tools=[tool])
    _, events, _ = await _run(agent)
    (result,) = [event for event in events if isinstance(event, ToolCallResult)]
    assert result.tool_output.content == kit.SUPPORTED
    assert str(tool.call("x")) == kit.RAW, "the tool itself is untouched"


@pytest.mark.parametrize("flow", [False, True])
async def test_11_tools_that_a_retriever_finds_are_grounded(kit, flow):
    """Checklist 11: also inside an AgentWorkflow, which asks the retriever past its agent."""
    tool = _kb(kit, kit.RAW)
    found = ObjectIndex.from_objects([tool], index_cls=VectorStoreIndex, embed_model=kit.embedding)
    agent = GroundedFunctionAgent(
        name="a",
        description="b",
        tool_retriever=found.as_retriever(similarity_top_k=1),
        llm=kit.model(_caller(kit.RAW)),
        grounder=kit.grounder,
    )
    output, events, _ = await _run(AgentWorkflow(agents=[agent]) if flow else agent)
    assert str(output) == kit.SUPPORTED
    assert kit.LEAK not in repr(events)


async def test_11_a_function_that_asks_an_engine_is_verified_like_one(kit):
    """Checklist 11: a tool whose text a model wrote is no source; its retrieved nodes are."""
    engine = kit.engine()

    def kb(input: str) -> str:  # noqa: A002  # the name agents pass
        """Looks up."""
        return str(engine.query(input))

    agent = _agent(kit, tools=[FunctionTool.from_defaults(kb)])
    output, events, _ = await _run(agent)
    assert kit.LEAK not in repr(events) + repr(output)
    assert {span.source_id for span in report_of(output).evidence.spans} == {"refunds.md", "vouchers.md"}


@pytest.mark.parametrize("kind", ["function", "react"])
async def test_11_a_tool_that_returns_directly_is_verified(kit, kind):
    """Checklist 11: `return_direct` ends without another step; the tool's answer is the result."""
    output, events, memory = await _run(_agent(kit, kind, tools=[_kb(kit, kit.RAW, return_direct=True)]))
    assert str(output) == kit.SUPPORTED
    assert kit.LEAK not in repr(events) + repr(memory.get_all())
    assert report_of(output).action is Action.REVISED


@pytest.mark.parametrize("kind", ["function", "react"])
async def test_11_a_function_that_returns_directly_is_its_own_source(kit, kind):
    """Checklist 11: what no model wrote rests on the tool itself."""
    tool = FunctionTool.from_defaults(_lookup, name="kb", return_direct=True)
    output, _, memory = await _run(_agent(kit, kind, tools=[tool]))
    assert str(output) == kit.SUPPORTED
    assert [span.source_id for span in report_of(output).evidence.spans] == ["tool:kb"]
    assert memory.get_all()[-1].content.endswith(kit.SUPPORTED)


async def test_11_parallel_tools_add_up(kit):
    """Checklist 11: results of calls made at the same time are evidence together."""

    def post(input: str = "") -> str:  # noqa: A002  # the name agents pass
        """Says how parcels travel."""
        return "Parcels travel by rail."

    tools = [FunctionTool.from_defaults(_lookup, name="kb"), FunctionTool.from_defaults(post)]
    both = "Refunds are paid within ten days. Parcels travel by rail."
    model = kit.model(_caller(both, _call("kb", 0), _call("post", 1)))
    output, _, _ = await _run(_agent(kit, llm=model, tools=tools))
    assert {span.source_id for span in report_of(output).evidence.spans} == {"tool:kb", "tool:post"}
    assert str(output) == both


@pytest.mark.parametrize("kind", ["function", "react"])
async def test_11_an_error_of_a_tool_is_no_evidence(kit, kind):
    """Checklist 11: an answer that rests on a failed tool is withheld."""

    def kb(input: str = "") -> str:  # noqa: A002  # the name agents pass
        """Looks up."""
        raise ConnectionError("Refunds are paid within ten days.")

    output, _, _ = await _run(_agent(kit, kind, tools=[FunctionTool.from_defaults(kb)]))
    assert report_of(output).evidence.spans == ()
    assert str(output) == kit.grounder.policy.texts.escalation


async def test_11_nodes_of_a_retriever_tool_are_evidence(kit):
    """Checklist 11: RetrieverTool returns nodes; they count as far as the agent's prompt shows them."""
    tool = RetrieverTool.from_defaults(kit.index().as_retriever(similarity_top_k=2), name="kb", description="Finds.")
    output, _, _ = await _run(_agent(kit, tools=[tool]))
    spans = report_of(output).evidence.spans
    assert {(span.source_id, span.delivered) for span in spans} == {("refunds.md", True), ("vouchers.md", True)}
    assert str(output) == kit.SUPPORTED


@pytest.mark.parametrize("kind", ["function", "react"])
async def test_11_no_tool_call_means_no_evidence(kit, kind):
    """Checklist 11: an answer out of nowhere is withheld, the policy's text takes its place."""
    reply = kit.RAW if kind == "function" else f"Thought: easy\nAnswer: {kit.RAW}"
    output, events, memory = await _run(_agent(kit, kind, llm=kit.model(reply)))
    assert str(output) == kit.grounder.policy.texts.escalation
    assert report_of(output).action is Action.ESCALATE
    assert kit.SUPPORTED not in repr(events) + repr(memory.get_all())


async def test_11_text_beside_tool_calls_is_verified(kit):
    """Checklist 11: people read interim text, too; the calls stay."""
    model = kit.model(_caller(kit.RAW, text=f"Let me look it up. Refunds are paid in {kit.LEAK} coins."))
    output, events, memory = await _run(_agent(kit, llm=model))
    assert kit.LEAK not in repr(events) + repr(memory.get_all()) + repr(output)
    calls = [event.tool_calls for event in events if isinstance(event, AgentOutput) and event.tool_calls]
    assert calls[0][0].tool_name == "kb"


async def test_11_thoughts_of_a_react_agent_stay_inside(kit):
    """Checklist 11: what the model thinks is no claim, and nobody's business: not in events, not in memory."""
    secret = f"I know that refunds come in {kit.LEAK}."
    output, events, memory = await _run(_agent(kit, "react", llm=kit.model(_react(kit.SUPPORTED, thought=secret))))
    assert str(output) == kit.SUPPORTED
    assert kit.LEAK not in repr(events) + repr(memory.get_all()) + repr(output)


async def test_11_a_react_reply_in_the_wrong_form_is_put_right_inside(kit):
    """Checklist 11: retries happen within the step: what was wrong is not streamed."""
    replies = iter([f"Action: {kit.LEAK}", f"Action: {kit.LEAK}"])
    good = _react(kit.RAW)
    agent = _agent(kit, "react", llm=kit.model(lambda messages: next(replies, None) or good(messages)))
    output, events, _ = await _run(agent)
    assert str(output) == kit.SUPPORTED
    assert kit.LEAK not in repr(events)


async def test_11_a_react_model_that_never_gets_it_right_fails(kit):
    """Checklist 11: bounded, and an error, not an answer."""
    agent = _agent(kit, "react", llm=kit.model("Action: none"))
    with pytest.raises(Exception, match="missed the form of a ReAct reply 3 times"):
        await _run(agent)


@pytest.mark.parametrize("kind", ["function", "react"])
async def test_11_in_an_agent_workflow_with_a_handoff(kit, kind):
    """Checklist 11: one agent hands over; that is no evidence, the answer is verified, events are clean."""

    def first(messages):
        return "", [_call("handoff", to_agent="second", reason=f"It asks about {kit.LEAK}.")]

    start = GroundedFunctionAgent(
        name="first", description="Starts.", llm=kit.model(first), grounder=kit.grounder, can_handoff_to=["second"]
    )
    second = _agent(kit, kind, name="second", description="Answers.", can_handoff_to=[])
    flow = AgentWorkflow(agents=[start, second], root_agent="first")
    output, events, memory = await _run(flow)
    assert str(output) == kit.SUPPORTED
    assert report_of(output).action is Action.REVISED
    assert "coins" not in repr(events) + repr(memory.get_all())
    assert {span.source_id for span in report_of(output).evidence.spans} == {"refunds.md", "vouchers.md"}


async def test_11_generated_ends_of_a_workflow_are_refused(kit):
    """Checklist 11: an AgentWorkflow that may write one last answer past its agents cannot be kept clean."""
    if not HAS_EARLY_STOPPING:
        pytest.skip("this version knows no early stopping")
    flow = AgentWorkflow(agents=[_agent(kit, name="a", description="b")], early_stopping_method="generate")
    with pytest.raises(Exception, match="early_stopping_method: 'generate'"):
        await _run(flow)


async def test_11_the_generated_end_of_an_agent_is_verified(kit):
    """Checklist 11: an agent that ran out of steps may answer once more; that answer is verified like any other."""
    if not HAS_EARLY_STOPPING:
        pytest.skip("this version knows no early stopping")
    model = kit.model(lambda messages: kit.RAW if "maximum" in messages[-1].content.lower() else ("", [_call()]))
    output, events, memory = await _run(_agent(kit, llm=model, early_stopping_method="generate"), max_iterations=3)
    assert kit.LEAK not in repr(events) + repr(memory.get_all()) + repr(output)
    assert report_of(output).claims


@pytest.mark.parametrize("setting", ["output_cls", "structured_output_fn"])
def test_11_structured_output_is_refused(kit, setting):
    """Checklist 11: it is written by a model after everything was verified."""

    class Refund(BaseModel):
        answer: str

    with pytest.raises(ConfigError, match=f"{setting}: a model makes structured output"):
        _agent(kit, **{setting: Refund})


@pytest.mark.parametrize("kind", ["function", "react"])
async def test_the_next_turn_remembers_what_tools_returned(kit, kind):
    """A follow-up in the same context may rest on the sources of an earlier turn."""
    agent = _agent(kit, kind, answer=kit.SUPPORTED)
    ctx = Context(agent)
    memory = ChatMemoryBuffer.from_defaults(token_limit=3_000)
    await _run(agent, ctx=ctx, memory=memory)
    bare = kit.SUPPORTED if kind == "function" else f"Thought: x\nAnswer: {kit.SUPPORTED}"
    silent = _agent(kit, kind, llm=kit.model(bare))
    output, _, _ = await _run(silent, "Again?", ctx=ctx, memory=memory)
    assert str(output) == kit.SUPPORTED
    assert report_of(output).question == "Again?"


async def test_rules_reach_the_agents_model(kit):
    """PR-5: the system message carries the rules, after a tool call with the ids of what it returned."""
    model = kit.model(_caller(kit.SUPPORTED))
    tools = [FunctionTool.from_defaults(_lookup, name="kb")]
    agent = GroundedFunctionAgent(tools=tools, llm=model, grounder=kit.grounder, system_prompt="Be kind.")
    output, _, _ = await _run(agent)
    first, second = model.prompts
    assert first.startswith("Be kind.\n\nAnswer only from the sources.")
    assert "Call them before you say" in first
    assert "Cite nothing but: [tool:kb#" in second
    capture = report_of(output).capture
    assert (capture.model_runs, capture.rules_reached) == (1, 1)


async def test_rules_reach_a_react_model(kit):
    """PR-5: ReAct drops a leading system message; the rules arrive all the same."""
    model = kit.model(_react(kit.SUPPORTED))
    output, _, _ = await _run(_agent(kit, "react", llm=model, system_prompt="Be kind."))
    assert all("Answer only from the sources." in prompt for prompt in model.prompts)
    assert report_of(output).capture.rules_reached == 1


async def test_twenty_runs_at_once_do_not_share_evidence(kit):
    """Checklist 9: one agent, many runs: each answer rests on its own tool call."""

    def kb(input: str) -> str:  # noqa: A002  # the name agents pass
        """Looks up."""
        return f"Token {input} is valid."

    def reply(messages):
        if _asked(messages):
            return next(m.content for m in reversed(messages) if m.role.value == "tool")
        return "", [_call("kb", input=messages[-1].content)]

    agent = GroundedFunctionAgent(tools=[FunctionTool.from_defaults(kb)], llm=kit.model(reply), grounder=kit.grounder)
    outputs = await asyncio.gather(*(_run(agent, f"t{n}") for n in range(20)))
    for n, (output, _, _) in enumerate(outputs):
        assert str(output) == f"Token t{n} is valid."
        assert [span.text for span in report_of(output).evidence.spans] == [f"Token t{n} is valid."]


async def test_sources_of_a_bare_agent_can_be_had(kit):
    """`extract_spans` looks into the tools a bare agent called; nothing in there counts as shown."""
    agent = FunctionAgent(tools=[_kb(kit)], llm=kit.model(_caller(kit.SUPPORTED)))
    output, _, _ = await _run(agent)
    spans = extract_spans(output)
    assert {span.source_id for span in spans} == {"refunds.md", "vouchers.md"}
    assert not any(span.delivered for span in spans)


async def test_who_asks_reaches_an_agent(kit):
    """EV-5: `asking` around `run` holds inside the steps; another tenant's source is not there."""
    documents = [
        Document(text=kit.SUPPORTED, id_="a", metadata={"tenant": "a"}),
        Document(text="Refunds are paid within two days.", id_="b", metadata={"tenant": "b"}),
    ]
    retriever = kit.index(documents).as_retriever(similarity_top_k=2)
    tool = RetrieverTool.from_defaults(retriever, name="kb", description="Finds.")
    agent = _agent(kit, answer=kit.SUPPORTED, tools=[tool], fields=kit.fields)
    output, _, _ = await _run(agent)
    assert str(output) == kit.grounder.policy.texts.escalation
    with asking(requester={"tenant": "a"}):
        output, _, _ = await _run(agent)
    assert str(output) == kit.SUPPORTED
    assert {span.source_id for span in report_of(output).evidence.spans} == {"a"}


@pytest.mark.parametrize("kind", [FunctionAgent, ReActAgent])
def test_bare_agents_are_refused_by_ground(kit, kind):
    """`ground` says which class to use instead."""
    with pytest.raises(ConfigError, match="GroundedFunctionAgent"):
        ground(kind(tools=[], llm=kit.model()), kit.grounder)


def test_an_agents_own_settings_and_ours_live_side_by_side(kit):
    """Names and prompts are the agent's, judge and policy are ours; a wrong one of ours is refused."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        agent = GroundedFunctionAgent(name="n", llm=kit.model(), tools=[], policy=kit.grounder.policy, rules=None)
    assert agent.name == "n"
    with pytest.raises(ConfigError, match="judge: give either"):
        GroundedFunctionAgent(llm=kit.model(), grounder=kit.grounder, judge=print)
