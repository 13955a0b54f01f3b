"""How good the verifier is against gold labels, both error directions (SPEC ME-2).

An undecided claim is neither caught nor passed. So there are two readings, both given: the plain figures count only
what was flagged; those ending in `_cautious` count the undecided as held back, as a policy does that releases nothing
unchecked. A claim whose accepted labels lie on both sides counts in neither direction.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.evaluation.golden import PASSES, Side
from grounding_middleware.evaluation.measures.model import (
    Better,
    Measure,
    flagged,
    must_flag,
    must_pass,
    ratio,
    undecided,
)
from grounding_middleware.evaluation.runs import Scored, ScoredClaim
from grounding_middleware.labels import Label

__all__ = ["VERIFIER"]


def _sided(scored: Scored) -> list[ScoredClaim]:
    return [claim for claim in scored.claims if claim.side in (Side.FLAG, Side.PASS)]


def _bad(claim: ScoredClaim) -> bool:
    return claim.side is Side.FLAG


def _good(claim: ScoredClaim) -> bool:
    return claim.side is Side.PASS


def _not_passed(claim: ScoredClaim) -> bool:
    return claim.label not in PASSES


def _called_supported(scored: Scored) -> Iterator[ScoredClaim]:
    return (claim for claim in _sided(scored) if claim.label is Label.SUPPORTED)


def _cited_rightly(claim: ScoredClaim) -> bool:
    """Its gold label is SUPPORTED and its markers lead where gold says, if it does."""
    return claim.gold == Label.SUPPORTED and claim.gold_cites in (None, claim.cited)


def _contradicted(scored: Scored) -> list[ScoredClaim]:
    return [claim for claim in scored.claims if claim.gold == Label.CONTRADICTED]


def _is_right(claim: ScoredClaim) -> bool:
    return claim.right is True


_LOW, _HIGH = Better.LOWER, Better.HIGHER

VERIFIER: Final = (
    Measure(
        "recall", "recall", "claims flagged, of those that must be", _HIGH,
        lambda scored: ratio(must_flag(scored), flagged),
    ),
    Measure(
        "false_positives", "false positive rate", "claims flagged, of those that must pass", _LOW,
        lambda scored: ratio(must_pass(scored), flagged),
    ),
    Measure(
        "precision", "precision", "claims that must be flagged, of those flagged", _HIGH,
        lambda scored: ratio((one for one in _sided(scored) if flagged(one)), _bad),
    ),
    Measure(
        "recall_cautious", "recall, undecided held back", "claims not passed, of those that must be flagged", _HIGH,
        lambda scored: ratio(must_flag(scored), _not_passed),
    ),
    Measure(
        "false_positives_cautious", "false positive rate, undecided held back",
        "claims not passed, of those that must pass", _LOW, lambda scored: ratio(must_pass(scored), _not_passed),
    ),
    Measure(
        "precision_cautious", "precision, undecided held back", "claims that must be flagged, of those not passed",
        _HIGH, lambda scored: ratio((one for one in _sided(scored) if _not_passed(one)), _bad),
    ),
    Measure(
        "undecided_bad", "undecided, must be flagged", "of those that must be flagged", _LOW,
        lambda scored: ratio(must_flag(scored), undecided),
    ),
    Measure(
        "undecided_good", "undecided, must pass", "of those that must pass", _LOW,
        lambda scored: ratio(must_pass(scored), undecided),
    ),
    Measure(
        "escapes", "passed although it must be flagged", "of those that must be flagged", _LOW,
        lambda scored: ratio(must_flag(scored), lambda one: one.label in PASSES),
    ),
    Measure(
        "contradiction_escapes", "contradiction escapes", "contradicted claims that were passed", _LOW,
        lambda scored: ratio(_contradicted(scored), lambda one: one.label in PASSES),
    ),
    Measure(
        "supported_precision", "supported precision", "claims that must pass, of those called supported", _HIGH,
        lambda scored: ratio(_called_supported(scored), _good),
    ),
    Measure(
        "supported_citation_precision", "supported citation precision",
        "claims whose citation supports them, of those called supported with one", _HIGH,
        lambda scored: ratio((one for one in _called_supported(scored) if one.cited), _cited_rightly),
    ),
    Measure(
        "label_right", "label right", "gold claims with an accepted label", _HIGH,
        lambda scored: ratio(scored.gold_claims, _is_right),
    ),
    Measure(
        "label_right_decided", "label right, where decided", "of the gold claims that were decided", _HIGH,
        lambda scored: ratio((one for one in scored.gold_claims if not undecided(one)), _is_right),
    ),
    Measure(
        "unmatched", "covered by no verdict", "gold claims the splitter does not see", _LOW,
        lambda scored: ratio(scored.gold_claims, lambda one: one.label is None),
    ),
)  # fmt: skip
