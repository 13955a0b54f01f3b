"""Copy-on-write walk of a query engine: every synthesizer it can reach gets the rules, the original stays."""

from __future__ import annotations

import copy
from typing import Any, TypeVar

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.query_engine import CitationQueryEngine
from llama_index.core.response_synthesizers import BaseSynthesizer
from llama_index.core.tools import QueryEngineTool
from pydantic import BaseModel

from grounding_middleware_llama_index._nodes import OWN_RECORD
from grounding_middleware_llama_index._turn import Guard
from grounding_middleware_llama_index.capturing import SpanCapture
from grounding_middleware_llama_index.synthesizer import RuledSynthesizer

E = TypeVar("E")


def with_rules_inside(engine: E, guard: Guard) -> E:
    """A copy of `engine` whose synthesizers, also those of engines, retrievers and tools in it, give out the rules.

    Parts without a synthesizer stay the very same objects.
    """
    changed = {name: _rewritten(value, guard) for name, value in vars(engine).items()}
    changed = {name: value for name, value in changed.items() if value is not vars(engine)[name]}
    clone = replaced(engine, changed) if changed else engine
    return capturing(clone, guard) if isinstance(clone, CitationQueryEngine) else clone


def answers_inside(value: Any) -> bool:
    """Whether a query engine stands in `value`: what a retriever finds there is the text of a model."""
    if isinstance(value, BaseQueryEngine):
        return True
    if isinstance(value, BaseRetriever):
        return any(answers_inside(part) for part in vars(value).values())
    if isinstance(value, dict):
        return any(answers_inside(item) for item in value.values())
    return type(value) in (list, tuple) and any(answers_inside(item) for item in value)


def replaced(engine: E, changes: dict[str, Any]) -> E:
    """A shallow copy with other values for some attributes."""
    if isinstance(engine, BaseModel):
        return engine.model_copy(update=changes)
    clone = copy.copy(engine)
    vars(clone).update(changes)
    return clone


def capturing(engine: E, guard: Guard) -> E:
    """A copy that remembers each node before it is cut into numbered chunks, which forget where they come from."""
    capture = SpanCapture(document_text=guard.reading.document_text, key=OWN_RECORD)
    return replaced(engine, {"_node_postprocessors": [*vars(engine).get("_node_postprocessors", ()), capture]})


def _rewritten(value: Any, guard: Guard) -> Any:
    if isinstance(value, BaseSynthesizer):
        return value if isinstance(value, RuledSynthesizer) else RuledSynthesizer(value, guard)
    if isinstance(value, BaseQueryEngine | BaseRetriever | QueryEngineTool):
        return with_rules_inside(value, guard)
    if type(value) in (list, tuple):
        items = [_rewritten(item, guard) for item in value]
        return type(value)(items) if any(new is not old for new, old in zip(items, value, strict=True)) else value
    if type(value) is dict:
        entries = {key: _rewritten(item, guard) for key, item in value.items()}
        return entries if any(entries[key] is not value[key] for key in value) else value
    return value
