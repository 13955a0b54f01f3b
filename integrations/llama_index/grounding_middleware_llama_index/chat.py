"""Chat engines whose memory holds what the reader was given: the verified text.

An engine's class is kept and a grounded one put in front of it. The answer is verified inside the turn, before the
engine writes it anywhere, so memory never has to be repaired.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.chat_engine import CondensePlusContextChatEngine, CondenseQuestionChatEngine, ContextChatEngine
from llama_index.core.chat_engine.types import AgentChatResponse, BaseChatEngine, StreamingAgentChatResponse
from llama_index.core.response_synthesizers import BaseSynthesizer

from grounding_middleware.errors import ConfigError, GroundingError
from grounding_middleware.records import Report
from grounding_middleware_llama_index._fronts import in_front, keeps_methods
from grounding_middleware_llama_index._reports import find_report, reports, with_report
from grounding_middleware_llama_index._turn import Guard
from grounding_middleware_llama_index.synthesizer import GroundedSynthesizer

C = TypeVar("C", bound=BaseChatEngine)
R = TypeVar("R", AgentChatResponse, StreamingAgentChatResponse)

_FROM_CONTEXT = (ContextChatEngine, CondensePlusContextChatEngine)
"""Engines that make a new synthesizer in every turn."""


_TURNS = ("chat", "achat", "stream_chat", "astream_chat")
"""Methods in which a subclass could add to an answer after it was verified, or keep another one."""


class GroundedChat:
    """Goes in front of a chat engine's class: turns are the engine's own, and their responses carry the report."""

    def chat(self, *args: Any, **kwargs: Any) -> AgentChatResponse:
        """As the engine's own, verified."""
        with reports() as made:
            response: AgentChatResponse = super().chat(*args, **kwargs)  # type: ignore[misc]  # the engine's class
        return _carrying(response, made)

    def stream_chat(self, *args: Any, **kwargs: Any) -> StreamingAgentChatResponse:
        """As the engine's own: verified before the first piece is given."""
        with reports() as made:
            response: StreamingAgentChatResponse = super().stream_chat(*args, **kwargs)  # type: ignore[misc]  # the same
        return _carrying(response, made)

    async def achat(self, *args: Any, **kwargs: Any) -> AgentChatResponse:
        """As the engine's own, verified."""
        with reports() as made:
            response: AgentChatResponse = await super().achat(*args, **kwargs)  # type: ignore[misc]  # the same
        return _carrying(response, made)

    async def astream_chat(self, *args: Any, **kwargs: Any) -> StreamingAgentChatResponse:
        """As the engine's own: verified before the first piece is given."""
        with reports() as made:
            response: StreamingAgentChatResponse = await super().astream_chat(*args, **kwargs)  # type: ignore[misc]  # the same
        return _carrying(response, made)


class GroundedContextChat(GroundedChat):
    """For engines that build a synthesizer from the history of each turn."""

    _grounding: Guard

    def _get_response_synthesizer(self, chat_history: list[ChatMessage], streaming: bool = False) -> BaseSynthesizer:  # noqa: FBT001, FBT002  # LlamaIndex's signature
        inner: BaseSynthesizer = super()._get_response_synthesizer(chat_history, streaming)  # type: ignore[misc]  # the same
        return GroundedSynthesizer(inner, self._grounding)


def grounded_context_chat(engine: C, guard: Guard) -> C:
    """A copy of a context engine that shares its memory, retriever and prompts."""
    return in_front(GroundedContextChat, engine, _grounding=guard)


def grounded_condense_chat(engine: C, query_engine: Any) -> C:
    """A copy of a condense-question engine around a grounded `query_engine`, sharing its memory."""
    return in_front(GroundedChat, engine, _query_engine=query_engine)


def is_context_chat(engine: BaseChatEngine) -> bool:
    """Whether the engine makes its synthesizers where this package can reach them."""
    made_here = any(keeps_methods(engine, base, _TURNS) for base in _FROM_CONTEXT)
    return made_here and hasattr(engine, "_get_response_synthesizer")


def is_condense_chat(engine: BaseChatEngine) -> bool:
    """Whether the engine answers through a query engine."""
    return keeps_methods(engine, CondenseQuestionChatEngine, _TURNS) and "_query_engine" in vars(engine)


def refuse(engine: BaseChatEngine) -> ConfigError:
    """Why this engine cannot be grounded, and what can."""
    return ConfigError(
        f"ground: {type(engine).__name__} cannot be grounded: nothing it retrieves can be seen, or what it writes to "
        "its memory cannot be verified first; allowed are ContextChatEngine, CondensePlusContextChatEngine, "
        "CondenseQuestionChatEngine and subclasses that leave their turns as they are"
    )


def _carrying(response: R, made: Sequence[Report]) -> R:
    """The response with the newest report; where a context was lost on the way, that of the query engine's response."""
    carried: list[Report | None] = [find_report(source.raw_output) for source in response.sources]
    known = [*filter(None, carried), *made]
    if not known:
        raise GroundingError(f"no report was made for this {type(response).__name__}, so nothing says it was verified")
    return with_report(response, known[-1])


__all__ = ["GroundedChat"]
