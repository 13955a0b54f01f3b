"""`GroundingResponsePostprocessor`: works on responses, after the model; the thing LlamaIndex has no place for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn, TypeVar

from llama_index.core.base.response.schema import RESPONSE_TYPE
from llama_index.core.callbacks import CallbackManager
from llama_index.core.schema import BaseNode, NodeWithScore, QueryType

from grounding_middleware import Grounder
from grounding_middleware.errors import ConfigError
from grounding_middleware.records import Report
from grounding_middleware_llama_index._options import GuardOptions, Unpack, guard_of
from grounding_middleware_llama_index._responses import Draft, adrafted, drafted
from grounding_middleware_llama_index._turn import Checkable, Guard
from grounding_middleware_llama_index.wrapping import ground

T = TypeVar("T")

_WRONG_PLACE = (
    "node_postprocessors: GroundingResponsePostprocessor works on the response, after the model; node postprocessors "
    "work on nodes, before it. Use ground(engine), or postprocessor.attach(engine), and SpanCapture() in this list"
)


class GroundingResponsePostprocessor:
    """Verifies responses: one at a time, or every response of an engine it is attached to.

    Standalone it sees no prompt: pass the nodes that stood in it; without them the response's source nodes are taken.
    """

    def __init__(self, grounder: Grounder | Guard | None = None, **options: Unpack[GuardOptions]) -> None:
        self._guard = guard_of(grounder, options)

    def attach(self, target: T) -> T:
        """`ground(target)` with the settings of this postprocessor."""
        engine: Any = target  # `ground` tells what it takes
        grounded: T = ground(engine, self._guard)
        return grounded

    def postprocess_response(
        self,
        response: RESPONSE_TYPE,
        query: QueryType = "",
        nodes: Sequence[NodeWithScore | BaseNode] | None = None,
    ) -> RESPONSE_TYPE:
        """A response of the same kind with verified text; the one given stays as it is, a stream is read to its end."""
        draft = drafted(response, self._guard.structured)
        return self._guard.release(draft, draft.report or self._checkable(draft, query, nodes).check())

    async def apostprocess_response(
        self,
        response: RESPONSE_TYPE,
        query: QueryType = "",
        nodes: Sequence[NodeWithScore | BaseNode] | None = None,
    ) -> RESPONSE_TYPE:
        """The same, awaited; also for asynchronous streams."""
        draft = await adrafted(response, self._guard.structured)
        return self._guard.release(draft, draft.report or await self._checkable(draft, query, nodes).acheck())

    def verify(self, answer: str, nodes: Sequence[NodeWithScore | BaseNode], query: QueryType = "") -> Report:
        """The report on a text and the nodes its model was shown, for workflows of your own."""
        return self._text(answer, nodes, query).check()

    async def averify(self, answer: str, nodes: Sequence[NodeWithScore | BaseNode], query: QueryType = "") -> Report:
        """The same, awaited."""
        return await self._text(answer, nodes, query).acheck()

    def _text(self, answer: str, nodes: Sequence[NodeWithScore | BaseNode], query: QueryType) -> Checkable:
        draft = Draft(answer, [], _never)
        return self._checkable(draft, query, nodes)

    def _checkable(self, draft: Draft, query: QueryType, nodes: Sequence[NodeWithScore | BaseNode] | None) -> Checkable:
        return self._guard.turn(query, draft.nodes if nodes is None else nodes).shown(draft)

    @property
    def callback_manager(self) -> CallbackManager:
        """Not for this object: engines set it on the node postprocessors they are given."""
        raise ConfigError(_WRONG_PLACE)

    @callback_manager.setter
    def callback_manager(self, _: CallbackManager) -> None:
        raise ConfigError(_WRONG_PLACE)

    def postprocess_nodes(self, *_: Any, **__: Any) -> NoReturn:
        """Always raises `ConfigError`: this is no node postprocessor."""
        raise ConfigError(_WRONG_PLACE)

    async def apostprocess_nodes(self, *_: Any, **__: Any) -> NoReturn:
        """Always raises `ConfigError`: this is no node postprocessor."""
        raise ConfigError(_WRONG_PLACE)


def _never(_: Report) -> NoReturn:
    raise AssertionError("a text is not put back")


__all__ = ["GroundingResponsePostprocessor"]
