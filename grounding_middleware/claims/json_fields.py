"""JSON inside an answer: every field with exact offsets and the objects around it; linear time, no recursion of ours.

A region is an object, or an array that begins with one, from the start of a line to the end of a line, fenced or not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["Field", "Owner", "Region", "regions"]


class Field(NamedTuple):
    """A member with a plain value, or with an array of plain values: `[start, end)` is key and value.

    `value_start` is where the value begins; `owner` numbers the object it belongs to.
    """

    start: int
    end: int
    key: str
    value_start: int
    owner: int


class Owner(NamedTuple):
    """One object: the object around it (-1 for none) and the key it stands under."""

    parent: int
    key: str


class Region(NamedTuple):
    """One JSON document, `answer[start:end]`, with its fields in order."""

    start: int
    end: int
    owners: Sequence[Owner]
    fields: Sequence[Field]

    def around(self, owner: int) -> Iterator[int]:
        """The object `owner` and those around it, innermost first."""
        while owner >= 0:
            yield owner
            owner = self.owners[owner].parent


_START = re.compile(r"^[ \t]*(?=\{|\[\s*\{)", re.MULTILINE)
_TOKEN = re.compile(r'"(?>(?:[^"\\]|\\.)*)"|[{}\[\]:,]|[^\s{}\[\]:,"]+', re.DOTALL)
_REST_OF_LINE = re.compile(r"[ \t]*(?:\r|\n|\Z)")
_MOST_FAILURES = 20  # starts that turn out to be no JSON; bounds the work on hostile text
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)


def regions(answer: str) -> tuple[Region, ...]:
    """All JSON documents of `answer`, in order."""
    found: list[Region] = []
    end = failures = 0
    for match in _START.finditer(answer):
        if match.end() < end:
            continue
        stop = _document_end(answer, match.end())
        if stop is None:
            failures += 1
            if failures == _MOST_FAILURES:
                break
            continue
        found.append(_Reader(answer).region(match.end(), stop))
        end = stop
    return tuple(found)


def _document_end(answer: str, start: int) -> int | None:
    try:
        _, end = _DECODER.raw_decode(answer, start)
    except (ValueError, RecursionError):
        return None
    return end if _REST_OF_LINE.match(answer, end) else None


@dataclass(slots=True)
class _Frame:
    """One open bracket: the object that fields in it belong to, its key, where its member and where it itself began.

    `before` counts the fields read before it.
    """

    bracket: str
    owner: int
    key: str
    start: int
    at: int
    before: int
    holds_objects: bool = False


class _Reader:
    """Reads the tokens of one valid document."""

    def __init__(self, answer: str) -> None:
        self.answer = answer
        self.owners: list[Owner] = []
        self.fields: list[Field] = []
        self.frames: list[_Frame] = []
        self.key = ""
        self.member = -1  # where the member being read began; -1 between members

    def region(self, start: int, end: int) -> Region:
        tokens = list(_TOKEN.finditer(self.answer, start, end))
        for number, match in enumerate(tokens):
            piece = match.group()
            is_key = piece[0] == '"' and number + 1 < len(tokens) and tokens[number + 1].group() == ":"
            if is_key:
                self.key, self.member = json.loads(piece), match.start()
            elif piece in "{[":
                self._open(piece, match.start())
            elif piece in "}]":
                self._close(match.end())
            elif piece not in ":,":
                self._add(match.start(), match.end())
        return Region(start, end, tuple(self.owners), tuple(self.fields))

    def _open(self, bracket: str, at: int) -> None:
        around = self.frames[-1] if self.frames else None
        key = self.key or (around.key if around and around.bracket == "[" else "")
        owner = around.owner if around else -1
        if bracket == "{":
            self.owners.append(Owner(owner, key))
            owner = len(self.owners) - 1
        start = self.member if self.member >= 0 else at
        self.frames.append(_Frame(bracket, owner, key, start, at, len(self.fields)))
        self.key, self.member = "", -1

    def _close(self, end: int) -> None:
        frame = self.frames.pop()
        if self.frames:
            self.frames[-1].holds_objects |= frame.bracket == "{" or frame.holds_objects
        if frame.bracket == "[" and not frame.holds_objects:
            del self.fields[frame.before :]
            self.fields.append(Field(frame.start, end, frame.key, frame.at, frame.owner))

    def _add(self, start: int, end: int) -> None:
        frame = self.frames[-1]
        low = self.member if self.member >= 0 else start
        self.fields.append(Field(low, end, self.key or frame.key, start, frame.owner))
        self.key, self.member = "", -1
