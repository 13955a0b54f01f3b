"""Comparing two runs over one golden set, and telling whether the later one is a regression (SPEC ME-6)."""

from __future__ import annotations

from grounding_middleware.evaluation.comparing.changes import Change, ChangedClaim
from grounding_middleware.evaluation.comparing.comparing import compare
from grounding_middleware.evaluation.comparing.criteria import Criteria, RateLimit
from grounding_middleware.evaluation.comparing.differences import Difference
from grounding_middleware.evaluation.comparing.records import Breach, Comparison, SegmentDifferences

__all__ = [
    "Breach",
    "Change",
    "ChangedClaim",
    "Comparison",
    "Criteria",
    "Difference",
    "RateLimit",
    "SegmentDifferences",
    "compare",
]
