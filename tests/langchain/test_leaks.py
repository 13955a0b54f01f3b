"""The table of leaks: no unverified word in any stream mode, state or checkpoint, whatever middleware runs inside.

Rows are what runs inside the guard, columns are where a word could show. A control row shows that each column would
show it without the guard, so that an empty table means something.
"""

from __future__ import annotations

import pytest

pytest.importorskip("langchain.agents")

from langchain.agents import create_agent
from langchain.agents.middleware import (
    AgentMiddleware,
    ContextEditingMiddleware,
    ModelCallLimitMiddleware,
    ModelFallbackMiddleware,
    ModelRetryMiddleware,
    TodoListMiddleware,
)
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import create_retriever_tool
from langgraph.checkpoint.memory import InMemorySaver

from grounding_middleware_langchain import GroundingMiddleware

QUESTION = {"messages": [("human", "When are refunds paid?")]}
RAW = "Refunds are paid within ten days. WRONG one. They go to the card."
VERIFIED = "Refunds are paid within ten days. They go to the card."
CONFIG = {"configurable": {"thread_id": "1"}}

MODES = ("messages", "values", "updates", "custom", "debug", "checkpoints", "tasks")
ALL = ["messages", "values", "updates", "custom"]


class Router(AgentMiddleware):
    """Swaps the model of every call, as routers do."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def wrap_model_call(self, request, handler):
        """Another model."""
        return handler(request.override(model=self.model))

    async def awrap_model_call(self, request, handler):
        """Another model."""
        return await handler(request.override(model=self.model))


class Twice(AgentMiddleware):
    """Asks the model twice and takes the second answer."""

    def wrap_model_call(self, request, handler):
        """Two runs."""
        handler(request)
        return handler(request)

    async def awrap_model_call(self, request, handler):
        """Two runs."""
        await handler(request)
        return await handler(request)


def _reply(messages):
    """Remarks beside the tool call and the answer both hold what must not be seen."""
    if any(isinstance(message, ToolMessage) for message in messages):
        return AIMessage(RAW, additional_kwargs={"reasoning_content": "WRONG thought"})
    call = {"name": "lookup", "args": {"query": "refunds"}, "id": "c"}
    return AIMessage("Let me look. WRONG remark. One moment.", tool_calls=[call])


def _breaking(kit):
    """A model that streams half an answer, then breaks off."""

    class Breaking(type(kit.Model("x"))):
        def _stream(self, *args, **kwargs):
            for number, chunk in enumerate(super()._stream(*args, **kwargs)):
                if number == 9:
                    raise ConnectionError("down")
                yield chunk

        def _generate(self, *args, **kwargs):
            raise ConnectionError("down")

    return Breaking(reply=lambda _: RAW)


def _flaky(kit):
    """A model that breaks off the first time it answers."""
    failed = []

    def reply(messages):
        if not failed:
            failed.append(True)
            raise ConnectionError("down")
        return _reply(messages)

    return kit.Model(reply)


def _inside(kit):
    """What runs inside the guard, by name: the model, and the middleware listed after the guard."""
    good = kit.Model(_reply)
    return {
        "alone": (good, []),
        "fallback": (_breaking(kit), [ModelFallbackMiddleware(good)]),
        "retry": (_flaky(kit), [ModelRetryMiddleware(max_retries=2, initial_delay=0, jitter=False)]),
        "router": (_breaking(kit), [Router(good)]),
        "router in a retry": (
            _breaking(kit),
            [ModelRetryMiddleware(max_retries=2, initial_delay=0, jitter=False), Router(_flaky(kit))],
        ),
        "asked twice": (good, [Twice()]),
        "built-in": (good, [TodoListMiddleware(), ContextEditingMiddleware(), ModelCallLimitMiddleware(run_limit=9)]),
    }


ROWS = ("alone", "fallback", "retry", "router", "router in a retry", "asked twice", "built-in")


def _agent(kit, row, *guards):
    model, later = _inside(kit)[row]
    lookup = create_retriever_tool(kit.Retriever(documents=kit.documents), "lookup", "Finds.")
    return create_agent(model, [lookup], middleware=[*guards, *later], checkpointer=InMemorySaver())


async def _shown(agent, mode):
    """All that a column shows, sync and async."""
    first = list(agent.stream(QUESTION, {"configurable": {"thread_id": "s"}}, stream_mode=mode))
    config = {"configurable": {"thread_id": "a"}}
    return [*first, *[chunk async for chunk in agent.astream(QUESTION, config, stream_mode=mode)]]


@pytest.mark.parametrize("mode", [*MODES, ALL], ids=str)
@pytest.mark.parametrize("row", ROWS)
async def test_streams(kit, row, mode):
    """Checklist 3: nothing unverified in any mode, alone and together, and the verified answer is there."""
    shown = await _shown(_agent(kit, row, GroundingMiddleware(kit.grounder)), mode)
    assert "WRONG" not in repr(shown)
    assert (VERIFIED in repr(shown)) is (mode != "custom")


@pytest.mark.filterwarnings("ignore:The v3 streaming protocol")  # LangGraph calls it experimental
@pytest.mark.parametrize("row", ROWS)
async def test_version_3_streams(kit, row):
    """Checklist 3: the version 3 protocol of compiled graphs: messages, values and output."""
    agent = _agent(kit, row, GroundingMiddleware(kit.grounder))
    stream = await agent.astream_events(QUESTION, CONFIG, version="v3")
    seen = [repr([event async for event in message]) async for message in stream.messages]
    output = await stream.output()
    assert "WRONG" not in "".join(seen) + repr(output)
    assert VERIFIED in repr(output)
    stream = await agent.astream_events(QUESTION, {"configurable": {"thread_id": "2"}}, version="v3")
    assert "WRONG" not in "".join([repr(value) async for value in stream.values])


@pytest.mark.parametrize("row", ROWS)
def test_states_and_checkpoints(kit, row):
    """Checklist 3: neither the state, nor its history, nor a pending write."""
    agent = _agent(kit, row, GroundingMiddleware(kit.grounder))
    result = agent.invoke(QUESTION, CONFIG)
    stored = repr([result, list(agent.get_state_history(CONFIG)), list(agent.checkpointer.list(CONFIG))])
    assert "WRONG" not in stored
    assert VERIFIED in stored


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "custom"])
async def test_control_each_column_would_show_it(kit, mode):
    """Without the guard every column leaks; a table that cannot fail would prove nothing."""
    assert "WRONG" in repr(await _shown(_agent(kit, "alone"), mode))


async def test_one_message_for_one_answer(kit):
    """In `messages` the answer arrives once, whole: a chunk that was shown could not be taken back by a fallback."""
    for row in ROWS:
        agent = _agent(kit, row, GroundingMiddleware(kit.grounder))
        shown = [chunk for chunk, _ in agent.stream(QUESTION, CONFIG, stream_mode="messages")]
        assert [chunk.text for chunk in shown if isinstance(chunk, AIMessage)] == ["Let me look. One moment.", VERIFIED]


@pytest.mark.parametrize("position", [0, 1])
@pytest.mark.parametrize("inner", [ModelFallbackMiddleware, Router])
async def test_the_guard_is_listed_first(kit, inner, position):
    """Listed first nothing leaks; listed second neither, because what swaps the model calls the guard, too."""
    lookup = create_retriever_tool(kit.Retriever(documents=kit.documents), "lookup", "Finds.")
    both = [GroundingMiddleware(kit.grounder), inner(kit.Model(_reply))]
    ordered = both if position == 0 else both[::-1]
    agent = create_agent(_breaking(kit), [lookup], middleware=ordered, checkpointer=InMemorySaver())
    assert "WRONG" not in repr(await _shown(agent, ALL))
