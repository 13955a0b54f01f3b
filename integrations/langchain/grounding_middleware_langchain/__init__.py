"""grounding-middleware for LangChain: every answer verified against the evidence its model was shown.

    from grounding_middleware_langchain import ground

    guarded = ground(chain)                                  # same input and output type
    report = ground(chain).with_report().invoke(question)    # the report instead of the bare answer

Names are loaded on first use: users of `ground` never import `langchain.agents`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grounding_middleware.capture import SpanFields
    from grounding_middleware_langchain._judge import RunnableModel
    from grounding_middleware_langchain.annotating import annotated
    from grounding_middleware_langchain.citing import cite
    from grounding_middleware_langchain.deciding import DecisionJudge
    from grounding_middleware_langchain.middleware import GroundingMiddleware
    from grounding_middleware_langchain.review import GroundingReviewMiddleware
    from grounding_middleware_langchain.runnable import GroundedRunnable
    from grounding_middleware_langchain.verifier import Grade, GroundingVerifier
    from grounding_middleware_langchain.wrapping import ground, with_rules

__version__ = "0.1.0"

_HOME = {
    "DecisionJudge": f"{__name__}.deciding",
    "Grade": f"{__name__}.verifier",
    "GroundedRunnable": f"{__name__}.runnable",
    "GroundingMiddleware": f"{__name__}.middleware",
    "GroundingReviewMiddleware": f"{__name__}.review",
    "GroundingVerifier": f"{__name__}.verifier",
    "RunnableModel": f"{__name__}._judge",
    "SpanFields": "grounding_middleware.capture",
    "annotated": f"{__name__}.annotating",
    "cite": f"{__name__}.citing",
    "ground": f"{__name__}.wrapping",
    "with_rules": f"{__name__}.wrapping",
}

__all__ = [
    "DecisionJudge",
    "Grade",
    "GroundedRunnable",
    "GroundingMiddleware",
    "GroundingReviewMiddleware",
    "GroundingVerifier",
    "RunnableModel",
    "SpanFields",
    "__version__",
    "annotated",
    "cite",
    "ground",
    "with_rules",
]


def __getattr__(name: str) -> Any:
    """The public name, from the module it lives in (PEP 562)."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    """What can be imported from here."""
    return __all__
