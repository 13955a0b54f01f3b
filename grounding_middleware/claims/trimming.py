"""The exact range of a statement: without markers, stops behind markers, lone emphasis and white space at its ends."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from grounding_middleware.records import Range

__all__ = ["blanked", "trim", "within"]

_STOPS = ".!?。！？…؟।;,:、；，： \t\r\n\u00a0\u202f\u3000*_|"
_RUN = re.compile(r"[*_]{1,3}")


def within(markers: Sequence[Range], start: int, end: int) -> Sequence[Range]:
    """The markers that reach into `[start, end)`; `markers` are sorted and do not overlap."""
    low = bisect_left(markers, (start, -1))
    if low and markers[low - 1][1] > start:
        low -= 1
    return markers[low : bisect_left(markers, (end, -1), low)]


def blanked(answer: str, start: int, end: int, markers: Sequence[Range]) -> str:
    """`answer[start:end]` with the markers in it replaced by spaces, so that indexes stay right."""
    parts: list[str] = []
    at = start
    for marker_start, marker_end in within(markers, start, end):
        low, high = max(marker_start, start), min(marker_end, end)
        parts += [answer[at:low], " " * (high - low)]
        at = high
    return "".join([*parts, answer[at:end]])


def trim(answer: str, start: int, end: int, markers: Sequence[Range]) -> Range:
    """The statement inside `[start, end)`; empty when nothing but markers, marks and white space stands there."""
    inside = within(markers, start, end)
    first, last = 0, len(inside) - 1
    while start < end:
        if first <= last and inside[first][0] <= start:
            start, first = min(end, inside[first][1]), first + 1
        elif answer[start].isspace() or (answer[start] in ":：" and _ends_marker(markers, start)):
            start += 1
        else:
            break
    while start < end:
        at = end
        while at > start and answer[at - 1] in _STOPS:
            at -= 1
        if last >= first and inside[last][0] < at <= inside[last][1]:
            end, last = inside[last][0], last - 1
        elif answer[end - 1].isspace():
            end -= 1
        else:
            break
    return _balanced(answer, *_emphasised(answer, start, end)) if start < end else (end, end)


def _emphasised(answer: str, start: int, end: int) -> Range:
    """With the emphasis marks right before and behind, unless they belong to a neighbouring word."""
    low, high = start, end
    while low and answer[low - 1] in "*_":
        low -= 1
    while high < len(answer) and answer[high] in "*_":
        high += 1
    return (
        start if answer[low - 1 : low].isalnum() else low,
        end if answer[high : high + 1].isalnum() else high,
    )


def _ends_marker(markers: Sequence[Range], at: int) -> bool:
    """Whether a marker ends right before `at`, as in `[S1]: the fee is due`."""
    before = bisect_left(markers, (at, -1)) - 1
    return before >= 0 and markers[before][1] == at


def _balanced(answer: str, start: int, end: int) -> Range:
    """Without an emphasis mark at one end whose partner stands in another statement."""
    opening = _RUN.match(answer, start, end)
    if opening and answer.find(opening.group(), opening.end(), end) < 0:
        start = opening.end()
    low = end
    while low > start and answer[low - 1] in "*_" and end - low < 3:
        low -= 1
    if low < end and answer.find(answer[low:end], start, low) < 0:
        end = low
    return start, end
