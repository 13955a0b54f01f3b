"""Confidence intervals: of answers, not of claims; honest where all answers agree; the same every time."""

from __future__ import annotations

import builtins
from collections import Counter
from typing import Any

import numpy as np
import pytest

from grounding_middleware import ConfigError
from grounding_middleware.evaluation import intervals
from grounding_middleware.evaluation.intervals import ratio_interval, wilson


def test_the_bootstrap_is_that_of_resampling_answers() -> None:
    """Drawing counts of equal answers is drawing answers: a plain bootstrap, one by one, has the same percentiles."""
    answers = [(0, 3)] * 40 + [(1, 2)] * 25 + [(3, 3)] * 15 + [(2, 8)] * 20
    ks, ns = (np.array(part, dtype=float) for part in zip(*answers, strict=True))
    rows = np.random.default_rng(7).integers(len(answers), size=(20_000, len(answers)))
    plain = np.quantile(ks[rows].sum(axis=1) / ns[rows].sum(axis=1), (0.025, 0.975))
    assert ratio_interval(Counter(answers)) == pytest.approx(plain, abs=0.02)


def test_answers_are_the_units() -> None:
    """Ten claims of one answer are no ten observations: the interval is as wide as that of ten answers of one claim."""
    many = ratio_interval(Counter({(0, 10): 6, (10, 10): 4}))
    one = ratio_interval(Counter({(0, 1): 6, (1, 1): 4}))
    assert many == one


def test_no_spread_is_not_certainty() -> None:
    """0 of 20 answers: a bootstrap would say 0 to 0."""
    low, high = ratio_interval(Counter({(0, 3): 20})) or (None, None)
    assert (low, high) == (0.0, pytest.approx(0.161, abs=0.001))
    low, high = ratio_interval(Counter({(2, 2): 20})) or (None, None)
    assert (low, high) == (pytest.approx(0.839, abs=0.001), 1.0)
    assert ratio_interval(Counter({(1, 2): 1})) == pytest.approx((0.055, 0.945), abs=0.001)


@pytest.mark.parametrize("pairs", [Counter(), Counter({(0, 0): 5}), Counter({(1, 2): 0})])
def test_nothing_to_count_has_no_interval(pairs: Counter[tuple[int, int]]) -> None:
    """Answers without any claim of the kind say nothing about it."""
    assert ratio_interval(pairs) is None


def test_the_same_seed_gives_the_same_interval() -> None:
    """In whatever order the answers came; another seed differs by noise only."""
    pairs = {(0, 3): 40, (1, 2): 25, (2, 8): 20}
    first = ratio_interval(pairs, seed=1)
    assert first == ratio_interval(dict(reversed(pairs.items())), seed=1)
    other = ratio_interval(pairs, seed=2)
    assert other != first
    assert other == pytest.approx(first, abs=0.02)


def test_the_interval_holds_the_true_rate() -> None:
    """In about 95 of 100 samples, though the claims of an answer depend on each other; claim by claim it would not."""
    rng = np.random.default_rng(11)
    held = held_by_claims = 0
    samples = 100
    for seed in range(samples):
        rates = rng.beta(0.7, 1.4, size=80)  # mean 1/3, intraclass correlation 0.32
        ns = rng.integers(1, 8, size=80)
        ks = rng.binomial(ns, rates)
        pairs = Counter(zip(ks.tolist(), ns.tolist(), strict=True))
        low, high = ratio_interval(pairs, seed=seed) or (1, 0)
        held += low <= 1 / 3 <= high
        low, high = wilson(int(ks.sum()), int(ns.sum()))
        held_by_claims += low <= 1 / 3 <= high
    assert 0.90 <= held / samples <= 0.99
    assert held_by_claims / samples < 0.88


def test_wilson() -> None:
    """Against published values."""
    assert wilson(8, 10) == pytest.approx((0.490, 0.943), abs=0.001)
    assert wilson(0, 10) == pytest.approx((0.0, 0.278), abs=0.001)


def test_without_numpy_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is named."""
    real = builtins.__import__

    def refuse(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "numpy":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ConfigError, match=r"grounding-middleware\[eval\]"):
        intervals.need_numpy()
