"""`ground(x)`: the engine, tool or synthesizer somebody already has, verified; the original is never touched."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any, TypeVar, overload

from llama_index.core.agent.workflow import AgentWorkflow
from llama_index.core.agent.workflow.base_agent import BaseWorkflowAgent
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.chat_engine.types import BaseChatEngine
from llama_index.core.query_engine import CitationQueryEngine, RetrieverQueryEngine
from llama_index.core.response_synthesizers import BaseSynthesizer
from llama_index.core.tools import QueryEngineTool

from grounding_middleware import Grounder
from grounding_middleware.errors import ConfigError
from grounding_middleware_llama_index._fronts import keeps_methods
from grounding_middleware_llama_index._options import GuardOptions, Unpack, guard_of
from grounding_middleware_llama_index._rewrite import answers_inside, capturing, replaced
from grounding_middleware_llama_index._turn import Guard
from grounding_middleware_llama_index.chat import (
    GroundedChat,
    grounded_condense_chat,
    grounded_context_chat,
    is_condense_chat,
    is_context_chat,
    refuse,
)
from grounding_middleware_llama_index.query_engine import GroundedQueryEngine
from grounding_middleware_llama_index.synthesizer import GroundedSynthesizer

_QUERIES = ("query", "aquery", "_query", "_aquery", "synthesize", "asynthesize")
"""Methods in which a subclass could add to an answer after its synthesizer was asked."""

Q = TypeVar("Q", bound=RetrieverQueryEngine | CitationQueryEngine)
C = TypeVar("C", bound=BaseChatEngine | QueryEngineTool)


@overload
def ground(target: Q, grounder: Grounder | Guard | None = None, **options: Unpack[GuardOptions]) -> Q: ...
@overload
def ground(
    target: BaseQueryEngine, grounder: Grounder | Guard | None = None, **options: Unpack[GuardOptions]
) -> BaseQueryEngine: ...
@overload
def ground(target: C, grounder: Grounder | Guard | None = None, **options: Unpack[GuardOptions]) -> C: ...
@overload
def ground(
    target: BaseSynthesizer, grounder: Grounder | Guard | None = None, **options: Unpack[GuardOptions]
) -> GroundedSynthesizer: ...
def ground(target: Any, grounder: Grounder | Guard | None = None, **options: Unpack[GuardOptions]) -> Any:
    """`target` with the same interface, whose answers hold only what its sources support; twice verifies once.

    Query engines over a retriever, citation engines and chat engines keep their class: a copy, with a synthesizer that
    verifies. Other query engines, and subclasses with a way of answering of their own, are wrapped. Tools and
    synthesizers are copied. Prompts, memory, streaming flag and nodes of the original stay as they are; memory is
    shared with chat engines. The report stands in `.grounding`.

    Raises `ConfigError` for settings that are wrong or exclude each other, and for what cannot be grounded.
    """
    return _grounded(target, guard_of(grounder, options))


def is_grounded(target: object) -> bool:
    """Whether `target` hands out verified answers already."""
    if isinstance(target, GroundedQueryEngine | GroundedSynthesizer | GroundedChat):
        return True
    if isinstance(target, QueryEngineTool):
        return is_grounded(target.query_engine)
    return isinstance(getattr(target, "__dict__", {}).get("_response_synthesizer"), GroundedSynthesizer)


def _grounded(target: Any, guard: Guard) -> Any:
    if is_grounded(target):
        return target
    if isinstance(target, BaseSynthesizer):
        return GroundedSynthesizer(target, guard)
    if isinstance(target, BaseQueryEngine):
        return _query_engine(target, guard)
    if isinstance(target, BaseChatEngine):
        return _chat_engine(target, replace(guard, structured="edit"))
    if isinstance(target, QueryEngineTool):
        return _tool(target, replace(guard, structured="edit"))
    raise ConfigError(_refusal(target))


def _query_engine(engine: BaseQueryEngine, guard: Guard) -> BaseQueryEngine:
    """Only engines whose synthesizer has the retrieved nodes and the last word keep their class.

    Where a retriever asks engines, its nodes are answers; what those rest on is seen from outside only.
    """
    inner = vars(engine).get("_response_synthesizer")
    known = any(keeps_methods(engine, base, _QUERIES) for base in (RetrieverQueryEngine, CitationQueryEngine))
    if not known or not isinstance(inner, BaseSynthesizer) or answers_inside(vars(engine).get("_retriever")):
        return GroundedQueryEngine(engine, guard)
    clone = replaced(engine, {"_response_synthesizer": GroundedSynthesizer(inner, guard)})
    return capturing(clone, guard) if isinstance(clone, CitationQueryEngine) else clone


def _chat_engine(engine: BaseChatEngine, guard: Guard) -> BaseChatEngine:
    """What a chat engine says becomes text and memory, so an object is no way out."""
    if is_context_chat(engine):
        return grounded_context_chat(engine, guard)
    if is_condense_chat(engine):
        return grounded_condense_chat(engine, _grounded(vars(engine)["_query_engine"], guard))
    raise refuse(engine)


def _tool(tool: QueryEngineTool, guard: Guard) -> QueryEngineTool:
    clone = copy.copy(tool)
    vars(clone)["_query_engine"] = _grounded(tool.query_engine, guard)
    return clone


def _refusal(target: object) -> str:
    name = type(target).__name__
    if isinstance(target, BaseWorkflowAgent | AgentWorkflow):
        return (
            f"ground: {name} is an agent; allowed are GroundedFunctionAgent(...) and GroundedReActAgent(...) in its "
            "place, also inside an AgentWorkflow"
        )
    return (
        f"ground: got {name}; allowed are query engines, chat engines, QueryEngineTool and response synthesizers. "
        "For a finished response use GroundingResponsePostprocessor"
    )


__all__ = ["ground", "is_grounded"]
