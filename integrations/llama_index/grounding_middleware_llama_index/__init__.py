"""grounding-middleware for LlamaIndex: every answer verified against the nodes its model was shown.

    from grounding_middleware_llama_index import ground, report_of

    safe = ground(query_engine)            # the same engine, verified; the original is untouched
    response = safe.query(question)
    report_of(response).claims

Names are loaded on first use. Without LlamaIndex the first use raises an `ImportError` that says what to install.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grounding_middleware.exports import lazy

if TYPE_CHECKING:
    from grounding_middleware.capture import SpanFields
    from grounding_middleware_llama_index._reports import report_of
    from grounding_middleware_llama_index._turn import asking
    from grounding_middleware_llama_index.agent import GroundedFunctionAgent
    from grounding_middleware_llama_index.capturing import SpanCapture, extract_spans
    from grounding_middleware_llama_index.evaluator import GroundingEvaluationResult, GroundingEvaluator
    from grounding_middleware_llama_index.events import GroundingEndEvent, GroundingStartEvent
    from grounding_middleware_llama_index.injecting import InjectionReport, inject_rules
    from grounding_middleware_llama_index.judging import LLMModel
    from grounding_middleware_llama_index.postprocessor import GroundingResponsePostprocessor
    from grounding_middleware_llama_index.query_engine import GroundedQueryEngine
    from grounding_middleware_llama_index.react import GroundedReActAgent
    from grounding_middleware_llama_index.synthesizer import GroundedSynthesizer
    from grounding_middleware_llama_index.workflow import DraftEvent, GroundedEvent, GroundedWorkflow
    from grounding_middleware_llama_index.wrapping import ground

__version__ = "0.1.0"

__all__ = [
    "DraftEvent",
    "GroundedEvent",
    "GroundedFunctionAgent",
    "GroundedQueryEngine",
    "GroundedReActAgent",
    "GroundedSynthesizer",
    "GroundedWorkflow",
    "GroundingEndEvent",
    "GroundingEvaluationResult",
    "GroundingEvaluator",
    "GroundingResponsePostprocessor",
    "GroundingStartEvent",
    "InjectionReport",
    "LLMModel",
    "SpanCapture",
    "SpanFields",
    "__version__",
    "asking",
    "extract_spans",
    "ground",
    "inject_rules",
    "report_of",
]


_found = lazy(
    __name__,
    {
        "grounding_middleware.capture": ("SpanFields",),
        "._reports": ("report_of",),
        "._turn": ("asking",),
        ".agent": ("GroundedFunctionAgent",),
        ".capturing": ("SpanCapture", "extract_spans"),
        ".evaluator": ("GroundingEvaluationResult", "GroundingEvaluator"),
        ".events": ("GroundingEndEvent", "GroundingStartEvent"),
        ".injecting": ("InjectionReport", "inject_rules"),
        ".judging": ("LLMModel",),
        ".postprocessor": ("GroundingResponsePostprocessor",),
        ".query_engine": ("GroundedQueryEngine",),
        ".react": ("GroundedReActAgent",),
        ".synthesizer": ("GroundedSynthesizer",),
        ".workflow": ("DraftEvent", "GroundedEvent", "GroundedWorkflow"),
        ".wrapping": ("ground",),
    },
)


def __getattr__(name: str) -> Any:
    """The public name; says what to install when LlamaIndex is not there."""
    try:
        return _found(name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"llama_index", "llama_index_instrumentation"}:
            raise
        raise ImportError(
            f"{name} needs LlamaIndex (llama-index-core >= 0.13, < 0.15): "
            'pip install "grounding-middleware[llama-index]"'
        ) from error


def __dir__() -> list[str]:
    """What can be imported from here."""
    return __all__
