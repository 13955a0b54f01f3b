"""The table of leaks: every way of asking, every place in which a reader could see an unverified word."""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from llama_index.core.agent.workflow import AgentWorkflow
from llama_index.core.base.response.schema import AsyncStreamingResponse, StreamingResponse
from llama_index.core.llms.llm import ToolSelection
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.tools import QueryEngineTool

from grounding_middleware_llama_index import GroundedFunctionAgent, GroundedQueryEngine, GroundedReActAgent, ground

pytestmark = pytest.mark.filterwarnings(  # all of them LlamaIndex's own
    "ignore::pydantic.PydanticDeprecationWarning",
    "ignore:is_running called from within a step",
    "ignore:ServiceManager is deprecated",
)

QUESTION = "When are refunds paid?"
RAW_BY_DESIGN = {
    *("LLMChatStartEvent", "LLMChatInProgressEvent", "LLMChatEndEvent", "LLMPredictEndEvent"),
    *("GetResponseEndEvent", "SynthesizeEndEvent"),
}
"""Instrumentation events of LlamaIndex's own that carry what the model wrote: the audit trail, see the README."""


async def _query(kit: Any, make: Callable[[Any], Any], *, asynchronous: bool) -> dict[str, Any]:
    safe = make(kit)
    response = await safe.aquery(QUESTION) if asynchronous else safe.query(QUESTION)
    seen = {"return value": response, "metadata": response.metadata, "nodes": response.source_nodes}
    if isinstance(response, AsyncStreamingResponse):
        return {**seen, "stream": [piece async for piece in response.async_response_gen()], "text": str(response)}
    if isinstance(response, StreamingResponse):
        return {**seen, "stream": list(response.response_gen)}
    return {**seen, "text": str(response), "fields": dataclasses.asdict(response)}


async def _chat(kit: Any, mode: str, way: str) -> dict[str, Any]:
    memory = ChatMemoryBuffer.from_defaults(token_limit=3_000)
    safe = ground(kit.index().as_chat_engine(chat_mode=mode, llm=kit.model(), memory=memory), kit.grounder)
    response = getattr(safe, way)(QUESTION)
    response = await response if way.startswith("a") else response
    pieces: list[str] = []
    if way == "stream_chat":
        pieces = list(response.response_gen)
    elif way == "astream_chat":
        pieces = [piece async for piece in response.async_response_gen()]
    sources = [source.content for source in response.sources]
    return {
        "return value": response,
        "text": str(response),
        "stream": pieces,
        "sources": sources,
        "memory": memory.get_all(),
    }


def _calls(answer: str) -> Callable[[Any], Any]:
    call = ToolSelection(tool_id="1", tool_name="kb", tool_kwargs={"input": QUESTION})
    return lambda messages: answer if messages[-1].role.value == "tool" else (f"Wait. {answer}", [call])


def _thinks(answer: str) -> Callable[[Any], Any]:
    act = f'Thought: {answer}\nAction: kb\nAction Input: {{"input": "{QUESTION}"}}'
    return lambda messages: f"Thought: {answer}\nAnswer: {answer}" if "Observation" in messages[-1].content else act


async def _agent(kit: Any, kind: Any, *, flow: bool = False) -> dict[str, Any]:
    model = kit.model((_calls if kind is GroundedFunctionAgent else _thinks)(kit.RAW))
    tool = QueryEngineTool.from_defaults(kit.engine(), name="kb", description="Looks up.")
    agent = kind(name="a", description="b", tools=[tool], llm=model, grounder=kit.grounder)
    memory = ChatMemoryBuffer.from_defaults(token_limit=3_000)
    handler = (AgentWorkflow(agents=[agent]) if flow else agent).run(QUESTION, memory=memory)
    events = [event async for event in handler.stream_events()]
    result = await handler
    dumped = [event.model_dump() for event in events] + [result.model_dump()]
    return {"return value": result, "text": str(result), "events": events, "dumps": dumped, "memory": memory.get_all()}


def _wrapped(kit: Any) -> Any:
    return GroundedQueryEngine(kit.engine(), kit.grounder)


Row = Callable[[Any], Awaitable[dict[str, Any]]]

TABLE: dict[str, Row] = {
    "query": lambda kit: _query(kit, lambda k: ground(k.engine(), k.grounder), asynchronous=False),
    "aquery": lambda kit: _query(kit, lambda k: ground(k.engine(), k.grounder), asynchronous=True),
    "query, streaming": lambda kit: _query(
        kit, lambda k: ground(k.engine(streaming=True), k.grounder), asynchronous=False
    ),
    "aquery, streaming": lambda kit: _query(
        kit, lambda k: ground(k.engine(streaming=True), k.grounder), asynchronous=True
    ),
    "query, wrapped": lambda kit: _query(kit, _wrapped, asynchronous=False),
    "aquery, wrapped": lambda kit: _query(kit, _wrapped, asynchronous=True),
    **{
        f"{way}, {mode}": lambda kit, mode=mode, way=way: _chat(kit, mode, way)
        for mode in ("context", "condense_plus_context", "condense_question")
        for way in ("chat", "achat", "stream_chat", "astream_chat")
    },
    "agent run": lambda kit: _agent(kit, GroundedFunctionAgent),
    "agent run in a workflow": lambda kit: _agent(kit, GroundedFunctionAgent, flow=True),
    "ReAct agent run": lambda kit: _agent(kit, GroundedReActAgent),
    "ReAct agent run in a workflow": lambda kit: _agent(kit, GroundedReActAgent, flow=True),
}


@pytest.mark.parametrize("way", TABLE)
async def test_no_unverified_word_in_any_place(kit, log, way):
    """Must show: return values, streams, events we control, memory: none holds the word no source supports.

    Every row really would leak: the same engine bare does. What traces see is exactly the documented list.
    """
    seen = await TABLE[way](kit)
    leaking = [place for place, value in seen.items() if kit.LEAK in repr(value)]
    assert leaking == []
    assert any(kit.SUPPORTED in repr(value) for value in seen.values())
    assert kit.judge.tasks, "the word was there to be judged"
    traces = {event.class_name() for event in log.events if kit.LEAK in repr(event)}
    assert traces
    assert traces <= RAW_BY_DESIGN | {"QueryEndEvent"} if "wrapped" in way else traces <= RAW_BY_DESIGN


def test_the_table_has_every_way(kit):
    """A way of asking that LlamaIndex has and the table lacks would be a hole in it."""
    ways = {row.partition(",")[0] for row in TABLE}
    assert {"query", "aquery", "chat", "achat", "stream_chat", "astream_chat", "agent run"} <= ways
