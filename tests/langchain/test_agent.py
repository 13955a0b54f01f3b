"""`GroundingMiddleware` in `create_agent`: verified text only, whatever streams, fails over or resumes."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("langchain.agents")

from langchain.agents import AgentState, create_agent
from langchain.agents.middleware import (
    ToolErrorMiddleware,
    before_model,
    dynamic_prompt,
)
from langchain.agents.structured_output import ProviderStrategy, ToolStrategy
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import create_retriever_tool, tool
from pydantic import BaseModel

from grounding_middleware import InputError
from grounding_middleware_langchain import GroundingMiddleware, cite

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


async def test_raw_model_runs_are_visible_to_tracers_only(kit):
    """Documented limit: version 2 model events and tracers show the raw run, the audit trail; chain events do not."""
    events = [event async for event in _agent(kit).astream_events(QUESTION, version="v2")]
    raw = {event["event"] for event in events if "WRONG" in repr(event.get("data"))}
    assert raw <= {"on_chat_model_stream", "on_chat_model_end"}


@pytest.mark.parametrize("saver", ["memory", "sqlite"])
def test_checkpoints_hold_verified_text_and_plain_spans(kit, saver, tmp_path):
    """State survives a checkpointer: no unverified word in it, spans as JSON, no warning about unknown types."""
    if saver == "memory":
        from langgraph.checkpoint.memory import InMemorySaver  # noqa: PLC0415

        checkpointer = InMemorySaver()
    else:
        sqlite = pytest.importorskip("langgraph.checkpoint.sqlite")
        import sqlite3  # noqa: PLC0415

        connection = sqlite3.connect(tmp_path / "state.db", check_same_thread=False)
        checkpointer = sqlite.SqliteSaver(connection)
    agent = _agent(kit, checkpointer=checkpointer)
    config = {"configurable": {"thread_id": "1"}}
    agent.invoke(QUESTION, config)
    history = repr(list(agent.get_state_history(config)))
    assert "WRONG" not in history
    assert VERIFIED in history
    stored = repr(list(checkpointer.list(config)))
    assert "WRONG" not in stored
    assert {span["source_id"] for span in agent.get_state(config).values["grounding_spans"]} == {
        "refunds.md",
        "vouchers.md",
    }
    agent.invoke({"messages": [("human", "And to which card?")]}, config)
    assert {span.source_id for span in kit.grounder.last.evidence if span.delivered} == {"refunds.md", "vouchers.md"}
    assert kit.grounder.last.question == "And to which card?"
    if saver == "sqlite":
        connection.close()


def test_message_id_and_metadata_stay(kit):
    """Checklist 15: the verified message replaces the raw one; nothing is doubled."""
    answer = AIMessage(RAW, id="mine", usage_metadata={"input_tokens": 1, "output_tokens": 2, "total_tokens": 3})
    result = _agent(kit, _caller(answer)).invoke(QUESTION)
    final = [message for message in result["messages"] if isinstance(message, AIMessage) and message.text]
    assert [message.id for message in final] == ["mine"]
    assert final[0].usage_metadata["total_tokens"] == 3
    assert final[0].response_metadata["grounding"]["action"] == "revised"


def test_tool_calling_turns_are_untouched(kit):
    """Checklist 12: a message that only calls tools is no answer."""
    result = _agent(kit).invoke(QUESTION)
    call = result["messages"][1]
    assert call.tool_calls[0]["name"] == "lookup"
    assert "grounding" not in call.response_metadata
    assert len(kit.grounder.calls) == 1


def test_text_beside_tool_calls_is_verified(kit):
    """Interim text is shown to people, too."""
    result = _agent(kit, _caller(text="Let me see. WRONG one.")).invoke(QUESTION)
    call = result["messages"][1]
    assert (call.text, call.tool_calls[0]["name"]) == ("Let me see. ", "lookup")


def test_parallel_tool_calls_add_up(kit):
    """The state's reducer merges spans of calls that run at the same time."""
    _agent(kit, _caller(calls=3)).invoke(QUESTION)
    assert {span.source_id for span in kit.grounder.last.evidence} == {"refunds.md", "vouchers.md"}
    assert len(kit.grounder.last.evidence) == 2


@pytest.mark.parametrize("response_format", ["content", "content_and_artifact"])
def test_documents_of_tools_become_spans(kit, response_format):
    """A retriever inside a tool, and documents beside its text, are the same evidence."""
    lookup = create_retriever_tool(
        kit.Retriever(documents=kit.documents), "lookup", "Finds.", response_format=response_format
    )
    _agent(kit, tools=[lookup]).invoke(QUESTION)
    assert len(kit.grounder.last.evidence) == 2


@tool
def lookup(query: str) -> str:
    """Finds."""
    return f"The desk says about {query}: paid within ten days."


def test_text_of_other_tools_is_evidence_of_its_own(kit):
    """A tool without documents: what it returned is what the model was shown."""
    _agent(kit, tools=[lookup]).invoke(QUESTION)
    (span,) = kit.grounder.last.evidence
    assert (span.source_id, span.text, span.delivered) == (
        "tool:lookup",
        "The desk says about refunds: paid within ten days.",
        True,
    )


def test_tools_that_are_not_named_are_no_evidence(kit):
    """`tools` limits what counts."""
    agent = create_agent(
        kit.Model(_caller()), [lookup], middleware=[GroundingMiddleware(kit.grounder, tools=["other"])]
    )
    result = agent.invoke(QUESTION)
    assert kit.grounder.last.evidence == ()
    assert any("no evidence" in notice for notice in result["grounding"]["notices"])


