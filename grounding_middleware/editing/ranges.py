"""Membership of offsets in many ordered ranges."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from grounding_middleware.records import Range


class Ranges:
    """`offset in Ranges(...)` for half-open ranges that are ordered and do not overlap."""

    def __init__(self, ranges: Sequence[Range]) -> None:
        self._starts = [low for low, _ in ranges]
        self._ends = [high for _, high in ranges]

    def __contains__(self, offset: int) -> bool:
        number = bisect_right(self._starts, offset) - 1
        return number >= 0 and offset < self._ends[number]
