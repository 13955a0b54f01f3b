"""Confidence intervals of rates: a bootstrap over answers, because the claims of one answer are not independent.

Answers with the same counts are interchangeable, so the bootstrap draws how often each pair `(k, n)` occurs, from a
multinomial: exactly the distribution of resampling answers one by one, at a cost that does not grow with their number.
Bias-corrected and accelerated (BCa; Efron 1987), because rates near 0 or 1 are skewed. Where all answers have the same
rate a bootstrap sees no spread at all ("0 of 20" would be certain); there it is Wilson's interval over answers.

Simulated: with 50 to 300 answers of 1 to 8 claims that depend on each other (intraclass correlation 0.2 to 0.5), these
95 % intervals held the true rate in 92 to 95 % of 400 samples, Wilson's over claims in 71 to 82 %.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final

from grounding_middleware.errors import ConfigError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["LEVEL", "RESAMPLES", "Interval", "bca", "need_numpy", "ratio_interval", "wilson"]

Interval = tuple[float, float]
Pairs = Mapping[tuple[int, int], int]
"""How many answers have each pair `(k, n)`."""

RESAMPLES: Final = 2_000
LEVEL: Final = 0.95
_NORMAL: Final = NormalDist()


def ratio_interval(pairs: Pairs, *, seed: int = 0) -> Interval | None:
    """The interval of sum(k) / sum(n) over answers; None without any n. The same seed gives the same interval."""
    counted = {pair: count for pair, count in sorted(pairs.items()) if pair[1] and count}
    if not counted:
        return None
    answers = sum(counted.values())
    value = _rate(counted)
    if len({k / n for k, n in counted}) == 1:
        return wilson(value * answers, answers)
    numpy = need_numpy()
    ks, ns = (numpy.array([pair[at] for pair in counted], dtype=float) for at in (0, 1))
    counts = numpy.array(list(counted.values()), dtype=float)
    drawn = numpy.random.default_rng(seed).multinomial(answers, counts / answers, size=RESAMPLES)
    left_out = (ks @ counts - ks) / numpy.maximum(ns @ counts - ns, 1)
    low, high = bca((drawn @ ks) / (drawn @ ns), value, left_out, counts)
    return max(0.0, low), min(1.0, high)


def bca(resampled: NDArray[Any], value: float, left_out: NDArray[Any], counts: NDArray[Any]) -> Interval:
    """The BCa interval of `value`, between two of the `resampled` values.

    `left_out` are its values without one answer of each kind, `counts` how many answers of that kind there are.
    """
    numpy = need_numpy()
    below = (numpy.sum(resampled < value) + numpy.sum(resampled == value) / 2) / len(resampled)
    bias = _NORMAL.inv_cdf(min(max(float(below), 1 / len(resampled)), 1 - 1 / len(resampled)))
    spread = numpy.average(left_out, weights=counts) - left_out
    squares = float(counts @ spread**2)
    acceleration = float(counts @ spread**3) / (6 * squares**1.5) if squares > 0 else 0.0
    tail = (1 - LEVEL) / 2
    low, high = (_adjusted(bias, acceleration, share) for share in (tail, 1 - tail))
    return float(numpy.quantile(resampled, low)), float(numpy.quantile(resampled, high))


def wilson(k: float, n: float) -> Interval:
    """Wilson's score interval for k of n independent trials, n above 0."""
    z = _NORMAL.inv_cdf(1 - (1 - LEVEL) / 2)
    share, scale = k / n, 1 + z * z / n
    middle = (share + z * z / (2 * n)) / scale
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / scale
    return (middle - half if k > 0 else 0.0), (middle + half if k < n else 1.0)


def need_numpy() -> Any:
    """numpy; raises `ConfigError` with what to install when it is not there."""
    try:
        import numpy as found  # noqa: ICN001, PLC0415  # optional, and slow to import
    except ImportError as error:
        raise ConfigError('confidence intervals need numpy: pip install "grounding-middleware[eval]"') from error
    return found


def _rate(pairs: Pairs) -> float:
    return sum(k * count for (k, _), count in pairs.items()) / sum(n * count for (_, n), count in pairs.items())


def _adjusted(bias: float, acceleration: float, share: float) -> float:
    z = bias + _NORMAL.inv_cdf(share)
    return _NORMAL.cdf(bias + z / (1 - acceleration * z))
