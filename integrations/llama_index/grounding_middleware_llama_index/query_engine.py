"""`GroundedQueryEngine`: any query engine, watched from outside; for those whose synthesizer cannot be swapped."""

from __future__ import annotations

from typing import Any

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.response.schema import RESPONSE_TYPE
from llama_index.core.callbacks import CallbackManager
from llama_index.core.prompts.mixin import PromptMixinType
from llama_index.core.schema import NodeWithScore, QueryBundle
from typing_extensions import override

from grounding_middleware import Grounder
from grounding_middleware.capture import distinct
from grounding_middleware.errors import ConfigError
from grounding_middleware_llama_index._nodes import Found, read
from grounding_middleware_llama_index._options import GuardOptions, Unpack, guard_of
from grounding_middleware_llama_index._probe import Probe, watched
from grounding_middleware_llama_index._responses import Draft, adrafted, drafted
from grounding_middleware_llama_index._rewrite import with_rules_inside
from grounding_middleware_llama_index._turn import Checkable, Guard, Turn


class GroundedQueryEngine(BaseQueryEngine):
    """The engine with the same questions and kinds of response, whose answers hold only what its sources support.

    Router, sub-question, multi-step, retry, transform and custom engines. Evidence is what retrievers returned and what
    the response names as its sources, as far as it stood in the prompts of the models that wrote the answer or fed it;
    text of models wrapped as nodes is none. An answer that comes verified from inside is not verified again. The engine
    itself is copied where a synthesizer gets the rules, and never changed.
    """

    def __init__(
        self,
        query_engine: BaseQueryEngine,
        grounder: Grounder | Guard | None = None,
        *,
        callback_manager: CallbackManager | None = None,
        **options: Unpack[GuardOptions],
    ) -> None:
        if not isinstance(query_engine, BaseQueryEngine):
            raise ConfigError(f"query_engine: got {type(query_engine).__name__}; allowed is a query engine")
        super().__init__(callback_manager or query_engine.callback_manager)
        self._guard = guard_of(grounder, options)
        self._query_engine = with_rules_inside(query_engine, self._guard) if self._guard.rules else query_engine

    @override
    def _query(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        with watched() as probe:
            draft = drafted(self._query_engine.query(query_bundle), self._guard.structured)
        return self._guard.release(draft, draft.report or self._concluded(query_bundle, draft, probe).check(), probe)

    @override
    async def _aquery(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        with watched() as probe:
            draft = await adrafted(await self._query_engine.aquery(query_bundle), self._guard.structured)
        report = draft.report or await self._concluded(query_bundle, draft, probe).acheck()
        return self._guard.release(draft, report, probe)

    @override
    def retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return self._query_engine.retrieve(query_bundle)

    @override
    def synthesize(self, query_bundle: QueryBundle, *nodes: Any, **more: Any) -> RESPONSE_TYPE:
        with watched() as probe:
            response = self._query_engine.synthesize(query_bundle, *nodes, **more)
            draft = drafted(response, self._guard.structured)
        return self._guard.release(draft, draft.report or self._concluded(query_bundle, draft, probe).check(), probe)

    @override
    async def asynthesize(self, query_bundle: QueryBundle, *nodes: Any, **more: Any) -> RESPONSE_TYPE:
        with watched() as probe:
            response = await self._query_engine.asynthesize(query_bundle, *nodes, **more)
            draft = await adrafted(response, self._guard.structured)
        report = draft.report or await self._concluded(query_bundle, draft, probe).acheck()
        return self._guard.release(draft, report, probe)

    @override
    def _get_prompt_modules(self) -> PromptMixinType:
        return {"query_engine": self._query_engine}

    def _concluded(self, query: QueryBundle, draft: Draft, probe: Probe) -> Checkable:
        """Numbered chunks are cited by number, so the nodes they were cut from stay out of it."""
        named = read(draft.nodes, self._guard.reading)
        retrieved = Found() if named.numbered else read(probe.nodes, self._guard.reading)
        found = Found(
            spans=distinct((*named.spans, *retrieved.spans)),
            numbered=named.numbered,
            nameless=named.nameless,
            changed=named.changed + retrieved.changed,
        )
        return Turn(self._guard, query.query_str, found).conclude(draft, probe)


__all__ = ["GroundedQueryEngine"]
