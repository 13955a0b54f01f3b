"""Texts of others, short enough to show: the claim stays marked within its answer, and what is left out is said.

Controls, bidirectional overrides and invisible characters come out as escapes; markup stays text and is escaped by the
template. Lengths are bounded whatever the input.
"""

from __future__ import annotations

from typing import Final

from grounding_middleware.evaluation.page.blocks import Piece
from grounding_middleware.printable import one_line, printable

__all__ = ["around", "line", "passage"]

AROUND: Final = 320  # characters of the answer shown before and after a claim
CLAIM: Final = 900  # characters of a claim, or of a passage
NAME: Final = 80  # characters of ids, names and reasons in a table
_SCAN: Final = 4  # a line is cut from so many times its length, so that white space of any amount costs nothing


def line(text: str, limit: int = NAME) -> str:
    """The text on one line of at most `limit` characters and an ellipsis."""
    told = one_line(text[: limit * _SCAN])
    return told if len(told) <= limit and len(text) <= limit * _SCAN else f"{told[: limit - 1].rstrip()}…"


def passage(text: str, limit: int = CLAIM) -> str:
    """The text with its lines; the middle is left out where it is longer than `limit`."""
    if len(text) <= limit:
        return printable(text)
    head, tail = limit * 2 // 3, limit // 3
    return f"{printable(text[:head])} [… {len(text) - head - tail:,} characters …] {printable(text[-tail:])}"


def around(answer: str, start: int, end: int) -> tuple[Piece, ...]:
    """`answer[start:end]`, marked, and what stands before and after it."""
    before, after = max(0, start - AROUND), min(len(answer), end + AROUND)
    pieces = (
        Piece(f"{'… ' if before else ''}{printable(answer[before:start])}"),
        Piece(passage(answer[start:end]), marked=True),
        Piece(f"{printable(answer[end:after])}{' …' if after < len(answer) else ''}"),
    )
    return tuple(piece for piece in pieces if piece.text)
