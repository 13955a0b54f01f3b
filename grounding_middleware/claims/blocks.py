"""The block structure of an answer: every line that is not blank stands in exactly one block, in order, linear time.

A line scanner for the markdown that models write, not a renderer: paragraphs, list items, tables, headings, code and
quoted text, each with the ranges of its content without indentation, bullets, numerals and quote marks. It departs
from CommonMark where that would lose a statement: see `lines.read` (comparison signs) and `_lone_numeral`.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any, NamedTuple

from grounding_middleware.claims.lexicon import months
from grounding_middleware.claims.lines import Line, read, trimmed
from grounding_middleware.records import Range

__all__ = ["Block", "BlockKind", "scan"]


class BlockKind(StrEnum):
    """What a block is; a table gives one block for each of its lines."""

    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    HEADING = "heading"
    TABLE_HEADER = "table_header"
    TABLE_RULE = "table_rule"
    TABLE_ROW = "table_row"
    CODE = "code"
    FENCE = "fence"
    RULE = "rule"


class Block(NamedTuple):
    """One block: `lines` are the ranges of its content, one for each source line; `[start, end)` is all of it.

    `depth` is the nesting of a list item (outermost 1; its later paragraphs share it) or the level of a heading
    (7 for a line of bold text). `quoted` is true inside a quotation (`> ...`). The fences around code are blocks of
    their own without content; `info` is what the opening fence says, for the code as well.
    """

    kind: BlockKind
    lines: tuple[Range, ...]
    start: int
    end: int
    depth: int = 0
    quoted: bool = False
    info: str = ""


_FENCE = re.compile(r"(`{3,})([^`\r\n]*)$|(~{3,})([^\r\n]*)$")
_HEADING = re.compile(r"(#{1,6})(?:[ \t]+|$)")
_CLOSING_HASHES = re.compile(r"(?:^|[ \t]+)#+$")
_RULE = re.compile(r"([-*_])(?:[ \t]*\1){2,}$")
_SETEXT = re.compile(r"(?:=+|--+)$")
_BULLET = re.compile(
    r"(?:(?:[-*+•‣▪▫◦●○·–—➤➢✓✔✅☑⁃∙]|\d{1,3}[.)]|[a-zA-Z]\)|[ivx]{1,5}\)|\((?:\d{1,3}|[a-z]|[ivx]{1,5})\))(?:[ \t]+|$)"
    r"|(?:\d{1,3}[、．]|（\d{1,3}）|[①-⑳])[ \t]*|\[\^[^\s\[\]^]{1,64}\]:[ \t]*)"
    r"(?:\[[ xX]\][ \t]+)?"
)
_NUMERAL = re.compile(r"\(?(\d{1,3})[.)]")
_WORD = re.compile(r"[^\W\d_]+")
_NOT_ONLY_MONTHS = frozenset({"may", "mar", "march", "mars"})
_COUNT_REACH = 40  # lines in which the next numeral of a list is looked for
_TABLE_RULE = re.compile(r"\|?[ \t]*+:?-+:?[ \t]*+(?>(?:\|[ \t]*+:?-+:?[ \t]*+)*)\|?$")
_BOLD_LINE = re.compile(r"(\*\*|__)(?=\S)(?:(?!\1).)+(?<![\s.!?。！？])\1:?$")
_PIPE = re.compile(r"(?<!\\)\|")
_CODE_INDENT = 4  # CommonMark
_BOLD_DEPTH = 7  # one below the six levels of markdown


def scan(text: str) -> tuple[Block, ...]:
    """All blocks of `text` in order; their content lines never overlap and miss nothing but markup and white space."""
    return _Scanner(text).run()


def _row(text: str, line: Line) -> Range:
    """The content of a table line without its outermost pipes and the white space next to them."""
    start, end = line.content, line.end
    if text.startswith("|", start, end):
        start += 1
    if end > start and text[end - 1] == "|" and text[end - 2] != "\\":
        end -= 1
    return trimmed(text, start, end)


def _cells(text: str, line: Line) -> int:
    start, end = _row(text, line)
    return len(_PIPE.findall(text, start, end)) + 1


class _Scanner:
    """One pass over the lines; the open text block and the open lists are its only state."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = tuple(read(text))
        self.done: list[Block] = []
        self.open: list[Line] = []  # lines of the paragraph or list item being read
        self.item: tuple[int, int] | None = None  # content start and depth, when the open lines are a list item
        self.lists: list[int] = []  # indentation of every open list, outermost first
        self.blank_before = True
        self.quotes = 0

    def run(self) -> tuple[Block, ...]:
        at = 0
        while at < len(self.lines):
            line = self.lines[at]
            if line.blank:
                self._close()
                self.blank_before, at = True, at + 1
            else:
                self._enter(line)
                at = self._read(at)
                self.blank_before = False
        self._close()
        return tuple(self.done)

    def _enter(self, line: Line) -> None:
        """A quotation that begins or ends closes everything open outside or inside it."""
        if line.quotes != self.quotes:
            self._close()
            self.lists.clear()
            self.quotes = line.quotes

    def _read(self, at: int) -> int:
        """Reads the block or the line that begins at line `at`; returns the next line to read."""
        line = self.lines[at]
        piece = self.text[line.content : line.end]
        if fence := _FENCE.match(piece):
            self._close()
            return self._fence(at, fence.group(1) or fence.group(3), (fence.group(2) or fence.group(4) or "").strip())
        if self._underlines(piece):
            self._close(heading=line)
        elif _RULE.match(piece):
            self._close()
            self._add(BlockKind.RULE, (line,), ())
        elif heading := _HEADING.match(piece):
            self._close()
            self._heading(line, heading)
        elif self._table_begins(at):
            self._close()
            return self._table(at)
        elif self._is_code(line):
            self._add(BlockKind.CODE, (line,), ((line.content, line.end),))
        else:
            self._text_line(at)
        return at + 1

    def _underlines(self, piece: str) -> bool:
        """Whether a line of dashes makes the one line before it a heading; after a full sentence it is a rule."""
        if len(self.open) != 1 or self.item or not _SETEXT.match(piece):
            return False
        return self.text[self.open[0].end - 1] not in ".!?:。！？"

    def _add(self, kind: BlockKind, lines: tuple[Line, ...], content: tuple[Range, ...], **more: Any) -> None:
        first, last = lines[0], lines[-1]
        if first.indent == 0 and kind not in (BlockKind.LIST_ITEM, BlockKind.PARAGRAPH):
            self.lists.clear()
        self.done.append(Block(kind, content, first.start, last.end, quoted=first.quotes > 0, **more))

    def _fence(self, at: int, mark: str, info: str) -> int:
        stop = at + 1
        while stop < len(self.lines) and not self._closes(self.lines[stop], mark):
            stop += 1
        code = [line for line in self.lines[at + 1 : stop] if not line.blank]
        self._add(BlockKind.FENCE, (self.lines[at],), (), info=info)
        if code:
            self._add(BlockKind.CODE, tuple(code), tuple((line.content, line.end) for line in code), info=info)
        if stop < len(self.lines):
            self._add(BlockKind.FENCE, (self.lines[stop],), (), info=info)
        return stop + 1

    def _closes(self, line: Line, mark: str) -> bool:
        piece = self.text[line.content : line.end]
        return piece.startswith(mark) and not piece.strip(mark[0])

    def _is_code(self, line: Line) -> bool:
        """Indented code: four columns after a blank line or more code, outside lists."""
        if line.indent < _CODE_INDENT or self.open or self.lists:
            return False
        return self.blank_before or (bool(self.done) and self.done[-1].kind is BlockKind.CODE)

    def _heading(self, line: Line, mark: re.Match[str]) -> None:
        start = line.content + mark.end()
        closing = _CLOSING_HASHES.search(self.text[start : line.end])
        end = start + closing.start() if closing else line.end
        content = (trimmed(self.text, start, end),) if start < end else ()
        self._add(BlockKind.HEADING, (line,), content, depth=len(mark.group(1)))

    def _table_begins(self, at: int) -> bool:
        line = self.lines[at]
        if "|" not in self.text[line.content : line.end]:
            return False
        if self.text[line.content] == "|" == self.text[line.end - 1] and line.end - line.content > 1:
            return True  # models also write rows without a header
        return self._rule_follows(at)

    def _rule_follows(self, at: int) -> bool:
        if at + 1 >= len(self.lines):
            return False
        line, rule = self.lines[at], self.lines[at + 1]
        piece = self.text[rule.content : rule.end]
        return "|" in piece and bool(_TABLE_RULE.match(piece)) and _cells(self.text, line) == _cells(self.text, rule)

    def _table(self, at: int) -> int:
        if self._rule_follows(at):
            self._add(BlockKind.TABLE_HEADER, (self.lines[at],), (_row(self.text, self.lines[at]),))
            self._add(BlockKind.TABLE_RULE, (self.lines[at + 1],), ())
            at += 2
        while at < len(self.lines) and "|" in self.text[self.lines[at].content : self.lines[at].end]:
            line = self.lines[at]
            kind = (
                BlockKind.TABLE_RULE if _TABLE_RULE.match(self.text[line.content : line.end]) else BlockKind.TABLE_ROW
            )
            self._add(kind, (line,), () if kind is BlockKind.TABLE_RULE else (_row(self.text, line),))
            at += 1
        return at

    def _text_line(self, at: int) -> None:
        line = self.lines[at]
        bullet = _BULLET.match(self.text, line.content, line.end)
        if bullet and self._starts_item(at, bullet):
            self._close()
            while self.lists and self.lists[-1] >= line.indent:
                self.lists.pop()
            self.lists.append(line.indent)
            self.item = (bullet.end(), len(self.lists))
        elif not self.open and line.indent == 0:
            self.lists.clear()
        self.open.append(line)

    def _starts_item(self, at: int, bullet: re.Match[str]) -> bool:
        """Whether a bullet is one; a numeral is not when a month follows ("3. Mai") or when it stands alone.

        It stands alone when it is not 1, no list or colon comes before it and no line counts on from it.
        """
        number = _NUMERAL.match(bullet.group())
        if not number:
            return True
        word = _WORD.match(self.text, bullet.end(), self.lines[at].end)
        if word and word.group().casefold() in months() - _NOT_ONLY_MONTHS:
            return False
        if self.lists or number.group(1) == "1":
            return True
        if self.open:
            return self.text[self.open[-1].end - 1] in ":："
        return self._counts_on(at, int(number.group(1)))

    def _counts_on(self, at: int, number: int) -> bool:
        following = self.lines[at + 1 : at + _COUNT_REACH]
        found = (_NUMERAL.match(self.text, line.content, line.end) for line in following if not line.blank)
        return any(match is not None and int(match.group(1)) in (number, number + 1) for match in found)

    def _close(self, heading: Line | None = None) -> None:
        """Ends the open paragraph, list item or underlined heading."""
        if not self.open:
            return
        lines, self.open = tuple(self.open), []
        content = [(line.content, line.end) for line in lines]
        item, self.item = self.item, None
        if heading:
            self._add(
                BlockKind.HEADING,
                (*lines, heading),
                tuple(content),
                depth=1 if self.text[heading.content] == "=" else 2,
            )
        elif item:
            content[0] = (item[0], max(item[0], lines[0].end))
            self._add(
                BlockKind.LIST_ITEM,
                lines,
                tuple(low_high for low_high in content if low_high[0] < low_high[1]),
                depth=item[1],
            )
        elif len(lines) == 1 and _BOLD_LINE.match(self.text[lines[0].content : lines[0].end]):
            self._add(BlockKind.HEADING, lines, tuple(content), depth=_BOLD_DEPTH)
        else:
            self._add(BlockKind.PARAGRAPH, lines, tuple(content), depth=len(self.lists))
