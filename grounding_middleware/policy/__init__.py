"""Verdicts in, decisions out: rules as data, no I/O, the same result whatever the order of the claims (SPEC DE)."""

from __future__ import annotations

from grounding_middleware.policy.deciding import complete, decide, first_pass, weigh
from grounding_middleware.policy.explaining import explain
from grounding_middleware.policy.model import Policy, Texts
from grounding_middleware.policy.release import released, withheld
from grounding_middleware.policy.rules import RiskLevel, Rule
from grounding_middleware.policy.severity import severity_of

__all__ = [
    "Policy",
    "RiskLevel",
    "Rule",
    "Texts",
    "complete",
    "decide",
    "explain",
    "first_pass",
    "released",
    "severity_of",
    "weigh",
    "withheld",
]
