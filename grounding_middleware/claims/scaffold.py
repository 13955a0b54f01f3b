"""Text of one block made ready for a sentence splitter, with an exact map back to the answer.

Citation markers and emphasis are deleted, so that a marker never separates a stop from its sentence; URLs, e-mail
addresses, `code` and file names are masked with letters, so that their stops are not boundaries.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

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


_EMPHASIS = re.compile(
    r"(?<![\w*])\*{1,3}(?=[^\s*])|(?<=[^\s*])\*{1,3}(?!\*)|(?<!\w)_{1,3}(?=[^\s_])|(?<=[^\s_])_{1,3}(?!\w)|\*{2,3}"
)
_OPAQUE = re.compile(
    r"(?P<code>`[^`\n]+`)"
    r"|\b(?:https?|ftp|file)://[^\s<>\"”»]*[^\s<>\"”».,;:!?)\]'’]"
    r"|\bwww\.[^\s<>\"”»]*[^\s<>\"”».,;:!?)\]'’]"
    r"|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}"
    r"|(?<![\w.])[\w-]{1,64}\.(?:ya?ml|json|toml|ini|cfg|conf|csv|tsv|xlsx?|docx?|pptx?|pdf|txt|md|rst|html?|xml|log|sh|bat|exe|py|js|ts|java|go|rs|cpp|sql|zip|gz|tar|png|jpe?g|svg|env|lock)\b"
)
_STOPS = ".!?。！？…؟।"


def build(answer: str, lines: Sequence[Range], markers: Sequence[Range]) -> Clean:
    """The clean text of the content `lines` of one block; `markers` are the marker ranges inside them, in order."""
    parts: list[str] = []
    starts: list[int] = []
    origins: list[int] = []
    length = 0
    for start, end, filler in _kept(answer, lines, markers):
        piece = filler or answer[start:end]
        if piece:
            parts.append(piece)
            starts.append(length)
            origins.append(start)
            length += len(piece)
    return Clean(_masked("".join(parts)), tuple(starts), tuple(origins))


def _kept(answer: str, lines: Sequence[Range], markers: Sequence[Range]) -> Iterator[tuple[int, int, str]]:
    """The pieces to keep, and fillers: a space for a line break, and for a marker that glues two sentences together."""
    at = 0
    for number, (start, end) in enumerate(lines):
        if number:
            yield lines[number - 1][1], lines[number - 1][1] + 1, " "
        low = start
        while at < len(markers) and markers[at][0] < end:
            cut_start, cut_end = markers[at]
            at += 1
            if cut_end <= low:
                continue
            yield from _without_emphasis(answer, low, _back(answer, low, cut_start))
            if answer[cut_start - 1 : cut_start] in tuple(_STOPS) and answer[cut_end : cut_end + 1].isalnum():
                yield cut_start, cut_start + 1, " "
            low = cut_end
        yield from _without_emphasis(answer, low, end)


def _back(answer: str, low: int, index: int) -> int:
    """`index` moved left over the white space before it."""
    while index > low and answer[index - 1] in " \t\u00a0\u202f":
        index -= 1
    return index


def _without_emphasis(answer: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    for match in _EMPHASIS.finditer(answer, start, end):
        yield start, match.start(), ""
        start = match.end()
    if start < end:
        yield start, end, ""


def _masked(text: str) -> str:
    return _OPAQUE.sub(lambda match: "X" * len(match.group()), text)
