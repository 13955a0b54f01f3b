"""The answer cut into lines that know what they are: text, heading, list item, table row, code, quotation.

Reads the Markdown that models write, plus the bullets and numerals of plain text. Linear in the length of the answer.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from grounding_middleware.records import Range


class LineKind(StrEnum):
    """What a line is, seen with the lines before it."""

    BLANK = "blank"
    TEXT = "text"
    HEADING = "heading"
    UNDERLINE = "underline"
    BREAK = "break"
    FENCE = "fence"
    CODE = "code"
    ITEM = "item"
    HEADER = "header"
    TABLE_RULE = "table_rule"
    ROW = "row"
    DEFINITION = "definition"


class Line(NamedTuple):
    """One line: `answer[start:end]` without, `answer[start:next]` with its line break.

    `content` is where the words begin: behind quotation marks `>`, indentation, list marker, check box or `#`.
    `marker` is the range of the list marker, `indent` its column, `quote` the depth of block quotation, `level` the
    depth of a heading, `info` what a code fence says about its language. `opens` is set where code begins.
    """

    start: int
    end: int
    next: int
    kind: LineKind
    content: int
    indent: int = 0
    quote: int = 0
    marker: Range = (0, 0)
    level: int = 0
    info: str = ""
    opens: bool = False


_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_QUOTE = re.compile(r"(?: {0,3}> ?)+")
_SPACE = re.compile(r"[^\S\r\n]*")
_FENCE = re.compile(r"(`{3,}|~{3,})[^\S\r\n]*([^`\r\n]*)$")
_HEADING = re.compile(r"(#{1,6})(?:[^\S\r\n]+|$)")
_BREAK = re.compile(r"([-*_])(?:[^\S\r\n]*\1){2,}[^\S\r\n]*$")
_UNDERLINE = re.compile(r"(?:={2,}|-{2,})[^\S\r\n]*$")
_DEFINITION = re.compile(r"\[[^\]\r\n]{1,200}\]:(?=\s|$)")
_TABLE_RULE = re.compile(r"\|?(?:[^\S\r\n]*:?-+:?[^\S\r\n]*\|)+(?:[^\S\r\n]*:?-+:?)?[^\S\r\n]*$")
_ITEM = re.compile(
    r"(?P<marker>[-*+–—]|[•‣▪▫◦·●○■⁃∙➤➢✓✔✅☑]|\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{2,5})\)|（\d{1,3}）|\d{1,3}[.．、]|[①-⑳])"
    r"(?:[^\S\r\n]+|$|(?<=[•‣▪▫◦●○■⁃➤➢✓✔✅☑）．、①-⑳]))(?:\[[ xX]\][^\S\r\n]+)?"
)
_STARTS_A_LIST = re.compile(r"[*+•‣▪▫◦·●○■⁃∙➤➢✓✔✅☑-]|[(（]?[1aAiI][.)）．、]|①")
_TAB = 4
_TABULAR = (LineKind.HEADER, LineKind.ROW, LineKind.TABLE_RULE)


def scan(answer: str) -> list[Line]:
    """Every line of the answer, in order; together they cover it without gap or overlap."""
    scanner = _Scanner(answer)
    for match in _LINE.finditer(answer):
        scanner.read(match.start(), match.end())
    return scanner.lines


class _Scanner:
    """Carries what the lines before decide about the next one."""

    def __init__(self, answer: str) -> None:
        self.answer = answer
        self.lines: list[Line] = []
        self._fence = ""
        self._fence_quote = 0
        self._in_list = False

    def read(self, start: int, next_: int) -> None:
        """Classify one more line."""
        end = next_
        while end > start and self.answer[end - 1] in "\r\n":
            end -= 1
        if start == end and not self._fence:
            self.lines.append(Line(start, end, next_, LineKind.BLANK, start))
            return
        quoted = _QUOTE.match(self.answer, start, end) if not self._fence or self._fence_quote else None
        inner = quoted.end() if quoted else start
        content = _after_space(self.answer, inner, end)
        bare = Line(
            start=start,
            end=end,
            next=next_,
            kind=LineKind.TEXT,
            content=content,
            indent=content - inner + (_TAB - 1) * self.answer.count("\t", inner, content),
            quote=self.answer.count(">", start, inner),
        )
        self.lines.append(self._code(bare) or self._fence_start(bare, content) or self._outside_code(bare))

    def _code(self, line: Line) -> Line | None:
        if not self._fence:
            return None
        bar = _FENCE.match(self.answer, line.content, line.end)
        if bar and bar[1].startswith(self._fence) and not bar[2].strip():
            self._fence = ""
            return line._replace(kind=LineKind.FENCE)
        return line._replace(kind=LineKind.CODE)

    def _fence_start(self, line: Line, at: int) -> Line | None:
        bar = _FENCE.match(self.answer, at, line.end)
        if not bar:
            return None
        self._fence, self._fence_quote = bar[1], line.quote
        return line._replace(kind=LineKind.FENCE, info=bar[2].strip(), opens=True)

    def _outside_code(self, line: Line) -> Line:
        if line.content == line.end:
            return line._replace(kind=LineKind.BLANK)
        return self._ruled(line) or self._item(line) or self._other(line)

    def _ruled(self, line: Line) -> Line | None:
        """Lines that are structure only: underlines of headings, breaks, the rule below a table header."""
        text, before = self.answer, self.lines[-1] if self.lines else None
        after_text = before is not None and before.kind is LineKind.TEXT and before.quote == line.quote
        if after_text and before and _TABLE_RULE.match(text, line.content, line.end):
            if "|" not in text[before.content : before.end]:
                return None
            self.lines[-1] = before._replace(kind=LineKind.HEADER)
            return line._replace(kind=LineKind.TABLE_RULE)
        if before and before.kind is LineKind.ROW and _TABLE_RULE.match(text, line.content, line.end):
            self.lines[-1] = before._replace(kind=LineKind.HEADER)
            return line._replace(kind=LineKind.TABLE_RULE)
        if after_text and _UNDERLINE.match(text, line.content, line.end):
            return line._replace(kind=LineKind.UNDERLINE)
        return line._replace(kind=LineKind.BREAK) if _BREAK.match(text, line.content, line.end) else None

    def _item(self, line: Line) -> Line | None:
        found = _ITEM.match(self.answer, line.content, line.end)
        if not found:
            return None
        in_paragraph = bool(self.lines) and self.lines[-1].kind is LineKind.TEXT and not self._in_list
        if in_paragraph and not _STARTS_A_LIST.match(found["marker"]):
            return None  # a wrapped line that happens to begin with a year or a dash
        self._in_list = True
        item = line._replace(kind=LineKind.ITEM, content=found.end(), marker=found.span("marker"))
        code = self._fence_start(line, found.end())
        return item._replace(info=code.info, opens=True) if code else item

    def _other(self, line: Line) -> Line:
        text, before = self.answer, self.lines[-1] if self.lines else None
        heading = _HEADING.match(text, line.content, line.end)
        if heading:
            self._in_list = False
            return line._replace(kind=LineKind.HEADING, content=heading.end(), level=len(heading[1]))
        if text[line.content] == "|" and text[line.content : line.end].rstrip().endswith("|"):
            return line._replace(kind=LineKind.ROW)
        if before and before.kind in _TABULAR and "|" in text[line.content : line.end]:
            return line._replace(kind=LineKind.ROW)
        if _DEFINITION.match(text, line.content, line.end):
            return line._replace(kind=LineKind.DEFINITION)
        if not line.indent and before and before.kind is LineKind.BLANK:
            self._in_list = False
        return line


def _after_space(answer: str, start: int, end: int) -> int:
    match = _SPACE.match(answer, start, end)
    return match.end() if match else start
