"""Synthesizers that give the rules to their model, and those that hand out verified answers only.

LlamaIndex has no place between the model and the reader but this one: a synthesizer has the nodes and the answer.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from llama_index.core.base.response.schema import RESPONSE_TYPE
from llama_index.core.callbacks import CallbackManager
from llama_index.core.prompts.mixin import PromptDictType
from llama_index.core.response_synthesizers import BaseSynthesizer
from llama_index.core.response_synthesizers.context_only import ContextOnly
from llama_index.core.schema import NodeWithScore, QueryType
from llama_index.core.types import RESPONSE_TEXT_TYPE
from llama_index_instrumentation import get_dispatcher
from typing_extensions import override

from grounding_middleware import Grounder
from grounding_middleware.errors import ConfigError, InputError
from grounding_middleware.tokens import count_tokens
from grounding_middleware_llama_index._nodes import Found
from grounding_middleware_llama_index._options import GuardOptions, Unpack, guard_of
from grounding_middleware_llama_index._probe import Probe, answering, hand_out, watched
from grounding_middleware_llama_index._responses import Draft, adrafted, drafted
from grounding_middleware_llama_index._turn import Checkable, Guard, Turn
from grounding_middleware_llama_index.injecting import InjectionReport, injectable, ruled_copy

_dispatcher = get_dispatcher(__name__)

_TOO_SMALL = ("available context size", "is not positive")
"""What LlamaIndex says when a prompt leaves no room for any context."""


class RuledSynthesizer(BaseSynthesizer):
    """A synthesizer whose model gets the rules, with the ids of the nodes at hand; its answers are not verified.

    `inner` is copied, never changed; what is not overridden here is the copy's. `injection` says which prompts carry
    the rules.
    """

    def __init__(self, inner: BaseSynthesizer, guard: Guard) -> None:
        # Not BaseSynthesizer.__init__: it would look for Settings.llm.
        if not isinstance(inner, BaseSynthesizer):
            raise ConfigError(f"inner: got {type(inner).__name__}; allowed is a response synthesizer")
        self._inner: BaseSynthesizer = copy.copy(inner._inner if isinstance(inner, RuledSynthesizer) else inner)
        self._guard = guard
        self.injection = injectable(self._inner) if guard.rules else InjectionReport()

    @_dispatcher.span
    @override
    def synthesize(self, query: QueryType, nodes: list[NodeWithScore], *args: Any, **kwargs: Any) -> RESPONSE_TYPE:
        with self._running(self._guard.turn(query, nodes).found) as inner:
            return inner.synthesize(query, nodes, *args, **kwargs)

    @_dispatcher.span
    @override
    async def asynthesize(
        self, query: QueryType, nodes: list[NodeWithScore], *args: Any, **kwargs: Any
    ) -> RESPONSE_TYPE:
        with self._running(self._guard.turn(query, nodes).found) as inner:
            return await inner.asynthesize(query, nodes, *args, **kwargs)

    @override
    def get_response(self, query_str: str, text_chunks: Sequence[str], **response_kwargs: Any) -> RESPONSE_TEXT_TYPE:
        with self._running(Found()) as inner:
            return inner.get_response(query_str, text_chunks, **response_kwargs)

    @override
    async def aget_response(
        self, query_str: str, text_chunks: Sequence[str], **response_kwargs: Any
    ) -> RESPONSE_TEXT_TYPE:
        with self._running(Found()) as inner:
            return await inner.aget_response(query_str, text_chunks, **response_kwargs)

    @contextmanager
    def _running(self, found: Found) -> Iterator[BaseSynthesizer]:
        """The inner synthesizer with the rules for these spans, seen by the guards around this place."""
        rules = self._guard.rules_for(found, getattr(self._inner, "_llm", None))
        inner = ruled_copy(self._inner, self.injection.injected, rules) if rules else self._inner
        hand_out(rules)
        try:
            with answering():
                yield inner
        except ValueError as error:
            if rules and any(phrase in str(error) for phrase in _TOO_SMALL):
                raise InputError(
                    f"context window: the grounding rules take {count_tokens(rules)} tokens of every prompt, and no "
                    f"room is left for context ({error}); allowed are a larger window, fewer nodes, or rules=None"
                ) from error
            raise

    @override
    def _get_prompts(self) -> PromptDictType:
        return self._inner._get_prompts()

    @override
    def _update_prompts(self, prompts: PromptDictType) -> None:
        self._inner._update_prompts(prompts)

    @property
    def _streaming(self) -> bool:
        return self._inner._streaming

    @_streaming.setter
    def _streaming(self, value: bool) -> None:
        self._inner._streaming = value

    @property
    @override
    def callback_manager(self) -> CallbackManager:
        return self._inner.callback_manager

    @callback_manager.setter
    def callback_manager(self, callback_manager: CallbackManager) -> None:
        self._inner.callback_manager = callback_manager

    def __getattr__(self, name: str) -> Any:
        """What engines read off a synthesizer, from the inner one."""
        if name == "_inner":  # not there yet while a copy is being made
            raise AttributeError(name)
        return getattr(self._inner, name)


class GroundedSynthesizer(RuledSynthesizer):
    """A synthesizer whose answers hold only what its nodes support; the report stands in `response.grounding`.

    Every kind of response keeps its class. Streams are verified as a whole and then given in one piece. Evidence are
    the nodes it was given, as far as they stood in the prompts; nodes nobody can be named for are none.
    """

    def __init__(
        self, inner: BaseSynthesizer, grounder: Grounder | Guard | None = None, **options: Unpack[GuardOptions]
    ) -> None:
        super().__init__(inner, guard_of(grounder, options))

    @_dispatcher.span
    @override
    def synthesize(self, query: QueryType, nodes: list[NodeWithScore], *args: Any, **kwargs: Any) -> RESPONSE_TYPE:
        turn = self._guard.turn(query, nodes)
        with watched() as probe, self._running(turn.found) as inner:
            response = inner.synthesize(query, nodes, *args, **kwargs)
            draft = drafted(response, self._guard.structured)
        return self._guard.release(draft, self._concluded(turn, draft, probe).check(), probe)

    @_dispatcher.span
    @override
    async def asynthesize(
        self, query: QueryType, nodes: list[NodeWithScore], *args: Any, **kwargs: Any
    ) -> RESPONSE_TYPE:
        turn = self._guard.turn(query, nodes)
        with watched() as probe, self._running(turn.found) as inner:
            response = await inner.asynthesize(query, nodes, *args, **kwargs)
            draft = await adrafted(response, self._guard.structured)
        return self._guard.release(draft, await self._concluded(turn, draft, probe).acheck(), probe)

    @override
    def get_response(self, query_str: str, text_chunks: Sequence[str], **response_kwargs: Any) -> RESPONSE_TEXT_TYPE:
        raise ConfigError(_NO_NODES)

    @override
    async def aget_response(
        self, query_str: str, text_chunks: Sequence[str], **response_kwargs: Any
    ) -> RESPONSE_TEXT_TYPE:
        raise ConfigError(_NO_NODES)

    def _concluded(self, turn: Turn, draft: Draft, probe: Probe) -> Checkable:
        """With `context_only` the reader gets the nodes themselves; no prompt shows them."""
        return turn.shown(draft) if isinstance(self._inner, ContextOnly) else turn.conclude(draft, probe)


_NO_NODES = (
    "get_response: its texts say nothing of where they come from, so no answer can be verified against them; allowed "
    "is synthesize(query, nodes). Where an engine calls this, ground(...) the engine"
)

__all__ = ["GroundedSynthesizer", "RuledSynthesizer"]
