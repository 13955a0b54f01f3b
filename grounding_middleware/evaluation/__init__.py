"""Measuring on data of one's own: golden sets, runs, figures, and transformations that must not stay supported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grounding_middleware.exports import lazy

if TYPE_CHECKING:
    from grounding_middleware.evaluation.golden import CriticalFact, Example, GoldClaim
    from grounding_middleware.evaluation.grounders import FromSpec
    from grounding_middleware.evaluation.loading import dump, load
    from grounding_middleware.evaluation.metrics import Rate, Summary, summarise
    from grounding_middleware.evaluation.probing.blind import MUTATIONS, Mutation
    from grounding_middleware.evaluation.running import Plan, evaluate, header_of, merge
    from grounding_middleware.evaluation.runs import Run, RunHeader, Scored, ScoredClaim, load_run
    from grounding_middleware.evaluation.scoring import ascore, score

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


__getattr__ = lazy(
    __name__,
    {
        ".golden": ("CriticalFact", "Example", "GoldClaim"),
        ".grounders": ("FromSpec",),
        ".loading": ("dump", "load"),
        ".metrics": ("Rate", "Summary", "summarise"),
        ".probing.blind": ("MUTATIONS", "Mutation"),
        ".running": ("Plan", "evaluate", "header_of", "merge"),
        ".runs": ("Run", "RunHeader", "Scored", "ScoredClaim", "load_run"),
        ".scoring": ("ascore", "score"),
    },
)
