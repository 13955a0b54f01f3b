"""Sinks and the answers they see: each once, final, before anybody else; one that fails lets nothing out."""

from __future__ import annotations

from typing import Any

import pytest
from llama_index.core.base.response.schema import AsyncStreamingResponse, StreamingResponse
from llama_index.core.llms.llm import ToolSelection
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.tools import QueryEngineTool
from pydantic import create_model

from grounding_middleware import Action, AnswerWithheldError, Grounder, Policy
from grounding_middleware.escalation import raise_withheld
from grounding_middleware_llama_index import (
    GroundedFunctionAgent,
    GroundedQueryEngine,
    GroundedReActAgent,
    GroundingEvaluator,
    GroundingResponsePostprocessor,
    ground,
    report_of,
)

pytestmark = pytest.mark.filterwarnings(  # all of them LlamaIndex's own
    "ignore::pydantic.PydanticDeprecationWarning",
    "ignore:is_running called from within a step",
    "ignore:ServiceManager is deprecated",
)

ENGINE = ["query", "aquery"]
CHAT = ["chat", "achat", "stream_chat", "astream_chat"]
MODES = ["context", "condense_plus_context", "condense_question"]


def _grounder(kit, *sinks):
    return Grounder(kit.judge, policy=kit.grounder.policy, sinks=sinks)


def _refuse(_: Any) -> None:
    raise OSError("the audit trail is full")


async def _query(engine, way, question):
    return engine.query(question) if way == "query" else await engine.aquery(question)


def _chat(kit, mode, grounder):
    memory = ChatMemoryBuffer.from_defaults(token_limit=3_000)
    return ground(kit.index().as_chat_engine(chat_mode=mode, llm=kit.model(), memory=memory), grounder)


async def _say(chat, way, question):
    """The response, read to its end."""
    response = getattr(chat, way)(question)
    response = await response if way.startswith("a") else response
    if way == "stream_chat":
        list(response.response_gen)
    elif way == "astream_chat":
        assert [piece async for piece in response.async_response_gen()]
    return response


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("way", ENGINE)
@pytest.mark.parametrize("wrapped", [False, True])
async def test_a_sink_sees_the_final_report_of_an_answer_once(kit, wrapped, way, streaming):
    """ES-1: the very report the response carries, whole answers and streams, and before a piece of one is given."""
    seen: list = []
    engine = kit.engine(streaming=streaming)
    grounder = _grounder(kit, seen.append)
    safe = GroundedQueryEngine(engine, grounder) if wrapped else ground(engine, grounder)
    response = await _query(safe, way, kit.QUESTION)
    assert len(seen) == 1, "before a stream is read"
    if isinstance(response, StreamingResponse | AsyncStreamingResponse):
        assert str(response) if way == "query" else await response.get_response()
    assert seen == [report_of(response)]
    assert seen[0] is report_of(response)
    assert seen[0].action is Action.REVISED


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("way", ENGINE)
async def test_a_sink_that_fails_lets_nothing_out(kit, way, streaming):
    """ES-1: what could not be recorded is not shown; the error is the caller's, also with streams."""
    safe = ground(kit.engine(streaming=streaming), _grounder(kit, _refuse))
    with pytest.raises(AnswerWithheldError, match="the audit trail is full"):
        await _query(safe, way, kit.QUESTION)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", CHAT)
async def test_chats_hand_their_reports_to_sinks_once(kit, way, mode):
    """ES-1: one report a turn."""
    seen: list = []
    chat = _chat(kit, mode, _grounder(kit, seen.append))
    for turn in (1, 2):
        response = await _say(chat, way, kit.QUESTION)
        assert len(seen) == turn
        assert seen[-1] is report_of(response)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", CHAT)
async def test_a_chat_whose_sink_fails_remembers_no_answer(kit, way, mode):
    """ES-1: the error reaches the caller, and memory holds nothing that was not recorded."""
    chat = _chat(kit, mode, _grounder(kit, _refuse))
    with pytest.raises(AnswerWithheldError, match="the audit trail is full"):
        await _say(chat, way, kit.QUESTION)
    assert not [message for message in chat.chat_history if message.role.value == "assistant"]


def test_a_scaffolded_answer_is_seen_as_it_leaves(kit):
    """ES-1: an accumulated answer is verified without its labels; sinks see it with them, notices and all."""
    seen: list = []
    engine = kit.summary().as_query_engine(llm=kit.model(), response_mode="accumulate")
    response = ground(engine, _grounder(kit, seen.append)).query(kit.QUESTION)
    (report,) = seen
    assert report.answer.startswith("Response 1: ")
    assert report.text == str(response)


def test_an_object_that_cannot_be_edited_is_seen_as_escalated(kit):
    """ES-1: the report says what happened to the reader, not what would have happened to a text."""
    seen: list = []
    refund = create_model("Refund", answer=(str, ...), note=(str, ...))
    reply = refund(answer=kit.SUPPORTED, note=f"Refunds are paid in {kit.LEAK} coins.").model_dump_json()
    engine = kit.index().as_query_engine(llm=kit.model(reply, chatty=False), output_cls=refund)
    with pytest.raises(AnswerWithheldError, match="cannot be made of what is left: note"):
        ground(engine, _grounder(kit, seen.append)).query(kit.QUESTION)
    assert [report.action for report in seen] == [Action.ESCALATE]


