"""Attribution frames: "The policy states that ...", "According to passage 2, ..." before what is really claimed.

A frame names the source a citation names already, so it is no content of its own. "The manufacturer claims that" is
none: who says it is part of what is claimed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from grounding_middleware.reading.lexicon import Frame, Lexicon, Phrase

_LONGEST: Final = 10  # tokens a frame may have; keeps the look-ahead constant
_PHRASE: Final = 4
_LABELS: Final = frozenset("0123456789")
_STRESS: Final = frozenset({"specifically", "explicitly", "clearly", "further", "also"})
_TAIL: Final = 4  # tokens of "(passage 3)"
_NUMBERED: Final = re.compile(
    r"\s*\b(?P<noun>passage|document|source|section|article)\s+(?P<number>\d+)\b", re.IGNORECASE
)
_COUNTED: Final = frozenset({"passage", "document", "source"})
_DIGITS: Final = 4  # of the number of a passage
_TAILED: Final = re.compile(r"\(\w+ (?P<number>\d+)\)\.?\s*$")


def frame_length(norms: Sequence[str], words: Lexicon) -> int:
    """How many tokens at the start of a sentence only name the source; 0 when it starts with its own content."""
    start = _linked(norms, words)
    length = _frame(list(norms[start : start + _LONGEST]), words)
    return start + length if length else 0


def tail_length(norms: Sequence[str], words: Lexicon) -> int:
    """How many tokens at the end only name the source: "(passage 3)", with the full stop behind it."""
    end = len(norms) - (norms[-1:] == ["."])
    if end <= _TAIL or norms[end - _TAIL] != "(" or norms[end - 1] != ")":
        return 0
    noun, number = norms[end - _TAIL + 1 : end - 1]
    return len(norms) - end + _TAIL if (noun,) in words.frame.nouns and number.isdigit() else 0


def _linked(norms: Sequence[str], words: Lexicon) -> int:
    """The tokens of a connective before a frame: "In fact, passage 3 says that"."""
    length = words.connective_at(norms, 0) if norms else 0
    return length + (norms[length : length + 1] == [","]) if length else 0


def _frame(window: list[str], words: Lexicon) -> int:
    opening = _at(window, 0, words.frame.prepositions)
    position = _noun(window, opening, words)
    if position == 0:
        return 0
    if opening:
        return _ended(window, position, words.frame, only=(",", ":"))
    if window[position : position + 1] == [":"] and window[position - 1].isdigit():
        return position + 1
    position += window[position : position + 1] != [] and window[position] in _STRESS
    verb = _at(window, position, words.frame.verbs)
    return _ended(window, position + verb, words.frame) if verb else 0


def _noun(window: Sequence[str], position: int, words: Lexicon) -> int:
    """The position behind "the (written) policy (2)", 0 when there is no such noun."""
    start = position
    while position < min(len(window), start + _PHRASE):
        noun = _at(window, position, words.frame.nouns)
        labelled = position + noun < len(window) and window[position + noun][:1] in _LABELS
        if noun and (position > start or start > 0 or labelled):
            return position + noun + labelled
        if position == start and window[position] not in words.articles and window[position] not in words.pronouns:
            return position + noun if noun else 0
        position += 1
    return 0


def _at(window: Sequence[str], position: int, phrases: frozenset[Phrase]) -> int:
    sizes = range(min(_PHRASE, len(window) - position), 0, -1)
    return next((size for size in sizes if tuple(window[position : position + size]) in phrases), 0)


def _ended(window: Sequence[str], position: int, frame: Frame, only: Sequence[str] = ()) -> int:
    """The length with the word or mark that ends the frame; 0 when what follows belongs to the noun."""
    end = window[position] if position < len(window) else ""
    if only:
        return position + 1 if end in only else 0
    return position + 1 if (end,) in frame.ends else 0


def same_passage(claim: str, passage: str, place: int, of: int) -> bool:
    """False if the claim names another passage by its number than this one, number `place` of `of`, counted from 1.

    A passage that calls itself "passage 2" goes by that number. "According to passage 3, ..." is held against a
    passage only where that has a number of its own, or where there are fewer; "(passage 3)" behind a claim always.
    """
    own = _NUMBERED.match(passage)
    tail = _TAILED.search(claim)
    if tail and tail["number"] != (own["number"] if own else str(place)):
        return False
    if own is None:
        counted = (one["number"] for one in _NUMBERED.finditer(claim) if one["noun"].casefold() in _COUNTED)
        return all(len(number) <= _DIGITS and 1 <= int(number) <= of for number in counted)
    alike = (one for one in _NUMBERED.finditer(claim) if one["noun"].casefold() == own["noun"].casefold())
    return all(one["number"] == own["number"] for one in alike)
