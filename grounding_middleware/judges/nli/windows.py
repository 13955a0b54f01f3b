"""Cuts a passage into pieces a model can read whole, at sentences, each with the sentence before it."""

from __future__ import annotations

from collections.abc import Callable

from grounding_middleware.claims.sentences import sentences
from grounding_middleware.records import Range


def windows(text: str, room: int, count: Callable[[str], int], language: str = "en") -> tuple[Range, ...]:
    """Ranges of `text` of at most `room` tokens by `count`, in order; together they hold every word.

    As few as possible, neighbours share a sentence where it fits. A sentence without room is cut between words, a word
    without room between characters.
    """
    if room < 1:
        return ()
    pieces = [part for low, high in sentences(text, language) for part in _fitting(text, low, high, room, count)]
    found: list[Range] = []
    start = 0
    while start < len(pieces):
        end = start + 1
        while end < len(pieces) and count(text[pieces[start][0] : pieces[end][1]].strip()) <= room:
            end += 1
        found.append(_stripped(text, pieces[start][0], pieces[end - 1][1]))
        if end == len(pieces):
            break
        start = end - 1 if end - start > 1 and _shares(text, pieces, end, room, count) else end
    return tuple(window for window in found if window[0] < window[1])


def _shares(text: str, pieces: list[Range], end: int, room: int, count: Callable[[str], int]) -> bool:
    """Whether the next window can begin with the last piece of this one and still reach further."""
    return count(text[pieces[end - 1][0] : pieces[end][1]].strip()) <= room


def _fitting(text: str, low: int, high: int, room: int, count: Callable[[str], int]) -> list[Range]:
    """The range itself, or halves of it until each fits."""
    low, high = _stripped(text, low, high)
    if high - low <= 1 or count(text[low:high]) <= room:
        return [(low, high)] if low < high else []
    middle = (low + high) // 2
    blank = text.rfind(" ", low + 1, middle) if text.find(" ", low, high) >= 0 else -1
    cut = blank if blank > low else next((at for at in range(middle, high - 1) if text[at] == " "), middle)
    return [*_fitting(text, low, cut, room, count), *_fitting(text, cut, high, room, count)]


def _stripped(text: str, low: int, high: int) -> Range:
    piece = text[low:high]
    start = low + len(piece) - len(piece.lstrip())
    return start, max(start, low + len(piece.rstrip()))
