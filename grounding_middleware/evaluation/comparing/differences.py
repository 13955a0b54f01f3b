"""How far apart two runs are, rate by rate, with an interval that uses that they are about the same answers.

A bootstrap over answers, drawn as in `intervals`: each draw takes an answer with its counts in both runs, so what the
answers have in common cancels. Where every drawn difference is the same a bootstrap sees no spread; there it is the
interval of Newcombe (1998) from the two Wilson intervals, which is too wide for runs as alike as these.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from grounding_middleware.evaluation.intervals import RESAMPLES, Interval, bca, need_numpy, wilson
from grounding_middleware.evaluation.measures import Better, Measure, Pair
from grounding_middleware.records import Record

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Difference", "Quads", "difference"]

Quads = Mapping[tuple[Pair, Pair], int]
"""How many answers have these counts in the earlier and in the later run."""


class Difference(Record):
    """A rate in both runs: `before`, `after` and `after - before` with its 95 % interval; None where n is 0.

    `n` counts in the later run; `answers` had any in either.
    """

    name: str
    title: str
    better: Better
    before: float | None
    after: float | None
    n: int
    answers: int
    change: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def worsening(self) -> float | None:
        """By how much the later run is worse, negative when it is better; None where neither direction is."""
        return _towards_worse(self.better, self.change)

    @property
    def surely(self) -> float | None:
        """The worsening that the interval leaves no doubt about: its end nearest to an improvement."""
        return _towards_worse(self.better, self.high if self.better is Better.HIGHER else self.low)


def difference(measure: Measure, quads: Quads, *, seed: int = 0) -> Difference:
    """The difference of one rate over the answers counted in `quads`."""
    counted = {quad: count for quad, count in sorted(quads.items()) if count and (quad[0][1] or quad[1][1])}
    (kb, nb), (ka, na) = (_sums(counted, side) for side in (0, 1))
    before, after = (k / n if n else None for k, n in ((kb, nb), (ka, na)))
    known = before is not None and after is not None
    low, high = _interval(counted, seed) if known else (None, None)
    return Difference(
        name=measure.name,
        title=measure.title,
        better=measure.better,
        before=before,
        after=after,
        n=na,
        answers=sum(counted.values()),
        change=after - before if before is not None and after is not None else None,
        low=low,
        high=high,
    )


def _towards_worse(better: Better, change: float | None) -> float | None:
    if change is None or better is Better.NEITHER:
        return None
    return -change if better is Better.HIGHER else change


def _sums(counted: Quads, side: int) -> Pair:
    return sum(quad[side][0] * count for quad, count in counted.items()), sum(
        quad[side][1] * count for quad, count in counted.items()
    )


def _interval(counted: Quads, seed: int) -> Interval:
    if all(before == after for before, after in counted):
        return 0.0, 0.0  # not one answer differs
    if len({_apart(quad) for quad in counted}) == 1:
        return _newcombe(counted)
    numpy = need_numpy()
    counts = numpy.array(list(counted.values()), dtype=float)
    parts = numpy.array([(*before, *after) for before, after in counted], dtype=float)
    answers = int(counts.sum())
    drawn = numpy.random.default_rng(seed).multinomial(answers, counts / answers, size=RESAMPLES) @ parts
    drawn = drawn[(drawn[:, 1] > 0) & (drawn[:, 3] > 0)]  # a draw without any n has no rate
    total = counts @ parts
    value = total[2] / total[3] - total[0] / total[1]
    left = numpy.maximum(total - parts, [0, 1, 0, 1])
    return bca(_gap(drawn), float(value), _gap(left), counts)


def _gap(sums: NDArray[Any]) -> NDArray[Any]:
    gaps: NDArray[Any] = sums[:, 2] / sums[:, 3] - sums[:, 0] / sums[:, 1]
    return gaps


def _apart(quad: tuple[Pair, Pair]) -> tuple[float | None, float | None]:
    (kb, nb), (ka, na) = quad
    return kb / nb if nb else None, ka / na if na else None


def _newcombe(counted: Quads) -> Interval:
    answers = sum(counted.values())
    (before, after), *_ = {_apart(quad) for quad in counted}
    first, second = before or 0.0, after or 0.0
    (low_b, high_b), (low_a, high_a) = (wilson(share * answers, answers) for share in (first, second))
    gap = second - first
    return (
        gap - math.hypot(second - low_a, high_b - first),
        gap + math.hypot(high_a - second, first - low_b),
    )