def test_a_failed_tool_is_no_evidence(kit):
    """An error message is nothing an answer may rest on."""

    @tool
    def lookup(query: str) -> str:
        """Finds."""
        raise ConnectionError("index down")

    _agent(kit, tools=[lookup], more=[ToolErrorMiddleware(on_error=lambda *_: "failed")]).invoke(QUESTION)
    assert kit.grounder.last.evidence == ()


class Refund(BaseModel):
    """A structured answer."""

    answer: str
    days: int = 10


def _structured(strategy):
    """A model that answers in the form each strategy reads: a call of the schema, or JSON text."""

    def reply(messages):
        if not any(isinstance(message, ToolMessage) for message in messages):
            return AIMessage("", tool_calls=[{"name": "lookup", "args": {"query": "refunds"}, "id": "c"}])
        if strategy == "tool":
            return AIMessage("", tool_calls=[{"name": "Refund", "args": {"answer": RAW}, "id": "s"}], id="final")
        return AIMessage(json.dumps({"answer": RAW}), id="final")

    return reply


@pytest.mark.parametrize("strategy", ["tool", "provider"])
async def test_structured_output_is_verified_in_every_place(kit, strategy):
    """Checklist 13: object, tool call or text, and the echo all hold the verified answer; the model runs once."""
    form = {"tool": ToolStrategy, "provider": ProviderStrategy}[strategy](Refund)
    agent = _agent(kit, _structured(strategy), response_format=form)
    result = agent.invoke(QUESTION)
    assert result["structured_response"] == Refund(answer=VERIFIED)
    assert "WRONG" not in repr(result)
    assert [message.id for message in result["messages"] if isinstance(message, AIMessage)][-1] == "final"
    assert len(kit.grounder.calls) == 1
    modes = ["messages", "values", "updates", "custom"]
    assert "WRONG" not in repr([chunk async for chunk in agent.astream(QUESTION, stream_mode=modes)])


def test_structured_output_without_a_recognisable_answer_is_refused(kit):
    """What cannot be verified does not pass silently; `answer_key` names the field."""

    class Odd(BaseModel):
        """An answer in a field of its own name."""

        mine: str

    def reply(_):
        return AIMessage("", tool_calls=[{"name": "Odd", "args": {"mine": RAW}, "id": "s"}])

    def agent(**options):
        middleware = [GroundingMiddleware(kit.grounder, **options)]
        return create_agent(kit.Model(reply), [], middleware=middleware, response_format=ToolStrategy(Odd))

    with pytest.raises(InputError, match="answer_key"):
        agent().invoke(QUESTION)
    assert agent(answer_key="mine").invoke(QUESTION)["structured_response"] == Odd(mine=VERIFIED)


@pytest.mark.parametrize("sync", [True, False])
async def test_cite_in_a_later_middleware_registers_evidence(kit, sync):
    """Checklist 6: the tutorial's `dynamic_prompt`: documents it cites are evidence of this model call."""

    @dynamic_prompt
    def retrieve(request):
        return f"Context:\n{cite(kit.documents[:1])}"

    model = kit.Model(RAW)
    agent = create_agent(model, [], middleware=[GroundingMiddleware(kit.grounder), retrieve])
    result = agent.invoke(QUESTION) if sync else await agent.ainvoke(QUESTION)
    (span,) = kit.grounder.last.evidence
    assert (span.source_id, span.delivered) == ("refunds.md", True)
    assert result["messages"][-1].text == VERIFIED
    assert result["grounding"]["capture"]["rules_reached"] == 1
    system = model.seen[0][0].text
    assert system.startswith("Context:\n[refunds.md@3#")
    assert f"Cite nothing but: [{span.id}]" in system, "the rules speak of what is shown now"


def test_documents_in_the_state_are_evidence(kit):
    """Checklist 6: a `before_model` that keeps its documents in the state."""

    class State(AgentState):
        context: list[Document]

    @before_model(state_schema=State)
    def retrieve(state, runtime):
        text = f"{state['messages'][-1].text}\n\n{kit.format_docs(kit.documents[:1])}"
        return {"context": kit.documents[:1], "messages": [state["messages"][-1].model_copy(update={"content": text})]}

    guard = GroundingMiddleware(kit.grounder, documents_key="context")
    create_agent(kit.Model(RAW), [], middleware=[guard, retrieve]).invoke(QUESTION)
    (span,) = kit.grounder.last.evidence
    assert (span.source_id, span.delivered) == ("refunds.md", True)


def test_rules_stand_in_the_system_message(kit):
    """PR-5: after the agent's own prompt, in the same message, with the ids of what tools returned."""
    model = kit.Model(_caller())
    lookup = create_retriever_tool(kit.Retriever(documents=kit.documents), "lookup", "Finds.")
    create_agent(model, [lookup], system_prompt="Be kind.", middleware=[GroundingMiddleware(kit.grounder)]).invoke(
        QUESTION
    )
    first, second = (seen[0].text for seen in model.seen)
    assert first.startswith("Be kind.")
    assert "Answer only from the sources." in first
    assert "Sources are what the tools return" in first
    assert '[vouchers.md#f8369861] begins: "Refunds for vouchers are not possible."' in second


def test_two_agents_one_middleware_do_not_share(kit):
    """No state on the instance: the same middleware in two agents keeps their evidence apart."""
    guard = GroundingMiddleware(kit.grounder)

    def agent(documents):
        tools = [create_retriever_tool(kit.Retriever(documents=documents), "lookup", "Finds.")]
        return create_agent(kit.Model(_caller()), tools, middleware=[guard])

    first, second = agent(kit.documents[:1]), agent(kit.documents[2:])
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: (first, second)[n % 2].invoke(QUESTION), range(40)))
    found = {tuple(span.source_id for span in call.evidence) for call in kit.grounder.calls}
    assert found == {("refunds.md",), ("vouchers.md",)}
