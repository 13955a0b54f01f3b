"""grounding-middleware for LangChain: every answer verified against the evidence its model was shown.

    from grounding_middleware_langchain import ground

    guarded = ground(chain)                                  # same input and output type
    report = ground(chain).with_report().invoke(question)    # the report instead of the bare answer

Names are loaded on first use: users of `ground` never import `langchain.agents`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grounding_middleware.exports import lazy

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


__getattr__ = lazy(
    __name__,
    {
        "grounding_middleware.capture": ("SpanFields",),
        "._judge": ("RunnableModel",),
        ".annotating": ("annotated",),
        ".citing": ("cite",),
        ".deciding": ("DecisionJudge",),
        ".middleware": ("GroundingMiddleware",),
        ".review": ("GroundingReviewMiddleware",),
        ".runnable": ("GroundedRunnable",),
        ".verifier": ("Grade", "GroundingVerifier"),
        ".wrapping": ("ground", "with_rules"),
    },
)


def __dir__() -> list[str]:
    """What can be imported from here."""
    return __all__
