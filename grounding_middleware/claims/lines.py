"""Source lines of an answer with their quote marks and indentation taken off; ranges exact, one linear pass."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from grounding_middleware.records import Range

__all__ = ["Line", "read", "trimmed"]


class Line(NamedTuple):
    """One line: `start` of all of it, its content `[content, end)`, columns of indentation, depth of quotation."""

    start: int
    content: int
    end: int
    indent: int
    quotes: int

    @property
    def blank(self) -> bool:
        """True when nothing but marks and white space stands on the line."""
        return self.content == self.end


_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")
_QUOTE_MARK = re.compile(r"[ ]{0,3}>[ ]?")
# "> 500 SGD: review" states a limit; markdown would swallow the sign. Only a line below other quoted lines is quoted.
_COMPARISON = re.compile(r"[ ]{0,3}>=?\s?(?:[-+]?\d|[€$£¥])")


def trimmed(text: str, start: int, end: int) -> Range:
    """`[start, end)` without white space at its ends; empty ranges collapse to their end."""
    while start < end and text[end - 1].isspace():
        end -= 1
    while start < end and text[start].isspace():
        start += 1
    return start, end


def read(text: str) -> Iterator[Line]:
    """Every line of `text` in order; line breaks are LF, CR LF and CR, as in CommonMark."""
    quoted = False
    for match in _LINE.finditer(text):
        start, stop = match.span()
        if start == stop:
            return
        content, quotes = start, 0
        while mark := _QUOTE_MARK.match(text, content, stop):
            if not (quoted or quotes) and _COMPARISON.match(text, content, stop):
                break
            content, quotes = mark.end(), quotes + 1
        quoted = quotes > 0
        low, high = trimmed(text, content, stop)
        yield Line(start, low, high, len(text[content:low].expandtabs(4)), quotes)
