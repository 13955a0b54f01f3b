"""The citation resolver, audited apart from the semantic verifier (SPEC ME-7).

Whether a marker leads anywhere is decided before meaning; so these figures say nothing about entailment, and those of
the verifier nothing about markers.
"""

from __future__ import annotations

from typing import Final

from grounding_middleware.evaluation.golden import UNSUPPORTED
from grounding_middleware.evaluation.measures.model import Better, Measure, Pair, ratio
from grounding_middleware.evaluation.runs import Scored, ScoredClaim
from grounding_middleware.labels import Kind, Label

__all__ = ["CITATIONS"]


def _resolved(scored: Scored) -> Pair:
    return scored.markers.get("resolved", 0), sum(scored.markers.values())


def _places_known(scored: Scored) -> list[ScoredClaim]:
    return [claim for claim in scored.gold_claims if claim.gold_cites is not None]


def _invalid(scored: Scored) -> list[ScoredClaim]:
    return [claim for claim in scored.gold_claims if claim.gold == Label.INVALID_CITATION]


def _never_invalid(scored: Scored) -> list[ScoredClaim]:
    """Gold claims for which INVALID_CITATION is surely wrong."""
    return [
        claim
        for claim in scored.gold_claims
        if claim.gold not in (Label.INVALID_CITATION, UNSUPPORTED) and Label.INVALID_CITATION not in claim.also_ok
    ]


def _called_invalid(claim: ScoredClaim) -> bool:
    return claim.label is Label.INVALID_CITATION


def _misattributed(scored: Scored) -> list[ScoredClaim]:
    return [claim for claim in scored.gold_claims if claim.gold_kind is Kind.WRONG_ATTRIBUTION]


def _not_misattributed(scored: Scored) -> list[ScoredClaim]:
    """Gold claims that are right, or of which gold says what else is wrong."""
    known = (one for one in scored.gold_claims if one.gold_kind or one.gold == Label.SUPPORTED)
    return [claim for claim in known if claim.gold_kind is not Kind.WRONG_ATTRIBUTION]


def _called_misattributed(claim: ScoredClaim) -> bool:
    return claim.kind is Kind.WRONG_ATTRIBUTION


_LOW, _HIGH = Better.LOWER, Better.HIGHER

CITATIONS: Final = (
    Measure("markers_resolved", "markers resolved", "markers that lead to a usable span, of all", _HIGH, _resolved),
    Measure(
        "markers_right", "markers lead where gold says", "claims whose valid markers lead to exactly the gold spans",
        _HIGH, lambda scored: ratio(_places_known(scored), lambda one: set(one.cited) == set(one.gold_cites or ())),
    ),
    Measure(
        "invalid_recall", "invalid citations found", "claims called INVALID_CITATION, of those that are", _HIGH,
        lambda scored: ratio(_invalid(scored), _called_invalid),
    ),
    Measure(
        "invalid_false_alarms", "invalid citations, false alarms", "claims called INVALID_CITATION that are none", _LOW,
        lambda scored: ratio(_never_invalid(scored), _called_invalid),
    ),
    Measure(
        "attribution_recall", "wrong attributions found", "claims called wrongly attributed, of those that are", _HIGH,
        lambda scored: ratio(_misattributed(scored), _called_misattributed),
    ),
    Measure(
        "attribution_named", "right span named", "of the wrong attributions where gold names it", _HIGH,
        lambda scored: ratio(
            (one for one in _misattributed(scored) if one.gold_supported_by),
            lambda one: one.supported_elsewhere == one.gold_supported_by,
        ),
    ),
    Measure(
        "attribution_false_alarms", "wrong attributions, false alarms", "claims called so that are not", _LOW,
        lambda scored: ratio(_not_misattributed(scored), _called_misattributed),
    ),
)  # fmt: skip
