"""Text of one block made ready for a sentence splitter, with an exact map back to the answer.

Citation markers and emphasis are deleted, so that a marker never separates a stop from its sentence; URLs, e-mail
addresses, `code` and file names are masked with letters, so that their stops are not boundaries. A marker between a
sentence without a stop and the next one becomes a stop.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from grounding_middleware.claims.lexicon import words
from grounding_middleware.records import Range

__all__ = ["Clean", "build"]


class Clean(NamedTuple):
    """`text` without markers; `starts[i]` is where piece i begins in it and `origins[i]` where in the answer."""

    text: str
    starts: tuple[int, ...]
    origins: tuple[int, ...]

    def origin(self, index: int) -> int:
        """Where in the answer the character `text[index]` stands."""
        piece = bisect_right(self.starts, index) - 1
        return self.origins[piece] + index - self.starts[piece]

    def range(self, start: int, end: int) -> Range:
        """The range of the answer from the first to the last character of `text[start:end]`."""
        return self.origin(start), self.origin(end - 1) + 1


class _Piece(NamedTuple):
    """`answer[start:end]`, or the `filler` that stands for it."""

    start: int
    end: int
    filler: str = ""


_EMPHASIS = re.compile(
    r"(?<![\w*])\*{1,3}(?=[^\s*])|(?<=[^\s*])\*{1,3}(?!\*)|\*{2,3}|(?<!\w)_{1,3}(?=[^\s_])|(?<=[^\s_])_{1,3}(?!\w)"
)
_FILE_TYPES = (
    "ya?ml|json|toml|ini|cfg|conf|csv|tsv|xlsx?|docx?|pptx?|pdf|txt|md|rst|html?|xml|log|sh|bat|exe|py|js|ts|java|go|rs|"
    "cpp|sql|zip|gz|tar|png|jpe?g|svg|env|lock"
)
_OPAQUE = re.compile(
    r"`[^`\n]{1,400}`"
    r"|\b(?:(?:https?|ftp|file)://|www\.)[^\s<>\"”»]*[^\s<>\"”».,;:!?)\]'’]"
    r"|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}"
    rf"|(?<![\w.])[\w-]{{1,64}}\.(?:{_FILE_TYPES})\b"
)
_STOPS = ".!?。！？…؟।"
_NEXT_WORD = re.compile(r"\s+([^\W\d_]+)")
_LAST_WORD = re.compile(r"([^\W_]+)[\"'”’»)%]*\Z")
_LOOK_BACK = 40


def build(answer: str, lines: Sequence[Range], markers: Sequence[Range], language: str = "") -> Clean:
    """The clean text of the content `lines` of one block; `markers` are those that reach into them, in order."""
    pieces = [piece for piece in _pieces(answer, lines, markers, language) if piece.filler or piece.start < piece.end]
    texts = [piece.filler or answer[piece.start : piece.end] for piece in pieces]
    starts, length = [], 0
    for text in texts:
        starts.append(length)
        length += len(text)
    return Clean(_masked("".join(texts)), tuple(starts), tuple(piece.start for piece in pieces))


def _pieces(answer: str, lines: Sequence[Range], markers: Sequence[Range], language: str) -> Iterator[_Piece]:
    """What is kept, with fillers for line breaks and for markers between two sentences."""
    at = 0
    for number, (start, end) in enumerate(lines):
        if number:
            previous = lines[number - 1][1]
            yield _Piece(previous, previous + 1, " ")
        low = start
        while at < len(markers) and markers[at][0] < end:
            cut, stop = markers[at]
            at += 1
            if stop <= low:
                continue
            yield from _without_emphasis(answer, low, _back(answer, low, max(low, cut)))
            if filler := _filler(answer, low, cut, stop, language):
                yield _Piece(cut, cut + len(filler), filler)
            low = min(stop, end)
        yield from _without_emphasis(answer, low, end)


def _filler(answer: str, low: int, cut: int, stop: int, language: str) -> str:
    """What a marker leaves behind: a space when it glues two sentences, a stop when it alone divides them."""
    before = answer[max(low, cut - _LOOK_BACK) : cut].rstrip()
    if before.endswith(tuple(_STOPS)):
        return " " if answer[stop : stop + 1].isalnum() else ""
    word, last = _NEXT_WORD.match(answer, stop), _LAST_WORD.search(before)
    if not word or not last or not word.group(1)[0].isupper() or not language:
        return ""
    openers, unfinished = _edges(language)
    return ". " if word.group(1).lower() in openers and last.group(1).lower() not in unfinished else ""


@cache
def _edges(language: str) -> tuple[frozenset[str], frozenset[str]]:
    """Words that, in upper case, begin a sentence; words after which one is not finished."""
    openers = ("determiner", "pronouns", "preposition", "connective")
    unfinished = ("determiner", "preposition", "finite", "joining")
    return (
        frozenset().union(*(words(language, key) for key in openers)),
        frozenset().union(*(words(language, key) for key in unfinished)),
    )


def _back(answer: str, low: int, index: int) -> int:
    """`index` moved left over the white space before it."""
    while index > low and answer[index - 1] in " \t\u00a0\u202f":
        index -= 1
    return index


def _without_emphasis(answer: str, start: int, end: int) -> Iterator[_Piece]:
    for match in _EMPHASIS.finditer(answer, start, end):
        yield _Piece(start, match.start())
        start = match.end()
    yield _Piece(start, end)


def _masked(text: str) -> str:
    return _OPAQUE.sub(lambda match: "X" * len(match.group()), text)
