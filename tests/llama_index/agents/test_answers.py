"""What leaves an agent: no unverified word in results, events or memory, with and without streaming."""

from __future__ import annotations

import warnings

import pytest
from llama_index.core.agent.workflow import AgentStream, FunctionAgent, ReActAgent
from llama_index.core.agent.workflow.workflow_events import AgentOutput
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.tools import FunctionTool
from llama_index.core.workflow import Context
from pydantic import BaseModel

from grounding_middleware import Action, ConfigError
from grounding_middleware_llama_index import GroundedFunctionAgent, extract_spans, ground, report_of

HAS_STREAMING_FLAG = "streaming" in FunctionAgent.model_fields
HAS_EARLY_STOPPING = "early_stopping_method" in FunctionAgent.model_fields


@pytest.mark.parametrize("streaming", [True, False] if HAS_STREAMING_FLAG else [True])
@pytest.mark.parametrize("kind", ["function", "react"])
async def test_11_nothing_unverified_leaves_an_agent(kit, agents, kind, streaming):
    """Checklist 11: result, events and memory hold the verified answer; one stream event carries it."""
    settings = {"streaming": streaming} if HAS_STREAMING_FLAG else {}
    output, events, memory = await agents.run(agents.make(kind, **settings))
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
async def test_11_no_tool_call_means_no_evidence(kit, agents, kind):
    """Checklist 11: an answer out of nowhere is withheld, the policy's text takes its place."""
    reply = kit.RAW if kind == "function" else f"Thought: easy\nAnswer: {kit.RAW}"
    output, events, memory = await agents.run(agents.make(kind, llm=kit.model(reply)))
    assert str(output) == kit.grounder.policy.texts.escalation
    assert report_of(output).action is Action.ESCALATE
    assert kit.SUPPORTED not in repr(events) + repr(memory.get_all())


async def test_11_text_beside_tool_calls_is_verified(kit, agents):
    """Checklist 11: people read interim text, too; the calls stay."""
    model = kit.model(agents.caller(kit.RAW, text=f"Let me look it up. Refunds are paid in {kit.LEAK} coins."))
    output, events, memory = await agents.run(agents.make(llm=model))
    assert kit.LEAK not in repr(events) + repr(memory.get_all()) + repr(output)
    calls = [event.tool_calls for event in events if isinstance(event, AgentOutput) and event.tool_calls]
    assert calls[0][0].tool_name == "kb"


async def test_11_thoughts_of_a_react_agent_stay_inside(kit, agents):
    """Checklist 11: what the model thinks is no claim, and nobody's business: not in events, not in memory."""
    secret = f"I know that refunds come in {kit.LEAK}."
    output, events, memory = await agents.run(
        agents.make("react", llm=kit.model(agents.react(kit.SUPPORTED, thought=secret)))
    )
    assert str(output) == kit.SUPPORTED
    assert kit.LEAK not in repr(events) + repr(memory.get_all()) + repr(output)


async def test_11_a_react_reply_in_the_wrong_form_is_put_right_inside(kit, agents):
    """Checklist 11: retries happen within the step: what was wrong is not streamed."""
    replies = iter([f"Action: {kit.LEAK}", f"Action: {kit.LEAK}"])
    good = agents.react(kit.RAW)
    agent = agents.make("react", llm=kit.model(lambda messages: next(replies, None) or good(messages)))
    output, events, _ = await agents.run(agent)
    assert str(output) == kit.SUPPORTED
    assert kit.LEAK not in repr(events)


async def test_11_a_react_model_that_never_gets_it_right_fails(kit, agents):
    """Checklist 11: bounded, and an error, not an answer."""
    agent = agents.make("react", llm=kit.model("Action: none"))
    with pytest.raises(Exception, match="missed the form of a ReAct reply 3 times"):
        await agents.run(agent)


async def test_11_the_generated_end_of_an_agent_is_verified(kit, agents):
    """Checklist 11: an agent that ran out of steps may answer once more; that answer is verified like any other."""
    if not HAS_EARLY_STOPPING:
        pytest.skip("this version knows no early stopping")
    model = kit.model(lambda messages: kit.RAW if "maximum" in messages[-1].content.lower() else ("", [agents.call()]))
    output, events, memory = await agents.run(
        agents.make(llm=model, early_stopping_method="generate"), max_iterations=3
    )
    assert kit.LEAK not in repr(events) + repr(memory.get_all()) + repr(output)
    assert report_of(output).claims


@pytest.mark.parametrize("setting", ["output_cls", "structured_output_fn"])
def test_11_structured_output_is_refused(kit, agents, setting):
    """Checklist 11: it is written by a model after everything was verified."""

    class Refund(BaseModel):
        answer: str

    with pytest.raises(ConfigError, match=f"{setting}: a model makes structured output"):
        agents.make(**{setting: Refund})


@pytest.mark.parametrize("kind", ["function", "react"])
async def test_the_next_turn_remembers_what_tools_returned(kit, agents, kind):
    """A follow-up in the same context may rest on the sources of an earlier turn."""
    agent = agents.make(kind, answer=kit.SUPPORTED)
    ctx = Context(agent)
    memory = ChatMemoryBuffer.from_defaults(token_limit=3_000)
    await agents.run(agent, ctx=ctx, memory=memory)
    bare = kit.SUPPORTED if kind == "function" else f"Thought: x\nAnswer: {kit.SUPPORTED}"
    silent = agents.make(kind, llm=kit.model(bare))
    output, _, _ = await agents.run(silent, "Again?", ctx=ctx, memory=memory)
    assert str(output) == kit.SUPPORTED
    assert report_of(output).question == "Again?"


async def test_rules_reach_the_agents_model(kit, agents):
    """PR-5: the system message carries the rules, after a tool call with the ids of what it returned."""
    model = kit.model(agents.caller(kit.SUPPORTED))
    tools = [FunctionTool.from_defaults(agents.lookup, name="kb")]
    agent = GroundedFunctionAgent(tools=tools, llm=model, grounder=kit.grounder, system_prompt="Be kind.")
    output, _, _ = await agents.run(agent)
    first, second = model.prompts
    assert first.startswith("Be kind.\n\nAnswer only from the sources.")
    assert "Call them before you say" in first
    assert "Cite nothing but: [tool:kb#" in second
    capture = report_of(output).capture
    assert (capture.model_runs, capture.rules_reached) == (1, 1)


async def test_rules_reach_a_react_model(kit, agents):
    """PR-5: ReAct drops a leading system message; the rules arrive all the same."""
    model = kit.model(agents.react(kit.SUPPORTED))
    output, _, _ = await agents.run(agents.make("react", llm=model, system_prompt="Be kind."))
    assert all("Answer only from the sources." in prompt for prompt in model.prompts)
    assert report_of(output).capture.rules_reached == 1


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
