"""Emphasis, quotation marks and brackets that may enclose several sentences: which one opens, which one closes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grounding_middleware.records import Range

_SAME = ("***", "**", "__", "~~", "*", "_", '"')
_CLOSES = {")": "(", "]": "[", "}": "{", "”": "“„", "“": "„", "»": "«", "›": "‹", "」": "「", "』": "『", "）": "（",
           "】": "【", "》": "《", "’": "‘‚"}  # fmt: skip
_OPENS = frozenset("".join(_CLOSES.values()))
_TOKEN = re.compile(r"`+|\*{1,3}|_{1,2}|~~|[\"()\[\]{}“”„»«›‹「」『』（）【】《》‘’‚]")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two ranges of delimiters that belong together."""

    open: Range
    close: Range


def pairs(text: str, start: int, end: int, skip: Sequence[Range]) -> list[Pair]:
    """The pairs in `text[start:end]` in the order they close; `skip` are sorted ranges (markers) to leave out."""
    found: list[Pair] = []
    waiting: dict[str, list[Range]] = {}
    for low, high in _tokens(text, start, end, skip):
        token = text[low:high]
        opener = _matching(token, waiting)
        if opener and _may_close(text, low, high, end):
            found.append(Pair(waiting[opener].pop(), (low, high)))
        elif (token in _SAME or token in _OPENS) and _may_open(text, low, high, start, end):
            waiting.setdefault(token, []).append((low, high))
    return found


def _tokens(text: str, start: int, end: int, skip: Sequence[Range]) -> Iterator[Range]:
    """Delimiters outside of code and markers, left to right."""
    position, ahead = start, iter(skip)
    hole = next(ahead, None)
    while token := _TOKEN.search(text, position, end):
        while hole and hole[1] <= token.start():
            hole = next(ahead, None)
        if hole and hole[0] <= token.start():
            position = max(hole[1], token.start() + 1)
        elif token[0][0] == "`":
            position = _code_end(text, token.end(), end, token[0])
        else:
            position = token.end()
            yield token.span()


def _code_end(text: str, position: int, end: int, ticks: str) -> int:
    close = text.find(ticks, position, end)
    return close + len(ticks) if close >= 0 else position


def _matching(token: str, waiting: dict[str, list[Range]]) -> str:
    candidates = (token,) if token in _SAME else tuple(_CLOSES.get(token, ""))
    return next((opener for opener in candidates if waiting.get(opener)), "")


def _may_close(text: str, low: int, high: int, end: int) -> bool:
    """Emphasis touches the word before it; an apostrophe or an underscore may stand inside a word."""
    inside_word = high < end and text[high].isalnum() and text[low] in "_’*" and text[low - 1].isalnum()
    return not inside_word and (text[low:high] not in _SAME or not text[low - 1].isspace())


def _may_open(text: str, low: int, high: int, start: int, end: int) -> bool:
    """Emphasis touches the word behind it and not the one before; 5" is a length."""
    if text[low:high] not in _SAME:
        return True
    return high < end and not text[high].isspace() and (low == start or not text[low - 1].isalnum())
