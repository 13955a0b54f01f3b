"""Every rate that is reported, as data: what it counts, and which direction is better (SPEC ME-1, ME-2, ME-7)."""

from __future__ import annotations

from typing import Final

from grounding_middleware.evaluation.measures.answers import ANSWERS, OPINION
from grounding_middleware.evaluation.measures.citations import CITATIONS
from grounding_middleware.evaluation.measures.model import Better, Measure, Pair
from grounding_middleware.evaluation.measures.verifier import VERIFIER

__all__ = ["ANSWERS", "CITATIONS", "MEASURES", "OPINION", "VERIFIER", "Better", "Measure", "Pair", "measure"]

MEASURES: Final = (*ANSWERS, *OPINION, *VERIFIER, *CITATIONS)
"""All of them: of answers, of the verifier's own opinion, of the verifier against gold, of the citation resolver."""


def measure(name: str) -> Measure:
    """The measure with this name; raises `KeyError` when there is none."""
    return {one.name: one for one in MEASURES}[name]
