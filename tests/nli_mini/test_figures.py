"""The figures of the table are what their names say."""

from __future__ import annotations

import numpy as np
import pytest

from training.figures import auc, balanced, best_threshold, resampled
from training.statements import Statement


def test_area_under_the_curve() -> None:
    """Every supported statement above every other one is 1, ties count half, no order is a half."""
    labels = np.array([True, True, False, False])
    assert auc(np.array([3.0, 4.0, 1.0, 2.0]), labels) == 1.0
    assert auc(np.array([1.0, 1.0, 1.0, 1.0]), labels) == 0.5
    assert auc(np.array([1.0, 3.0, 2.0, 3.0]), labels) == pytest.approx(1.5 / 4)


def test_balanced_accuracy() -> None:
    """Saying yes to everything is worth a half, whatever the share of supported statements."""
    labels = np.array([True] * 9 + [False])
    assert balanced(np.ones(10, dtype=bool), labels) == 0.5
    assert balanced(labels, labels) == 1.0
    assert np.isnan(balanced(labels[:9], labels[:9]))


def test_the_threshold_serves_all_sets() -> None:
    """A large set does not outvote a small one."""
    small = (np.array([0.2, 0.8]), np.array([False, True]))
    large = (np.linspace(0, 1, 50), np.linspace(0, 1, 50) > 0.4)
    assert 0.38 < best_threshold([small, large]) < 0.41


def test_whole_answers_are_drawn() -> None:
    """Sentences of one answer are not independent, so the interval comes from answers."""
    rows = ["a"] * 50 + ["b"] * 50
    values = np.array([0.0] * 50 + [1.0] * 50)
    low, high = resampled(rows, lambda at: float(values[at].mean()), 400)
    assert (low, high) == (0.0, 1.0)


def test_parts_do_not_share_answers() -> None:
    """Thresholds are fixed on other answers than those that are reported."""
    statements = [Statement("s", f"row {at // 3}", f"{at}", "t", "SUPPORTED", ("p",), "en") for at in range(300)]
    parts: dict[str, set[bool]] = {}
    for one in statements:
        parts.setdefault(one.row, set()).add(one.is_fixed_on)
    assert all(len(part) == 1 for part in parts.values())
    assert 0.2 < sum(one.is_fixed_on for one in statements) / 300 < 0.6
