"""Word overlap beside the verifier: the same claims, the same numbers, ties counted fairly."""

from __future__ import annotations

from collections import Counter

import pytest

from grounding_middleware.evaluation.baseline import Overlap
from grounding_middleware.evaluation.golden import Side
from grounding_middleware.evaluation.ranking import Decided, auc, balanced, baseline, right_among

GOOD, BAD = Side.PASS, Side.FLAG


@pytest.mark.parametrize(
    ("good", "bad", "area"),
    [
        ([3, 4], [1, 2], 1.0),
        ([1, 2], [3, 4], 0.0),
        ([1, 1], [1, 1], 0.5),
        ([3, 1], [2, 2], 0.5),
        ([2, 3], [2], 0.75),
        ([2], [], None),
    ],
)
def test_auc(good: list[int], bad: list[int], area: float | None) -> None:
    """The chance that a good claim ranks above a bad one, ties half."""
    assert auc({GOOD: Counter(good), BAD: Counter(bad)}) == area


def test_balanced_accuracy_at_the_best_threshold() -> None:
    """The mean of both sides, so that a set with few bad claims does not hide them."""
    assert balanced({GOOD: Counter([5, 6, 7, 1]), BAD: Counter([1, 2])}) == pytest.approx((3 / 4 + 1) / 2)
    assert balanced({GOOD: Counter([1] * 99), BAD: Counter([1])}) == 0.5


def test_ties_are_taken_in_proportion() -> None:
    """Of two with one rank the first is no better than the second."""
    scores = {GOOD: Counter([9, 5, 5]), BAD: Counter([5, 5, 1])}
    assert right_among(scores, GOOD, (9, 5, 1), 1) == 1.0
    assert right_among(scores, GOOD, (9, 5, 1), 3) == pytest.approx((1 + 2 * 0.5) / 3)
    assert right_among(scores, BAD, (1, 5, 9), 0) is None


def test_both_beside_each_other() -> None:
    """The verifier's decisions and as many by overlap."""
    found = baseline(
        {GOOD: Counter([9, 8, 2]), BAD: Counter([8, 1])},
        {
            GOOD: Counter({Decided.SUPPORTED: 2, Decided.UNDECIDED: 1}),
            BAD: Counter({Decided.FLAGGED: 1, Decided.UNDECIDED: 1}),
        },
    )
    assert found is not None
    assert (found.claims, found.supported, found.flagged) == (5, 2, 1)
    assert (found.verifier_supported_right, found.overlap_supported_right) == (1.0, 0.75)
    assert (found.verifier_flagged_right, found.overlap_flagged_right) == (1.0, 1.0)
    assert found.verifier_auc == pytest.approx((2 * 2 + 1 * 1.5) / 6)
    assert found.verifier_balanced == pytest.approx((2.5 / 3 + 1.5 / 2) / 2)
    assert baseline({GOOD: Counter(), BAD: Counter()}, {GOOD: Counter(), BAD: Counter()}) is None


def test_overlap() -> None:
    """The share of a claim's words that stand anywhere in the evidence."""
    overlap = Overlap(["Refunds take 5 days.", "The FEE is due."])
    assert overlap.of("refunds: 9 days") == pytest.approx(2 / 3)
    assert overlap.of("The fee is 5") == 1.0
    assert overlap.of("...") == 0.0
