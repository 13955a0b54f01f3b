"""Numbered lists count on without a gap: the items that stay take the first markers of their list."""

from __future__ import annotations

from collections.abc import Iterator

from grounding_middleware.editing.layout import Layout
from grounding_middleware.editing.ranges import Ranges
from grounding_middleware.records import Range


def renumbered(answer: str, layout: Layout, dropped: Ranges) -> Iterator[tuple[Range, str]]:
    """(range, new marker) of every marker that changes; `dropped` are the places that go.

    Works for any start and style ("3.", "(b)", "①"), because markers are handed on, never computed.
    """
    series: dict[int, list[Range]] = {}
    for item in layout.items:
        if item.series >= 0:
            series.setdefault(item.series, []).append(item.marker)
    for markers in series.values():
        texts = iter([answer[slice(*marker)] for marker in markers])
        for marker in markers:
            if marker[0] in dropped:
                continue
            text = next(texts)
            if text != answer[slice(*marker)]:
                yield marker, text