def test_sinks_see_answers_nobody_was_asked_for(kit):
    """ES-1: "Empty Response" is an answer, too."""
    seen: list = []
    response = ground(kit.summary([]).as_query_engine(llm=kit.model()), _grounder(kit, seen.append)).query("?")
    assert seen == [report_of(response)]
    assert seen[0].action is Action.UNANSWERED


def test_evaluators_and_postprocessors_hand_on_their_reports(kit):
    """ES-1: every place that makes a report."""
    seen: list = []
    grounder = _grounder(kit, seen.append)
    evaluator, postprocessor = GroundingEvaluator(grounder), GroundingResponsePostprocessor(grounder)
    bare = kit.engine().query(kit.QUESTION)
    evaluator.evaluate(kit.QUESTION, kit.RAW, [kit.SUPPORTED])
    evaluator.evaluate_response(kit.QUESTION, bare)
    postprocessor.postprocess_response(bare, kit.QUESTION)
    postprocessor.verify(kit.RAW, bare.source_nodes)
    assert len(seen) == 4


def _caller(answer, *, interim=""):
    """A model that calls the tool, then answers."""
    call = ToolSelection(tool_id="1", tool_name="kb", tool_kwargs={"input": "refunds"})
    return lambda messages: answer if messages[-1].role.value == "tool" else (interim, [call])


def _thinker(answer):
    act = 'Thought: x\nAction: kb\nAction Input: {"input": "refunds"}'
    return lambda messages: f"Thought: x\nAnswer: {answer}" if "Observation" in messages[-1].content else act


def _agent(kit, kind, grounder, reply, **settings):
    tool = QueryEngineTool.from_defaults(kit.engine(), name="kb", description="Looks up.", **settings)
    return kind(tools=[tool], llm=kit.model(reply), grounder=grounder)


async def _run(kit, agent):
    """Everything that was streamed, the memory and the result."""
    memory = ChatMemoryBuffer.from_defaults(token_limit=3_000)
    handler = agent.run(kit.QUESTION, memory=memory)
    events = [event async for event in handler.stream_events()]
    return events, memory, await handler


@pytest.mark.parametrize(
    ("kind", "reply"), [(GroundedFunctionAgent, _caller), (GroundedReActAgent, _thinker)], ids=["function", "react"]
)
async def test_agents_hand_each_text_that_leaves_to_sinks(kit, kind, reply):
    """ES-1: the tool's answer, which an event carries, and the agent's own: each its report, the agent's last."""
    seen: list = []
    _, _, output = await _run(kit, _agent(kit, kind, _grounder(kit, seen.append), reply(kit.RAW)))
    assert [report.text for report in seen] == [kit.SUPPORTED, kit.SUPPORTED]
    assert seen[-1] is report_of(output)


async def test_text_beside_a_tool_call_is_recorded_where_it_is_shown(kit):
    """ES-1: shown text goes to the sinks; what is dropped without a word is no answer, and withholds none."""
    wait = f"Refunds are paid in {kit.LEAK} coins."
    for interim, texts in (("One moment.", ["One moment.", *[kit.SUPPORTED] * 2]), (wait, [kit.SUPPORTED] * 2)):
        seen: list = []
        reply = _caller(kit.RAW, interim=interim)
        agent = _agent(kit, GroundedFunctionAgent, _grounder(kit, seen.append, raise_withheld), reply)
        _, _, output = await _run(kit, agent)
        assert [report.text for report in seen] == texts
        assert str(output) == kit.SUPPORTED


@pytest.mark.parametrize("direct", [False, True])
@pytest.mark.parametrize(
    ("kind", "reply"), [(GroundedFunctionAgent, _caller), (GroundedReActAgent, _thinker)], ids=["function", "react"]
)
async def test_an_agent_whose_sink_fails_says_nothing(kit, kind, reply, direct):
    """ES-1: no result, no event and no memory holds what could not be recorded.

    LlamaIndex tells a model what went wrong in a tool; this one tries again until it may no longer.
    """
    agent = _agent(kit, kind, _grounder(kit, _refuse), reply(kit.RAW), return_direct=direct)
    memory = ChatMemoryBuffer.from_defaults(token_limit=3_000)
    handler = agent.run(kit.QUESTION, memory=memory)
    events = [event async for event in handler.stream_events()]
    with pytest.raises(Exception, match="Max iterations" if direct else "the audit trail is full"):
        await handler
    assert kit.SUPPORTED not in repr(events) + repr(memory.get_all())


def test_an_answer_the_policy_withholds_can_be_an_error(kit):
    """ES-1: `raise_withheld` behind the trail turns the policy's sentence into an exception."""
    seen: list = []
    strict = Grounder(kit.judge, policy=Policy(escalate_above=0.1), sinks=(seen.append, raise_withheld))
    with pytest.raises(AnswerWithheldError, match="escalate"):
        ground(kit.engine(), strict).query(kit.QUESTION)
    assert len(seen) == 1
