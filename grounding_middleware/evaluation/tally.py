"""Counting a run as it streams by: memory of the counts, never of the answers."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from grounding_middleware.evaluation.golden import Side
from grounding_middleware.evaluation.measures import MEASURES, Pair
from grounding_middleware.evaluation.measures.model import flagged, undecided
from grounding_middleware.evaluation.ranking import Decided
from grounding_middleware.evaluation.runs import Scored, ScoredClaim
from grounding_middleware.evaluation.segments import Group, parts
from grounding_middleware.labels import Label

__all__ = ["NOT_COVERED", "OTHERS", "VALUES", "Pairs", "Tally", "tallied"]

Pairs = Mapping[str, Counter[Pair]]
"""For each measure: how many answers have each pair `(k, n)`."""

NOT_COVERED: Final = "(no verdict)"
OTHERS: Final = "(others)"
VALUES: Final = 40
"""Values of one segment that are told apart; further ones are put together."""

_BINS: Final = 10_000
_TOLD: Final = 200  # characters of an error that are kept
_MESSAGES: Final = 10  # errors told apart by their message


class Tally:
    """Everything that is reported about a run, counted answer by answer."""

    def __init__(self) -> None:
        self.answers = 0
        self.errors: Counter[str] = Counter()
        self.actions: Counter[str] = Counter()
        self.before: Counter[str] = Counter()
        self.after: Counter[str] = Counter()
        self.markers: Counter[str] = Counter()
        self.fates: Counter[tuple[str, str]] = Counter()
        self.confusion: Counter[tuple[str, str]] = Counter()
        self.kinds: dict[str, Counter[str]] = defaultdict(Counter)
        self.stages: dict[str, Counter[str]] = defaultdict(Counter)
        self.pairs: dict[str, Counter[Pair]] = defaultdict(Counter)
        self.groups: dict[Group, dict[str, Counter[Pair]]] = {}
        self.group_sizes: Counter[Group] = Counter()
        self.overlaps: dict[Side, Counter[int]] = {Side.FLAG: Counter(), Side.PASS: Counter()}
        self.decided: dict[Side, Counter[Decided]] = {Side.FLAG: Counter(), Side.PASS: Counter()}
        self.times: dict[str, array[float]] = defaultdict(lambda: array("d"))
        self.costs: dict[str, Counter[str]] = defaultdict(Counter)
        self.reviewed: array[float] = array("d")
        self._values: dict[str, set[str]] = defaultdict(set)

    def add(self, scored: Scored) -> None:
        """Count one answer; one whose check crashed counts as an error and nowhere else."""
        self.answers += 1
        if scored.error:
            self._add_error(scored.error)
            return
        self.actions[str(scored.action)] += 1
        for whole, part in ((self.before, scored.before), (self.after, scored.after), (self.markers, scored.markers)):
            whole.update(part)
        self._add_pairs(scored)
        for claim in scored.claims:
            self._add_claim(claim)
        self._add_costs(scored)

    def _add_error(self, error: str) -> None:
        """Under its message, which says what is wrong; further different ones under their class."""
        told = error[:_TOLD]
        known = told in self.errors or len(self.errors) < _MESSAGES
        self.errors[told if known else error.partition(":")[0]] += 1

    def _add_pairs(self, scored: Scored) -> None:
        counted = [(one.name, one.count(scored)) for one in MEASURES]
        _put(self.pairs, counted)
        for named, part in parts(scored):
            group = self._group(*named)
            pairs = self.groups.setdefault(group, defaultdict(Counter))
            self.group_sizes[group] += 1
            _put(pairs, counted if part is scored else [(one.name, one.count(part)) for one in MEASURES])

    def _group(self, name: str, value: str) -> Group:
        known = self._values[name]
        if value not in known and len(known) >= VALUES:
            return name, OTHERS
        known.add(value)
        return name, value

    def _add_claim(self, claim: ScoredClaim) -> None:
        got = claim.label.value if claim.label else NOT_COVERED
        self.stages[claim.stage.value if claim.stage else NOT_COVERED][got] += 1
        if claim.gold is None:
            return
        self.confusion[str(claim.gold), got] += 1
        self.fates[str(claim.gold), claim.fate.value] += 1
        if claim.gold_kind:
            self.kinds[claim.gold_kind.value][got] += 1
            self.kinds[claim.gold_kind.value]["same kind"] += claim.kind is claim.gold_kind
        if claim.side in self.overlaps and claim.overlap is not None:
            self.overlaps[claim.side][round(claim.overlap * _BINS)] += 1
            self.decided[claim.side][_decided(claim)] += 1

    def _add_costs(self, scored: Scored) -> None:
        if scored.elapsed_ms is not None:
            judged = sum(tier.latency_ms for tier in scored.tiers)
            self.times["whole check"].append(scored.elapsed_ms)
            self.times["without models"].append(max(0.0, scored.elapsed_ms - judged))
        for tier in scored.tiers:
            self.times[tier.tier].append(tier.latency_ms)
            counts = {"answers": 1, "calls": tier.calls, "failed": tier.failed}
            known = {"input_tokens": tier.input_tokens, "output_tokens": tier.output_tokens}
            self.costs[tier.tier].update({**counts, **{name: n for name, n in known.items() if n is not None}})
        if scored.review_seconds is not None:
            self.reviewed.append(scored.review_seconds)


def tallied(run: Iterable[Scored]) -> Tally:
    """Everything counted over a run of any length."""
    tally = Tally()
    for scored in run:
        tally.add(scored)
    return tally


def _decided(claim: ScoredClaim) -> Decided:
    if flagged(claim):
        return Decided.FLAGGED
    if undecided(claim):
        return Decided.UNDECIDED
    return Decided.SUPPORTED if claim.label is Label.SUPPORTED else Decided.NO_CLAIM


def _put(pairs: dict[str, Counter[Pair]], counted: Iterable[tuple[str, Pair]]) -> None:
    for name, pair in counted:
        if pair[1]:
            pairs[name][pair] += 1
