"""Measuring on data of one's own: golden sets, runs, figures, and transformations that must not stay supported."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grounding_middleware.evaluation.golden import CriticalFact, Example, GoldClaim
    from grounding_middleware.evaluation.loading import dump, load
    from grounding_middleware.evaluation.probing.blind import MUTATIONS, Mutation
    from grounding_middleware.evaluation.runs import Run, RunHeader, Scored, ScoredClaim, load_run

_HOME = {
    **dict.fromkeys(("CriticalFact", "Example", "GoldClaim"), "golden"),
    **dict.fromkeys(("dump", "load"), "loading"),
    **dict.fromkeys(("MUTATIONS", "Mutation"), "probing.blind"),
    **dict.fromkeys(("Run", "RunHeader", "Scored", "ScoredClaim", "load_run"), "runs"),
}

__all__ = [
    "MUTATIONS",
    "CriticalFact",
    "Example",
    "GoldClaim",
    "Mutation",
    "Run",
    "RunHeader",
    "Scored",
    "ScoredClaim",
    "dump",
    "load",
    "load_run",
]


def __getattr__(name: str) -> Any:
    """The public name, loaded when it is first asked for (PEP 562)."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
