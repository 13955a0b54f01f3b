"""`ground(graph)`: a compiled graph is a runnable like others, and streams like one, with verified text only."""

from __future__ import annotations

from typing import TypedDict

import pytest

pytest.importorskip("langgraph.graph")

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableLambda
from langgraph.graph import START, MessagesState, StateGraph

from grounding_middleware import InputError, Report
from grounding_middleware_langchain import ground, with_rules

QUESTION = "When are refunds paid?"
RAW = "Refunds are paid within ten days. WRONG one. They go to the card."
VERIFIED = "Refunds are paid within ten days. They go to the card."


def _agent(kit):
    """A graph somebody has: a model with remarks of its own, a retriever as tool, messages in its state."""

    def reply(messages):
        if any(isinstance(message, ToolMessage) for message in messages):
            return AIMessage(RAW, id="final")
        return AIMessage("WRONG remark.", id="first", tool_calls=[{"name": "t", "args": {}, "id": "c"}])

    model = with_rules(kit.Model(reply))

    def call(state):
        return {"messages": [model.invoke(state["messages"])]}

    def tool(state):
        found = kit.Retriever(documents=kit.documents).invoke("refunds")
        return {"messages": [ToolMessage(kit.format_docs(found), tool_call_id="c")]}

    builder = StateGraph(MessagesState)
    builder.add_node("model", call)
    builder.add_node("tool", tool)
    builder.add_node("again", call)
    builder.add_edge(START, "model")
    builder.add_edge("model", "tool")
    builder.add_edge("tool", "again")
    return builder.compile()


EARLIER = [HumanMessage("Hello", id="h0"), AIMessage("Earlier answer, WRONG or not.", id="a0")]
INPUT = {"messages": [*EARLIER, HumanMessage(QUESTION, id="h1")]}


def _guarded(kit, **options):
    return ground(_agent(kit), kit.grounder, require_rules=False, **options)


async def _streams(guarded, **options):
    first = list(guarded.stream(INPUT, **options))
    return first, [chunk async for chunk in guarded.astream(INPUT, **options)]


async def test_the_output_of_a_graph_holds_the_verified_answer_only(kit):
    """The answer is verified, remarks of this turn are silenced, earlier turns are not this invocation's."""
    guarded = _guarded(kit)
    result = guarded.invoke(INPUT)
    assert [message.text for message in result["messages"] if isinstance(message, AIMessage)] == [
        EARLIER[1].text, "", VERIFIED,
    ]  # fmt: skip
    assert result["messages"][3].tool_calls
    assert (await guarded.ainvoke(INPUT))["messages"][-1].text == VERIFIED
    assert kit.grounder.last.capture.rules_reached == 2


@pytest.mark.parametrize("mode", [None, "updates", "values", "messages", "custom", ["messages", "updates", "values"]])
async def test_streams_of_a_graph_keep_their_form_and_hold_verified_text_only(kit, mode):
    """Every mode as asked for, sync and async alike; nothing unverified, nothing twice."""
    options = {} if mode is None else {"stream_mode": mode}
    bare = list(_agent(kit).stream(INPUT, **options))
    first, second = await _streams(_guarded(kit), **options)
    assert len(first) == len(second)
    for chunks in (first, second):
        told = repr(chunks).replace(EARLIER[1].text, "")
        assert "WRONG" not in told
        assert (VERIFIED in told) is (mode != "custom")
        assert [type(chunk) for chunk in chunks] == [type(chunk) for chunk in bare][: len(chunks)]


async def test_updates_name_their_nodes(kit):
    """The updates of all nodes, in order."""
    first, _ = await _streams(_guarded(kit))
    assert [list(chunk) for chunk in first] == [["model"], ["tool"], ["again"]]
    assert first[-1]["again"]["messages"][0].text == VERIFIED


async def test_messages_carry_the_answer_once_under_its_id(kit):
    """One chunk with the whole answer, with the metadata of the node that wrote it."""
    first, _ = await _streams(_guarded(kit), stream_mode="messages")
    answers = [(chunk, metadata) for chunk, metadata in first if isinstance(chunk, AIMessage)]
    ((chunk, metadata),) = answers
    assert (chunk.text, chunk.id, metadata["langgraph_node"]) == (VERIFIED, "final", "again")


async def test_subgraphs_come_with_their_namespace(kit):
    """A graph in a node of a graph: the inner events hold verified text as well."""
    builder = StateGraph(MessagesState)
    builder.add_node("inner", _agent(kit))
    builder.add_edge(START, "inner")
    guarded = ground(builder.compile(), kit.grounder, require_rules=False)
    for mode in ("updates", "messages", ["values", "updates"]):
        for chunks in await _streams(guarded, stream_mode=mode, subgraphs=True):
            assert "WRONG" not in repr(chunks).replace(EARLIER[1].text, "")
            assert VERIFIED in repr(chunks)
            assert any(chunk[0] for chunk in chunks), "namespaces are there"


@pytest.mark.parametrize(
    "options", [{"stream_mode": "debug"}, {"stream_mode": ["updates", "tasks"]}, {"version": "v2"}]
)
def test_modes_that_show_the_inside_are_refused(kit, options):
    """What cannot be verified is not streamed; the error says what can."""
    with pytest.raises(InputError, match="a guarded graph streams values, updates, messages, custom"):
        list(_guarded(kit).stream(INPUT, **options))


def test_report_of_a_graph_comes_once_whatever_the_mode(kit):
    """`with_report()` streams the report, and the sinks get it once."""
    (report,) = _guarded(kit).with_report().stream(INPUT, stream_mode=["messages", "values"])
    assert isinstance(report, Report)
    assert len(kit.grounder.delivered) == 1


class State(TypedDict, total=False):
    """A state with the answer as a text, twice."""

    question: str
    generation: str
    log: str


def test_texts_in_a_state_are_replaced_wherever_the_answer_stands(kit):
    """The answer copied into another key is the answer, too; the last update need not hold it."""
    chain = kit.chain(RAW)
    builder = StateGraph(State)
    builder.add_node("answer", lambda state: {"generation": chain.invoke(state["question"])})
    builder.add_node("log", lambda state: {"log": state["generation"]})
    builder.add_edge(START, "answer")
    builder.add_edge("answer", "log")
    guarded = ground(builder.compile(), kit.grounder, require_rules=False)
    assert list(guarded.stream({"question": QUESTION})) == [
        {"answer": {"generation": VERIFIED}},
        {"log": {"log": VERIFIED}},
    ]
    first = list(guarded.stream({"question": QUESTION}, stream_mode="values"))
    assert first[-1] == {"question": QUESTION, "generation": VERIFIED, "log": VERIFIED}


def test_a_graph_behind_other_steps_streams_its_last_update(kit):
    """In a sequence the graph streams as the sequence lets it."""
    chain = RunnableLambda(lambda question: {"messages": [HumanMessage(question)]}) | _agent(kit)
    (chunk,) = ground(chain, kit.grounder, require_rules=False).stream(QUESTION)
    assert chunk["again"]["messages"][0].text == VERIFIED
