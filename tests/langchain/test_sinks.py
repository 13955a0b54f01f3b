"""Sinks get the finished report of every answer once, whichever way it is asked for; a refusal is an error."""

from __future__ import annotations

import asyncio
import warnings

import pytest
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import create_retriever_tool

from grounding_middleware import AnswerWithheldError, Grounder
from grounding_middleware.records import Action, Decision
from grounding_middleware_langchain import GroundingVerifier, ground

QUESTION = "When are refunds paid?"
RIGHT = "Refunds are paid within ten days."
FALSE = "Refunds are paid within thirty days."
ANSWER = f"{RIGHT} {FALSE} They go to the card used for the order."


def _grounder(*sinks):
    """Checks only, with sinks."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Grounder(sinks=sinks)


WAYS = {
    "invoke": lambda run: run.invoke(QUESTION),
    "ainvoke": lambda run: asyncio.run(run.ainvoke(QUESTION)),
    "batch": lambda run: run.batch([QUESTION]),
    "stream": lambda run: list(run.stream(QUESTION)),
    "astream": lambda run: asyncio.run(_read(run)),
    "events": lambda run: asyncio.run(_events(run)),
}


async def _read(run):
    return [piece async for piece in run.astream(QUESTION)]


async def _events(run):
    return [event async for event in run.astream_events(QUESTION, version="v2")]


@pytest.mark.parametrize("stream", ["buffer", "claims"])
@pytest.mark.parametrize("way", WAYS)
def test_every_answer_is_reported_once(kit, way, stream):
    """One answer, one report: the finished one, with the notices of the adapter and the text that was shown."""
    got = []
    WAYS[way](ground(kit.chain(ANSWER), _grounder(got.append), stream=stream))
    (report,) = got
    assert report.answer == ANSWER
    assert "thirty" not in report.text
    assert report.capture.rules_reached == 1


def test_the_report_of_the_sinks_is_the_report_of_the_caller(kit):
    """With the notices of the adapter in it."""
    got = []
    chain = kit.chain(RIGHT, retriever=kit.Retriever(documents=[]))
    report = ground(chain, _grounder(got.append)).with_report().invoke(QUESTION)
    assert got == [report]
    assert any("no evidence was captured" in notice for notice in got[0].notices)


@pytest.mark.parametrize("stream", ["buffer", "claims"])
@pytest.mark.parametrize("way", WAYS)
def test_a_sink_that_fails_is_an_error_of_the_call(kit, way, stream):
    """An answer that cannot be recorded is not shown; the error carries the report."""

    def full(_):
        raise OSError("disk full")

    guarded = ground(kit.chain(RIGHT), _grounder(full), stream=stream)
    with pytest.raises(AnswerWithheldError, match="disk full") as caught:
        WAYS[way](guarded)
    assert caught.value.report.answer == RIGHT


def test_a_refusal_in_a_stream_by_claim_releases_no_more(kit):
    """What was verified before is out; the last piece waits for the sinks."""

    def refuse(report):
        raise AnswerWithheldError("no", report)

    stream = ground(kit.chain(ANSWER), _grounder(refuse), stream="claims").stream(QUESTION)
    assert next(stream) == f"{RIGHT} "
    with pytest.raises(AnswerWithheldError):
        next(stream)


def test_a_reader_who_leaves_leaves_a_record_of_what_was_shown(kit):
    """AU-1: text that reached somebody is on record, also when nobody waited for the end."""
    got = []
    stream = ground(kit.chain(ANSWER), _grounder(got.append), stream="claims").stream(QUESTION)
    shown = next(stream)
    assert not got
    stream.close()
    (report,) = got
    assert (report.text, report.answer) == (shown, shown)
    assert any("the stream was left" in notice for notice in report.notices)


async def test_a_reader_who_is_cancelled_leaves_one_too(kit, caplog):
    """The same for a disconnected client; a sink that fails then does not hide the cancellation."""
    got, begun = [], asyncio.Event()

    def sink(report):
        got.append(report)
        raise OSError("disk full")

    async def hang(chunks):
        async for chunk in chunks:
            yield chunk
            if "card" in chunk:
                begun.set()
                await asyncio.sleep(60)

    guarded = ground(kit.chain(ANSWER) | hang, _grounder(sink), stream="claims")
    task = asyncio.create_task(_read(guarded))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [report.text for report in got] == [f"{RIGHT} "]
    assert "whose stream ended before its time" in caplog.text


def test_a_chain_that_fails_in_the_middle_leaves_a_record(kit):
    """Half an answer was shown, and the error is the chain's."""
    got = []

    def fail(chunks):
        for chunk in chunks:
            if "card" in chunk:
                raise ConnectionError("down")
            yield chunk

    pieces = ground(kit.chain(ANSWER) | fail, _grounder(got.append), stream="claims").stream(QUESTION)
    with pytest.raises(ConnectionError):
        list(pieces)
    assert [report.text for report in got] == [f"{RIGHT} "]


