"""The verifier beside word overlap, on the same claims: what a baseline without any understanding would reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

from grounding_middleware.evaluation.golden import Side
from grounding_middleware.records import Record

__all__ = ["Baseline", "Decided", "auc", "balanced", "baseline", "right_among"]

Scores = Mapping[Side, Counter[int]]
"""How many claims of each side have a score; higher means more likely supported."""


class Decided(StrEnum):
    """What a verifier made of a claim, as far as a ranking is concerned."""

    SUPPORTED = "supported"
    NO_CLAIM = "no claim"
    UNDECIDED = "undecided"
    FLAGGED = "flagged"


_RANK: Final = {Decided.FLAGGED: 0, Decided.UNDECIDED: 1, Decided.NO_CLAIM: 2, Decided.SUPPORTED: 2}


class Baseline(Record):
    """Word overlap and the verifier, each as a ranking and as a decision; None where one side has no claim.

    `auc` is the chance that a claim that must pass ranks above one that must be flagged, ties counting half; the
    verifier ranks passed above undecided above flagged. `balanced` is the mean of both sides' accuracy: overlap at the
    threshold that is best on these very claims (which flatters it), the verifier with undecided claims counting half.
    `..._supported_right` is how often a claim that the verifier called supported must pass, and how often one of as
    many claims with the highest overlap must; `..._flagged_right` the same for flags and the lowest overlap.
    """

    claims: int
    overlap_auc: float | None
    verifier_auc: float | None
    overlap_balanced: float | None
    verifier_balanced: float | None
    supported: int
    overlap_supported_right: float | None
    verifier_supported_right: float | None
    flagged: int
    overlap_flagged_right: float | None
    verifier_flagged_right: float | None


def baseline(overlaps: Scores, decided: Mapping[Side, Counter[Decided]]) -> Baseline | None:
    """Both, or None without gold claims. Claims that are accepted on both sides are in neither."""
    claims = sum(counts.total() for counts in overlaps.values())
    if not claims:
        return None
    scores = sorted({*overlaps[Side.PASS], *overlaps[Side.FLAG]})
    ranks = {side: Counter({_RANK[one]: 0 for one in Decided}) for side in overlaps}
    for side, counts in decided.items():
        for one, count in counts.items():
            ranks[side][_RANK[one]] += count
    supported, flagged = (
        {side: decided[side][one] for side in decided} for one in (Decided.SUPPORTED, Decided.FLAGGED)
    )
    return Baseline(
        claims=claims,
        overlap_auc=auc(overlaps),
        verifier_auc=auc(ranks),
        overlap_balanced=balanced(overlaps),
        verifier_balanced=_balanced_halves(ranks),
        supported=sum(supported.values()),
        overlap_supported_right=right_among(overlaps, Side.PASS, reversed(scores), sum(supported.values())),
        verifier_supported_right=_share(supported, Side.PASS),
        flagged=sum(flagged.values()),
        overlap_flagged_right=right_among(overlaps, Side.FLAG, scores, sum(flagged.values())),
        verifier_flagged_right=_share(flagged, Side.FLAG),
    )


def auc(scores: Scores) -> float | None:
    """The area under the ROC curve; None when a side is empty."""
    good, bad = scores[Side.PASS], scores[Side.FLAG]
    pairs = good.total() * bad.total()
    if not pairs:
        return None
    won, below = 0.0, 0
    for score in sorted({*good, *bad}):
        won += good[score] * (below + bad[score] / 2)
        below += bad[score]
    return won / pairs


def balanced(scores: Scores) -> float | None:
    """The best mean of both sides' accuracy over all thresholds; None when a side is empty."""
    good, bad = scores[Side.PASS], scores[Side.FLAG]
    if not good.total() or not bad.total():
        return None
    best, passed, caught = 0.0, good.total(), 0
    for score in (*sorted({*good, *bad}), None):
        best = max(best, (passed / good.total() + caught / bad.total()) / 2)
        if score is not None:
            passed, caught = passed - good[score], caught + bad[score]
    return best


def right_among(scores: Scores, wanted: Side, order: Iterable[int], number: int) -> float | None:
    """The expected share of `wanted` among the first `number` claims in `order`; ties are taken in proportion."""
    left, hits = number, 0.0
    for score in order:
        here = scores[Side.PASS][score] + scores[Side.FLAG][score]
        taken = min(left, here)
        hits += scores[wanted][score] * taken / here
        left -= taken
        if not left:
            break
    return hits / number if number else None


def _balanced_halves(ranks: Scores) -> float | None:
    """The mean of both sides' accuracy when an undecided claim is half right."""
    good, bad = ranks[Side.PASS], ranks[Side.FLAG]
    if not good.total() or not bad.total():
        return None
    return ((good[2] + good[1] / 2) / good.total() + (bad[0] + bad[1] / 2) / bad.total()) / 2


def _share(counts: Mapping[Side, int], side: Side) -> float | None:
    total = sum(counts.values())
    return counts[side] / total if total else None
