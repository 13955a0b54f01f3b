"""What a comparison of two runs says, as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator, PlainSerializer

from grounding_middleware.evaluation.comparing.changes import WORSE, Change, ChangedClaim
from grounding_middleware.evaluation.comparing.differences import Difference
from grounding_middleware.evaluation.runs import RunHeader
from grounding_middleware.records import FrozenDict, Record

__all__ = ["Breach", "ChangeCounts", "Comparison", "SegmentDifferences"]

ChangeCounts = Annotated[Mapping[str, int], AfterValidator(FrozenDict), PlainSerializer(dict)]
"""How many claims changed in each way, by the name of the `Change`; a way that did not occur is missing."""

Costs = Annotated[Mapping[str, float], AfterValidator(FrozenDict), PlainSerializer(dict)]
"""What an answer cost, by the name of the `Cost`; one that nobody measured is missing."""


class Breach(Record):
    """A limit that was broken: `limit` is its place in the criteria, `text` says what happened and what is allowed."""

    limit: str
    text: str
    segment: str = ""
    value: str = ""
    change: Change | None = None


class SegmentDifferences(Record):
    """The differences and changes of one segment (SPEC ME-6)."""

    segment: str
    value: str
    answers: int
    differences: tuple[Difference, ...]
    changes: ChangeCounts = FrozenDict()

    @property
    def name(self) -> str:
        """As it is written."""
        return f"{self.segment}={self.value}"

    @property
    def worse(self) -> int:
        """How many claims fared worse."""
        return sum(count for change, count in self.changes.items() if change in WORSE)

    def difference(self, name: str) -> Difference:
        """Of the measure with this name; raises `KeyError` for a name that no measure has."""
        return {one.name: one for one in self.differences}[name]


class Comparison(Record):
    """Two runs over one golden set: rates side by side, changed claims, segments, costs, and what the criteria say.

    `answers` were checked in both runs; rates are about these alone, a crash is a change. `changes` counts all changed
    claims; `changed` holds the first of each way, the worse ones first. A regression is a comparison with `breaches`.
    """

    before: RunHeader
    after: RunHeader
    answers: int
    differences: tuple[Difference, ...]
    segments: tuple[SegmentDifferences, ...]
    changes: ChangeCounts
    changed: tuple[ChangedClaim, ...]
    costs_before: Costs = FrozenDict()
    costs_after: Costs = FrozenDict()
    breaches: tuple[Breach, ...] = ()

    @property
    def regressed(self) -> bool:
        """Whether a limit was broken."""
        return bool(self.breaches)

    def difference(self, name: str) -> Difference:
        """Of the measure with this name; raises `KeyError` for a name that no measure has."""
        return {one.name: one for one in self.differences}[name]

    def segments_with(self, change: str) -> list[SegmentDifferences]:
        """The segments in which claims changed in this way, those with most of them first."""
        found = [one for one in self.segments if one.changes.get(change)]
        return sorted(found, key=lambda one: (-one.changes[change], one.answers, one.name))
