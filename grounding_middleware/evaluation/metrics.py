"""The figures of a run, each rate with its interval and what it was counted from (SPEC ME-1 to ME-3, ME-6, ME-7).

A rate with nothing to count from has the value None, which is printed as "n/a": never 0, never NaN.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from grounding_middleware.evaluation.intervals import ratio_interval
from grounding_middleware.evaluation.measures import ANSWERS, CITATIONS, MEASURES, OPINION, VERIFIER, Better, Measure
from grounding_middleware.evaluation.measures.model import Pair
from grounding_middleware.evaluation.ranking import Baseline, baseline
from grounding_middleware.evaluation.runs import RunHeader, Scored
from grounding_middleware.evaluation.tally import Tally, tallied
from grounding_middleware.records import Record

__all__ = [
    "BY_SEGMENT",
    "Confused",
    "Costs",
    "Latency",
    "Rate",
    "SegmentRates",
    "Summary",
    "percentile",
    "rate_of",
    "summarise",
]

BY_SEGMENT: Final = (
    "unsupported_before", "unsupported_after", "supported_lost", "recall", "false_positives", "undecided_bad",
    "undecided_good", "escapes", "missing_facts_after", "abstention_after", "found_wrong_before", "found_wrong_after",
)  # fmt: skip
"""The rates given for each segment: both error directions, and what it costs."""


class Rate(Record):
    """`k` of `n`, in `answers` answers that have any; `value` and the 95 % interval are None when n is 0."""

    name: str
    title: str
    about: str
    better: Better
    k: int
    n: int
    answers: int
    value: float | None
    low: float | None = None
    high: float | None = None


class Confused(Record):
    """How many claims with the gold label `gold` got the label `got`, or no verdict."""

    gold: str
    got: str
    count: int


class KindCounts(Record):
    """What the claims with one gold kind were called; `same_kind` were given that very kind."""

    kind: str
    claims: int
    labels: tuple[Confused, ...]
    same_kind: int


class Latency(Record):
    """Times in milliseconds: of the whole check, of all but model calls, and of each tier, over `answers` answers."""

    name: str
    answers: int
    p50: float
    p95: float
    p99: float
    total: float


class Costs(Record):
    """What a tier cost: calls and tokens in all; `answers` is how many answers reached it."""

    tier: str
    answers: int
    calls: int
    failed: int
    input_tokens: int
    output_tokens: int


class SegmentRates(Record):
    """The rates of one segment (SPEC ME-6)."""

    segment: str
    value: str
    answers: int
    rates: tuple[Rate, ...]

    def rate(self, name: str) -> Rate:
        """The rate with this name; raises `KeyError` when it is none of `BY_SEGMENT`."""
        return {one.name: one for one in self.rates}[name]


class Summary(Record):
    """Everything there is to say about a run.

    `before`, `after`: labels of every statement as the verifier sees them, as written and as it reaches the reader.
    `fates`: (gold label, what became of the claim, how many). Crashed checks stand in `errors` and in no other figure.
    """

    header: RunHeader
    answers: int
    errors: dict[str, int]
    actions: dict[str, int]
    before: dict[str, int]
    after: dict[str, int]
    markers: dict[str, int]
    stages: dict[str, dict[str, int]]
    rates: tuple[Rate, ...]
    confusion: tuple[Confused, ...]
    fates: tuple[Confused, ...]
    kinds: tuple[KindCounts, ...]
    latency: tuple[Latency, ...]
    costs: tuple[Costs, ...]
    review_seconds: Latency | None
    baseline: Baseline | None
    segments: tuple[SegmentRates, ...]

    def rate(self, name: str) -> Rate:
        """The rate with this name; raises `KeyError` for a name that no measure has."""
        return {one.name: one for one in self.rates}[name]

    @property
    def of_answers(self) -> tuple[Rate, ...]:
        """ME-1, by gold."""
        return self._those(ANSWERS)

    @property
    def of_opinion(self) -> tuple[Rate, ...]:
        """ME-1, by the verifier itself."""
        return self._those(OPINION)

    @property
    def of_verifier(self) -> tuple[Rate, ...]:
        """ME-2."""
        return self._those(VERIFIER)

    @property
    def of_citations(self) -> tuple[Rate, ...]:
        """ME-7."""
        return self._those(CITATIONS)

    def _those(self, measures: Sequence[Measure]) -> tuple[Rate, ...]:
        return tuple(self.rate(one.name) for one in measures)


def summarise(header: RunHeader, run: Iterable[Scored], *, by: Sequence[str] | None = None) -> Summary:
    """The figures of a run, read once. `by` names the segments to report; None takes all there are.

    Raises `ConfigError` when numpy, of the extra `eval`, is not installed.
    """
    tally = tallied(run)
    return Summary(
        header=header,
        answers=tally.answers,
        errors=dict(tally.errors),
        actions=_ordered(tally.actions),
        before=_ordered(tally.before),
        after=_ordered(tally.after),
        markers=_ordered(tally.markers),
        stages={name: _ordered(counts) for name, counts in sorted(tally.stages.items())},
        rates=tuple(rate_of(one, tally.pairs.get(one.name, {}), seed=header.seed) for one in MEASURES),
        confusion=_confused(tally.confusion),
        fates=_confused(tally.fates),
        kinds=tuple(_kind(name, counts) for name, counts in sorted(tally.kinds.items())),
        latency=tuple(_latency(name, values) for name, values in tally.times.items()),
        costs=tuple(_costs(tier, counts) for tier, counts in tally.costs.items()),
        review_seconds=_latency("review, seconds", tally.reviewed) if tally.reviewed else None,
        baseline=baseline(tally.overlaps, tally.decided),
        segments=tuple(_segments(tally, header.seed, by)),
    )


def rate_of(measure: Measure, pairs: Mapping[Pair, int], *, seed: int = 0) -> Rate:
    """The rate of a measure from how many answers have each pair."""
    k = sum(pair[0] * count for pair, count in pairs.items())
    n = sum(pair[1] * count for pair, count in pairs.items())
    low, high = ratio_interval(pairs, seed=seed) or (None, None)
    return Rate(
        name=measure.name,
        title=measure.title,
        about=measure.about,
        better=measure.better,
        k=k,
        n=n,
        answers=sum(count for pair, count in pairs.items() if pair[1]),
        value=k / n if n else None,
        low=low,
        high=high,
    )


def _segments(tally: Tally, seed: int, by: Sequence[str] | None) -> Iterator[SegmentRates]:
    wanted = [one for one in MEASURES if one.name in BY_SEGMENT]
    for group in sorted(tally.groups):
        if by is None or group[0] in by:
            pairs = tally.groups[group]
            rates = tuple(rate_of(one, pairs.get(one.name, {}), seed=seed) for one in wanted)
            yield SegmentRates(segment=group[0], value=group[1], answers=tally.group_sizes[group], rates=rates)


def _kind(name: str, counts: Counter[str]) -> KindCounts:
    labels = {got: count for got, count in counts.items() if got != "same kind"}
    return KindCounts(
        kind=name,
        claims=sum(labels.values()),
        labels=tuple(Confused(gold=name, got=got, count=count) for got, count in sorted(labels.items())),
        same_kind=counts["same kind"],
    )


def _latency(name: str, values: Iterable[float]) -> Latency:
    ordered = sorted(values)
    p50, p95, p99 = (percentile(ordered, share) for share in (0.50, 0.95, 0.99))
    return Latency(name=name, answers=len(ordered), p50=p50, p95=p95, p99=p99, total=round(sum(ordered), 3))


def percentile(ordered: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of all do not exceed (nearest rank); a value that really occurred."""
    return ordered[max(0, -int(-share * len(ordered) // 1) - 1)]


def _costs(tier: str, counts: Mapping[str, int]) -> Costs:
    names = ("answers", "calls", "failed", "input_tokens", "output_tokens")
    return Costs(tier=tier, **{name: counts.get(name, 0) for name in names})


def _confused(counts: Mapping[tuple[str, str], int]) -> tuple[Confused, ...]:
    return tuple(Confused(gold=gold, got=got, count=count) for (gold, got), count in sorted(counts.items()))


def _ordered(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items()))
