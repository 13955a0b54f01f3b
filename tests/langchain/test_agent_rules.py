"""An agent's rules arrive whatever later middleware does to the prompt; when they cannot, that is an error."""

from __future__ import annotations

import pytest

pytest.importorskip("langchain.agents")

from langchain.agents import create_agent
from langchain.agents.middleware import ModelRequest, dynamic_prompt, wrap_model_call
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import create_retriever_tool

from grounding_middleware import ConfigError, InputError, Rules
from grounding_middleware_langchain import GroundingMiddleware

QUESTION = {"messages": [("human", "When are refunds paid?")]}
RULE = "Answer only from the sources."


def _agent(kit, *later, tools=(), **options):
    """An agent with the guard listed first; its model is kept in `kit.model`."""
    kit.model = getattr(kit, "model", None) or kit.Model("Refunds are paid within ten days.")
    guard = GroundingMiddleware(kit.grounder, **options)
    return create_agent(kit.model, list(tools), middleware=[guard, *later])


def _system(kit):
    """What stood in the system message of the newest model run."""
    return kit.model.seen[-1][0]


@dynamic_prompt
def replacing(request):
    """Replaces the system message, as the tutorial does."""
    return "You are kind."


@wrap_model_call
def appending(request, handler):
    """Adds a block, as the built-in to-do middleware does."""
    blocks = [*request.system_message.content_blocks, {"type": "text", "text": "Be brief."}]
    return handler(request.override(system_message=SystemMessage(content=blocks)))


@wrap_model_call
def trimming(request, handler):
    """Shows the newest message only."""
    return handler(request.override(messages=request.messages[-1:]))


@wrap_model_call
def rebuilding(request, handler):
    """Builds a request of its own, past `override`."""
    bare = ModelRequest(
        model=request.model,
        messages=request.messages,
        system_message=SystemMessage("Mine."),
        state=request.state,
        runtime=request.runtime,
    )
    return handler(bare)


@pytest.mark.parametrize("later", [[replacing], [appending], [trimming], [replacing, appending, trimming]])
def test_rules_survive_a_changed_prompt_and_stand_there_once(kit, later):
    """PR-5: the request carries its rules, whatever replaces the message they stood in."""
    result = _agent(kit, *later).invoke(QUESTION)
    system = _system(kit)
    assert isinstance(system, SystemMessage)
    assert system.text.count(RULE) == 1
    assert result["grounding"]["capture"]["rules_reached"] == 1
    assert ("You are kind." in system.text) is (replacing in later)
    assert ("Be brief." in system.text) is (appending in later)


def test_rules_speak_of_what_is_shown_after_the_change(kit):
    """PR-2: a span that was trimmed out of the prompt must not be offered for citing."""
    lookup = create_retriever_tool(kit.Retriever(documents=kit.documents), "lookup", "Finds.")

    def reply(messages):
        if len(kit.model.seen) > 1:
            return "Refunds are paid within ten days."
        return AIMessage("", tool_calls=[{"name": "lookup", "args": {"query": "refunds"}, "id": "c"}])

    @wrap_model_call
    def without_tool_results(request, handler):
        kept = [message for message in request.messages if not isinstance(message, ToolMessage)]
        return handler(request.override(messages=kept))

    kit.model = kit.Model(reply)
    _agent(kit, without_tool_results, tools=[lookup]).invoke(QUESTION)
    assert "refunds.md" not in _system(kit).text
    assert not any(span.delivered for span in kit.grounder.last.evidence)


@pytest.mark.parametrize("sync", [True, False])
async def test_a_model_run_without_rules_is_an_error(kit, sync):
    """Checklist 24: zero is an error that names the ways out, in an agent as in a chain."""

    @wrap_model_call
    async def arebuilding(request, handler):
        return await handler(
            ModelRequest(model=request.model, messages=request.messages, state=request.state, runtime=request.runtime)
        )

    agent = _agent(kit, rebuilding if sync else arebuilding)
    with pytest.raises(ConfigError, match=r"reached 0 of the 1 model runs.*require_rules=False"):
        agent.invoke(QUESTION) if sync else await agent.ainvoke(QUESTION)


def test_a_model_run_without_rules_can_be_allowed(kit):
    """Checklist 24: then the report says it."""
    result = _agent(kit, rebuilding, require_rules=False).invoke(QUESTION)
    assert "rules reached 0 of 1 model runs" in result["grounding"]["notices"]


def test_rules_are_those_of_the_grounder_and_one_more(kit):
    """An agent has no sources before its first call of a tool: one line says so."""
    kit.grounder.rules = Rules(extra=("Be brief.",))
    _agent(kit).invoke(QUESTION)
    assert "- Be brief.\n- Sources are what the tools return." in _system(kit).text


def test_without_rules_nothing_is_asked_for(kit):
    """`rules=None` injects nothing and misses nothing."""
    result = _agent(kit, replacing, rules=None).invoke(QUESTION)
    assert _system(kit).text == "You are kind."
    assert not any("rules" in notice for notice in result["grounding"]["notices"])


def test_an_answer_without_a_model_run_needs_no_rules(kit):
    """A middleware that answers by itself (a cache, a call limit) is no failed injection."""

    @wrap_model_call
    def canned(request, handler):
        return AIMessage("Refunds are paid within ten days.")

    result = _agent(kit, canned).invoke(QUESTION)
    assert result["messages"][-1].text == "Refunds are paid within ten days."
    assert result["grounding"]["capture"]["model_runs"] == 0


def test_a_long_text_that_later_middleware_adds_is_reported(kit):
    """The tutorial's `dynamic_prompt` with a search in it, whose documents nobody handed over."""
    text = " ".join(f"word{number}" for number in range(120))

    @dynamic_prompt
    def searching(request):
        return f"Context: {text}"

    result = _agent(kit, searching).invoke(QUESTION)
    assert len(_loose(result)) == 1
    assert not _loose(_agent(kit).invoke({"messages": [("human", text)]}))


def test_the_agents_own_prompt_and_earlier_answers_are_no_lost_evidence(kit):
    """What the operator wrote and what the agent said before is explained."""
    text = " ".join(f"word{number}" for number in range(120))
    guard = GroundingMiddleware(kit.grounder)
    agent = create_agent(kit.Model("Fine."), [], system_prompt=text, middleware=[guard])
    assert not _loose(agent.invoke({"messages": [HumanMessage("Hello?"), AIMessage(text[::-1]), HumanMessage("So?")]}))


def _loose(result):
    return [notice for notice in result["grounding"]["notices"] if "words of the prompt" in notice]


def test_budget_of_rules_and_evidence(kit):
    """PR-6: an agent's prompt that shows more than the budget allows is an error that names the rules."""
    with pytest.raises(InputError, match=r"max_tokens: the grounding rules \w+ take \d+ tokens"):
        _agent(kit, max_prompt_tokens=50).invoke(QUESTION)
    with pytest.raises(ConfigError, match="max_prompt_tokens: 0 is wrong"):
        GroundingMiddleware(kit.grounder, max_prompt_tokens=0)
