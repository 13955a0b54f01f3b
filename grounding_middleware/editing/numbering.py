"""Numbered lists count on without a gap: the items that stay take the first markers of their list."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from grounding_middleware.editing.layout import Layout
from grounding_middleware.records import Range


def renumbered(answer: str, layout: Layout, dropped: Sequence[Range]) -> Iterator[tuple[Range, str]]:
    """(range, new marker) of every marker that changes; `dropped` are the ordered ranges that go.

    Works for any start and style ("3.", "(b)", "①"), because markers are handed on, never computed.
    """
    series: dict[int, list[Range]] = {}
    for item in layout.items:
        if item.series >= 0:
            series.setdefault(item.series, []).append(item.marker)
    gone = _Ranges(dropped)
    for markers in series.values():
        texts = iter([answer[slice(*marker)] for marker in markers])
        for marker in markers:
            if marker[0] in gone:
                continue
            text = next(texts)
            if text != answer[slice(*marker)]:
                yield marker, text


class _Ranges:
    """Membership of an offset in ordered ranges."""

    def __init__(self, ranges: Sequence[Range]) -> None:
        self.starts = [low for low, _ in ranges]
        self.ends = [high for _, high in ranges]

    def __contains__(self, offset: int) -> bool:
        number = bisect_right(self.starts, offset) - 1
        return number >= 0 and offset < self.ends[number]