def test_nothing_shown_leaves_no_record(kit):
    """A buffered stream that nobody reads to its end has shown nothing."""
    got = []
    stream = ground(kit.chain(ANSWER), _grounder(got.append), stream="claims").stream(QUESTION)
    stream.close()
    assert got == []


def test_a_stream_waits_for_the_whole_answer_where_a_repair_is_configured(kit):
    """A repair changes statements in the light of the whole answer: nothing is shown before."""
    kit.grounder.repair = object()
    (piece,) = ground(kit.chain("Refunds are paid. WRONG one. Fine."), kit.grounder, stream="claims").stream(QUESTION)
    assert piece == "Refunds are paid. Fine."
    assert len(kit.grounder.calls) == len(kit.grounder.delivered) == 1


def test_the_verifier_reports_once(kit):
    """Standalone, as a grader and as a node."""
    got = []
    verifier = GroundingVerifier(_grounder(got.append))
    value = {"documents": kit.documents, "generation": RIGHT}
    verifier.invoke(value)
    verifier.as_grader().invoke(value)
    verifier.as_node().invoke(value)
    assert len(got) == 3


def _calling(text):
    """A model that says `text` beside its tool call, then answers."""

    def reply(messages):
        if any(isinstance(message, ToolMessage) for message in messages):
            return ANSWER
        return AIMessage(text, tool_calls=[{"name": "lookup", "args": {"query": "refunds"}, "id": "c"}])

    return reply


@pytest.mark.parametrize("sync", [True, False])
async def test_an_agents_answer_is_reported_once(kit, sync):
    """However many turns it takes; with the report's text in the state."""
    agents = pytest.importorskip("langchain.agents")
    from grounding_middleware_langchain import GroundingMiddleware  # noqa: PLC0415

    got = []
    lookup = create_retriever_tool(kit.Retriever(documents=kit.documents), "lookup", "Finds.")
    guard = GroundingMiddleware(_grounder(got.append))
    agent = agents.create_agent(kit.Model(_calling("")), [lookup], middleware=[guard])
    inputs = {"messages": [("human", QUESTION)]}
    result = agent.invoke(inputs) if sync else await agent.ainvoke(inputs)
    (report,) = got
    assert report.text == result["messages"][-1].text
    assert "thirty" not in report.text


def test_a_remark_beside_tool_calls_is_on_record_only_when_it_is_shown(kit):
    """What is cut out before a tool runs reaches nobody, and stops nobody."""
    agents = pytest.importorskip("langchain.agents")
    from grounding_middleware_langchain import GroundingMiddleware  # noqa: PLC0415

    check = kit.grounder.check

    def strict(answer, **context):
        report = check(answer, **context)
        if "WRONG" in answer:
            return report.replace(decision=Decision(action=Action.ESCALATE, reason="t"), text="Withheld.")
        return report

    kit.grounder.check = strict
    lookup = create_retriever_tool(kit.Retriever(documents=kit.documents), "lookup", "Finds.")

    def run(text):
        kit.grounder.delivered.clear()
        model = kit.Model(_calling(text))
        agent = agents.create_agent(model, [lookup], middleware=[GroundingMiddleware(kit.grounder)])
        result = agent.invoke({"messages": [("human", QUESTION)]})
        return result["messages"][1].text, [report.answer for report in kit.grounder.delivered]

    assert run("Let me look.") == ("Let me look.", ["Let me look.", ANSWER])
    assert run("WRONG remark.") == ("", [ANSWER])


def test_a_refusal_in_an_agent_is_an_error(kit):
    """Never a message."""
    agents = pytest.importorskip("langchain.agents")
    from grounding_middleware_langchain import GroundingMiddleware  # noqa: PLC0415

    def refuse(report):
        raise AnswerWithheldError("no", report)

    agent = agents.create_agent(kit.Model(RIGHT), [], middleware=[GroundingMiddleware(_grounder(refuse))])
    seen = []
    with pytest.raises(AnswerWithheldError):
        seen.extend(agent.stream({"messages": [("human", QUESTION)]}, stream_mode=["messages", "values", "updates"]))
    assert RIGHT not in repr(seen)
