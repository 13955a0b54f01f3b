"""`compare`: two runs over one golden set, answer by answer, in memory that does not grow with their length."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from grounding_middleware.errors import InputError
from grounding_middleware.evaluation.comparing.changes import WORSE, Change, ChangedClaim, changes
from grounding_middleware.evaluation.comparing.criteria import Cost, Criteria, shipped
from grounding_middleware.evaluation.comparing.differences import Difference, difference
from grounding_middleware.evaluation.comparing.judging import breaches
from grounding_middleware.evaluation.comparing.pairing import Both, paired
from grounding_middleware.evaluation.comparing.records import Comparison, SegmentDifferences
from grounding_middleware.evaluation.measures import MEASURES, Measure, Pair
from grounding_middleware.evaluation.metrics import BY_SEGMENT, percentile
from grounding_middleware.evaluation.runs import Run, Scored
from grounding_middleware.evaluation.segments import Group, parts
from grounding_middleware.evaluation.tally import OTHERS, VALUES, Tally
from grounding_middleware.records import FrozenDict

__all__ = ["compare"]

KEPT: Final = 100  # changed claims of each way that are kept to be shown
Quads = dict[str, Counter[tuple[Pair, Pair]]]


def compare(
    before: Run, after: Run, criteria: Criteria | None = None, *, by: Sequence[str] | None = None
) -> Comparison:
    """What became better and what worse from `before` to `after`, and which of the criteria that breaks.

    `by` names the segments to compare; None takes all there are. Without `criteria` the shipped ones hold. Raises
    `InputError` for runs that cannot be compared and for criteria about a segment that no answer has, because such a
    limit never fails; `ConfigError` when numpy, of the extra `eval`, is not installed.
    """
    limits = criteria or shipped()
    # a limit holds for its segment, whichever segments somebody wants to look at
    counts = _Counts(None if by is None else {*by, *(limit.segment for limit in limits.rates)})
    for both in paired(before, after):
        counts.add(both)
    named = {limit.measure for limit in limits.rates if limit.segment}
    found = counts.comparison(before, after, [one for one in MEASURES if one.name in {*BY_SEGMENT, *named}])
    if criteria is not None:
        _refuse_unknown(criteria, found)
    shown = found.segments if by is None else tuple(one for one in found.segments if one.segment in by)
    return found.model_copy(update={"breaches": breaches(found, limits), "segments": shown})


def _refuse_unknown(criteria: Criteria, found: Comparison) -> None:
    there = {(one.segment, one.value) for one in found.segments} | {(one.segment, "") for one in found.segments}
    for number, limit in enumerate(criteria.rates):
        if limit.segment and (limit.segment, limit.value) not in there:
            name = f"{limit.segment}={limit.value}" if limit.value else limit.segment
            known = ", ".join(sorted({segment for segment, _ in there}))
            raise InputError(
                f"criteria: rates[{number}].segment: no answer has {name!r}; allowed are segments of the runs: {known}"
            )


class _Counts:
    """Everything counted over two runs."""

    def __init__(self, by: Collection[str] | None) -> None:
        self._by = by
        self._answers = 0
        self._tallies = (Tally(), Tally())
        self._quads: Quads = defaultdict(Counter)
        self._groups: dict[Group, Quads] = {}
        self._sizes: Counter[Group] = Counter()
        self._changes: Counter[str] = Counter()
        self._group_changes: dict[Group, Counter[str]] = defaultdict(Counter)
        self._changed: list[ChangedClaim] = []
        self._values: dict[str, set[str]] = defaultdict(set)

    def add(self, both: Both) -> None:
        self._add_changes(both)
        if any(one.error for one in both):
            return
        self._answers += 1
        for tally, one in zip(self._tallies, both, strict=True):
            tally.add(one)
        _put(self._quads, both)
        first, second = (dict(parts(one)) for one in both)
        for group in first.keys() & second.keys():
            if self._by is None or group[0] in self._by:
                name = self._named(group)
                self._sizes[name] += 1
                _put(self._groups.setdefault(name, defaultdict(Counter)), (first[group], second[group]))

    def _add_changes(self, both: Both) -> None:
        for one in changes(both):
            if self._changes[one.change] < KEPT:
                self._changed.append(one)
            self._changes[one.change] += 1
            for group in one.segments.items():
                if self._by is None or group[0] in self._by:
                    self._group_changes[self._named(group)][one.change] += 1

    def _named(self, group: Group) -> Group:
        """Values beyond the first ones of a segment are put together, as in the figures of one run."""
        known = self._values[group[0]]
        if group[1] not in known and len(known) >= VALUES:
            return group[0], OTHERS
        known.add(group[1])
        return group

    def comparison(self, before: Run, after: Run, by_segment: Sequence[Measure]) -> Comparison:
        """The finished figures, for segments those of `by_segment`; the seed of the later run makes them repeatable."""
        seed = after.header.seed
        groups = sorted({*self._groups, *self._group_changes})
        return Comparison(
            before=before.header,
            after=after.header,
            answers=self._answers,
            differences=tuple(_differences(MEASURES, self._quads, seed)),
            segments=tuple(self._segment(group, by_segment, seed) for group in groups),
            changes=FrozenDict(self._changes),
            changed=tuple(
                sorted(self._changed, key=lambda one: (one.change not in WORSE, list(Change).index(one.change)))
            ),
            costs_before=FrozenDict(_costs(self._tallies[0])),
            costs_after=FrozenDict(_costs(self._tallies[1])),
        )

    def _segment(self, group: Group, measures: Sequence[Measure], seed: int) -> SegmentDifferences:
        return SegmentDifferences(
            segment=group[0],
            value=group[1],
            answers=self._sizes[group],
            differences=tuple(_differences(measures, self._groups.get(group, {}), seed)),
            changes=FrozenDict(self._group_changes.get(group, {})),
        )


def _put(quads: Quads, both: tuple[Scored, Scored]) -> None:
    for one in MEASURES:
        pair = one.count(both[0]), one.count(both[1])
        if pair[0][1] or pair[1][1]:
            quads[one.name][pair] += 1


def _differences(
    measures: Sequence[Measure], quads: Mapping[str, Mapping[tuple[Pair, Pair], int]], seed: int
) -> Iterator[Difference]:
    for one in measures:
        yield difference(one, quads.get(one.name, {}), seed=seed)


def _costs(tally: Tally) -> dict[str, float]:
    """What an answer cost, where anything was measured."""
    times = sorted(tally.times.get("whole check", ()))
    found: dict[str, float] = {}
    if times:
        found = {Cost.P50_MS: percentile(times, 0.50), Cost.P95_MS: percentile(times, 0.95)}
    answers = max(1, tally.answers)
    calls = sum(counts["calls"] for counts in tally.costs.values())
    tokens = sum(counts["input_tokens"] + counts["output_tokens"] for counts in tally.costs.values())
    return found | ({Cost.CALLS: calls / answers, Cost.TOKENS: tokens / answers} if tally.costs else {})
