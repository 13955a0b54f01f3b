"""Where a document can be cut without cutting a thought: at blank lines and headings.

A passage is a paragraph, a list, a table or a code block. A paragraph that announces what follows ("...:") keeps the
list, table or code it announces; fenced code is never cut. A heading names the section of the passages below it; one
that asks a question also stands at the head of the first of them, which may be no more than "Yes, within 14 days."
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


class Passage(NamedTuple):
    """`text[start:end]` of the document, and the headings above it."""

    start: int
    end: int
    section: str


class _Line(NamedTuple):
    start: int
    end: int  # without the newline and trailing blanks
    text: str


_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ATX = re.compile(r" {0,3}(#{1,6})[ \t]+(?=\S)")
_CLOSING_MARKS = re.compile(r"(?:(?<=[ \t])|^)#+$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)$")
_RULE = re.compile(r" {0,3}([-*_])([ \t]*\1){2,}$")
_NUMBERED = re.compile(r"\s*(§+\s*)?(\d+([.\-]\d+)*|[IVXLC]+)[.)]?\s+\S.*[^\s.!?:;,]$")
_ANNOUNCING = (":", "：")
_ASKING = ("?", "？", "؟")


def passages(text: str, start: int = 0) -> tuple[Passage, ...]:
    """The passages of `text` from `start` on, in order, with exact offsets; at least one if there is any text."""
    found: list[Passage] = []
    headings: dict[int, str] = {}
    opened: int | None = None  # start of a question or announcement that waits for what follows
    for block in _blocks(text, start):
        heading = _heading(block)
        if heading is not None:
            level, title = heading
            headings = {depth: name for depth, name in headings.items() if depth < level} | {level: title}
            opened = block[0].start if title.endswith(_ASKING) else None
            continue
        if opened is not None and found and found[-1].start == opened:
            found.pop()
        first = block[0].start if opened is None else opened
        found.append(Passage(first, block[-1].end, " > ".join(headings[depth] for depth in sorted(headings))))
        opened = first if block[-1].text.endswith(_ANNOUNCING) else None
    if not found and text[start:].strip():  # headings alone: nothing of a source may get lost
        return (whole(text, start),)
    return tuple(found)


def whole(text: str, start: int = 0) -> Passage:
    """All of the text from `start` on as one passage, without the blanks around it; the text must not be blank."""
    body = text[start:]
    return Passage(start + len(body) - len(body.lstrip()), start + len(body.rstrip()), "")


def _lines(text: str, start: int) -> Iterator[_Line]:
    for raw in text[start:].splitlines(keepends=True):
        yield _Line(start, start + len(raw.rstrip()), raw.rstrip())
        start += len(raw)


def _blocks(text: str, start: int) -> Iterator[list[_Line]]:
    """Runs of lines without a blank one; a heading line and a fenced code block stand alone."""
    block: list[_Line] = []
    fence = ""
    for line in _lines(text, start):
        mark = _FENCE.match(line.text)
        if fence:
            block.append(line)
            if mark and mark[1].startswith(fence) and not line.text.strip(" `~"):
                fence = ""
                yield block
                block = []
            continue
        if mark or not line.text.strip() or _ATX.match(line.text) or (not block and _RULE.match(line.text)):
            if block:
                yield block
            block = []
        if mark:
            fence = mark[1]
            block = [line]
        elif _ATX.match(line.text):
            yield [line]
        elif line.text.strip() and not (not block and _RULE.match(line.text)):
            block.append(line)
    if block:
        yield block


def _heading(block: list[_Line]) -> tuple[int, str] | None:
    """Level and title of a heading: `# ...`, an underlined line, or a numbered line all in capitals."""
    first = block[0].text
    atx = _ATX.match(first)
    if atx:
        return len(atx[1]), _CLOSING_MARKS.sub("", first[atx.end() :]).strip()
    underlined = _UNDERLINE.match(block[1].text) if len(block) == 2 else None
    if underlined:
        return (1 if underlined[1][0] == "=" else 2), first.strip()
    if len(block) == 1 and first.upper() == first != first.lower() and _NUMBERED.match(first):
        return 2, first.strip()
    return None
