"""Balanced accuracy, area under the curve, thresholds and bootstrap intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Rows = Sequence[tuple[NDArray[Any], NDArray[Any]]]
_SEED: Final = 11


def balanced(said: NDArray[Any], labels: NDArray[Any]) -> float:
    """Mean of the shares that are right among supported and among other statements; nan where one kind is missing."""
    if labels.all() or not labels.any():
        return float("nan")
    return float((said[labels].mean() + (~said[~labels]).mean()) / 2)


def auc(scores: NDArray[Any], labels: NDArray[Any]) -> float:
    """How often a supported statement scores higher than another one; ties count half."""
    order = np.concatenate([scores[labels], scores[~labels]])
    _, inverse, counts = np.unique(order, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    good, bad = int(labels.sum()), int((~labels).sum())
    return float((ranks[:good].sum() - good * (good + 1) / 2) / (good * bad))


def best_threshold(sets: Rows) -> float:
    """The threshold with the best balanced accuracy on average over `sets` of (scores, labels)."""
    usable = [(scores, labels) for scores, labels in sets if labels.any() and not labels.all()]
    if not usable:
        return 0.5
    tried = np.unique(np.quantile(np.concatenate([scores for scores, _ in usable]), np.linspace(0, 1, 101)))
    means = [np.mean([balanced(scores >= least, labels) for scores, labels in usable]) for least in tried]
    return float(tried[int(np.argmax(means))])


def resampled(rows: Sequence[str], figure: Callable[[NDArray[Any]], float], draws: int) -> tuple[float, float]:
    """The 95 % interval of `figure` of indices, when whole rows (answers) are drawn again and again."""
    chance = np.random.default_rng(_SEED)
    names = sorted(set(rows))
    of_row = [np.array([at for at, row in enumerate(rows) if row == name]) for name in names]
    found = [
        figure(np.concatenate([of_row[at] for at in chance.integers(0, len(names), len(names))])) for _ in range(draws)
    ]
    low, high = np.nanquantile(found, (0.025, 0.975))
    return float(low), float(high)
