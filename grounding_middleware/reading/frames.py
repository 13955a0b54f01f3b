"""Attribution frames: "The policy states that ...", "According to passage 2, ..." before what is really claimed.

A frame names the source a citation names already, so it is no content of its own. "The manufacturer claims that" is
none: who says it is part of what is claimed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from grounding_middleware.reading.lexicon import Frame, Lexicon, Phrase

_LONGEST: Final = 10  # tokens a frame may have; keeps the look-ahead constant
_PHRASE: Final = 4
_LABELS: Final = frozenset("0123456789")


def frame_length(norms: Sequence[str], words: Lexicon) -> int:
    """How many tokens at the start of a sentence only name the source; 0 when it starts with its own content."""
    window = list(norms[:_LONGEST])
    opening = _at(window, 0, words.frame.prepositions)
    position = _noun(window, opening, words)
    if position == 0:
        return 0
    if opening:
        return _ended(window, position, words.frame, only=(",", ":"))
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
