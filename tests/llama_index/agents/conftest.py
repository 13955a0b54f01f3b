"""Scripted agents: models that call a tool first and answer then, and a run with all that it streams."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from llama_index.core.llms.llm import ToolSelection
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.tools import QueryEngineTool

from grounding_middleware_llama_index import GroundedFunctionAgent, GroundedReActAgent

LLAMA_INDEX_OWN = (
    "ignore::pydantic.PydanticDeprecationWarning",
    "ignore:is_running called from within a step",
    "ignore:Skipping serialization of known unserializable key",
    "ignore:ServiceManager is deprecated",
)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Warnings of LlamaIndex about itself fail no test in this folder."""
    for ignored in LLAMA_INDEX_OWN:
        item.add_marker(pytest.mark.filterwarnings(ignored))


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


def _lookup(topic: str = "", input: str = "") -> str:  # noqa: A002  # the name agents pass
    """Looks up."""
    return "Refunds are paid within ten days."


async def _run(agent, question="When are refunds paid?", **settings):
    """The result and everything that was streamed."""
    memory = settings.setdefault("memory", ChatMemoryBuffer.from_defaults(token_limit=3_000))
    handler = agent.run(question, **settings)
    events = [event async for event in handler.stream_events()]
    return await handler, events, memory


@pytest.fixture
def agents(kit) -> SimpleNamespace:
    """The parts by name; `make` puts them together."""

    def kb(reply: str | None = None, **settings: Any) -> QueryEngineTool:
        """A query engine as a tool."""
        engine = kit.engine(reply or kit.SUPPORTED)
        return QueryEngineTool.from_defaults(engine, name="kb", description="Looks up.", **settings)

    def make(kind: str = "function", answer: str | None = None, tools: Any = None, **settings: Any) -> Any:
        answer = kit.RAW if answer is None else answer
        cls, reply = {
            "function": (GroundedFunctionAgent, _caller(answer)),
            "react": (GroundedReActAgent, _react(answer)),
        }[kind]
        given = {"llm": kit.model(reply), "grounder": kit.grounder, **settings}
        return cls(tools=tools or [kb()], **given)

    return SimpleNamespace(
        asked=_asked, call=_call, caller=_caller, kb=kb, lookup=_lookup, make=make, react=_react, run=_run
    )
