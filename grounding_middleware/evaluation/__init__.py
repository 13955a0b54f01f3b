"""Measuring on data of one's own: golden sets, runs, figures, and transformations that must not stay supported."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grounding_middleware.evaluation.golden import CriticalFact, Example, GoldClaim
    from grounding_middleware.evaluation.grounders import FromSpec
    from grounding_middleware.evaluation.loading import dump, load
    from grounding_middleware.evaluation.metrics import Rate, Summary, summarise
    from grounding_middleware.evaluation.probing.blind import MUTATIONS, Mutation
    from grounding_middleware.evaluation.running import Plan, evaluate, header_of, merge
    from grounding_middleware.evaluation.runs import Run, RunHeader, Scored, ScoredClaim, load_run
    from grounding_middleware.evaluation.scoring import ascore, score

_HOME = {
    **dict.fromkeys(("CriticalFact", "Example", "GoldClaim"), "golden"),
    "FromSpec": "grounders",
    **dict.fromkeys(("dump", "load"), "loading"),
    **dict.fromkeys(("Rate", "Summary", "summarise"), "metrics"),
    **dict.fromkeys(("MUTATIONS", "Mutation"), "probing.blind"),
    **dict.fromkeys(("Plan", "evaluate", "header_of", "merge"), "running"),
    **dict.fromkeys(("Run", "RunHeader", "Scored", "ScoredClaim", "load_run"), "runs"),
    **dict.fromkeys(("ascore", "score"), "scoring"),
}

__all__ = [
    "MUTATIONS",
    "CriticalFact",
    "Example",
    "FromSpec",
    "GoldClaim",
    "Mutation",
    "Plan",
    "Rate",
    "Run",
    "RunHeader",
    "Scored",
    "ScoredClaim",
    "Summary",
    "ascore",
    "dump",
    "evaluate",
    "header_of",
    "load",
    "load_run",
    "merge",
    "score",
    "summarise",
]


def __getattr__(name: str) -> Any:
    """The public name, loaded when it is first asked for (PEP 562)."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
