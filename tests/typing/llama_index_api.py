"""What users of the LlamaIndex integration may rely on, checked by mypy and never run."""

from __future__ import annotations

from typing import assert_type

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.response.schema import RESPONSE_TYPE
from llama_index.core.chat_engine import ContextChatEngine
from llama_index.core.llms import LLM
from llama_index.core.query_engine import CitationQueryEngine, RetrieverQueryEngine, RouterQueryEngine
from llama_index.core.response_synthesizers import BaseSynthesizer
from llama_index.core.tools import QueryEngineTool

from grounding_middleware import Report, Span
from grounding_middleware_llama_index import (
    GroundedSynthesizer,
    GroundingEvaluationResult,
    GroundingEvaluator,
    extract_spans,
    ground,
    report_of,
)


def keeps_the_class(retrieving: RetrieverQueryEngine, citing: CitationQueryEngine, chat: ContextChatEngine) -> None:
    """Engines that keep their class keep their type."""
    assert_type(ground(retrieving), RetrieverQueryEngine)
    assert_type(ground(citing), CitationQueryEngine)
    assert_type(ground(chat), ContextChatEngine)


def others_are_query_engines(
    router: RouterQueryEngine, tool: QueryEngineTool, synthesizer: BaseSynthesizer, llm: LLM
) -> None:
    """A wrapped engine is a query engine and no more; settings are checked."""
    assert_type(ground(router, judge=llm), BaseQueryEngine)
    assert_type(ground(tool), QueryEngineTool)
    assert_type(ground(synthesizer, rules=None), GroundedSynthesizer)


async def reports_and_spans(engine: BaseQueryEngine) -> None:
    """A response is LlamaIndex's own; the typed way to its report is `report_of`."""
    response = await ground(engine).aquery("?")
    assert_type(response, RESPONSE_TYPE)
    assert_type(report_of(response), Report)
    assert_type(extract_spans(response), tuple[Span, ...])
    assert_type(GroundingEvaluator().evaluate("q", "r", ["c"]), GroundingEvaluationResult)
