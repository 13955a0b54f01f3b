"""Lines gathered into blocks and nested list items: what goes together when a part of the answer goes.

A block is the smallest piece that can be dropped as a whole: a paragraph, a heading, one table row, one code block.
Every list item owns the blocks from its marker up to its first child item.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from grounding_middleware.editing.lines import Line, LineKind
from grounding_middleware.records import Range

PSEUDO_HEADING = 7
"""Level of a paragraph that is one line in bold: below every real heading."""


class BlockKind(StrEnum):
    """What a block is made of."""

    TEXT = "text"
    HEADING = "heading"
    HEADER = "header"
    ROW = "row"
    CODE = "code"
    BREAK = "break"
    DEFINITION = "definition"


@dataclass(slots=True)
class Block:
    """Lines `first` to `last`, whose words are `answer[start:end]`; `item` is the innermost list item, -1 for none.

    `depth` counts the list items and quotations around it; `table` numbers the tables, -1 outside of one. `adopted`
    marks code or text at the margin between two numbered steps: it belongs to the first of them.
    """

    kind: BlockKind
    first: int
    last: int
    start: int
    end: int
    item: int
    depth: int
    level: int = 0
    table: int = -1
    info: str = ""
    adopted: bool = False


@dataclass(slots=True)
class Item:
    """A list item: its marker, its column, the item around it and the numbered series it counts in (-1: a bullet)."""

    marker: Range
    indent: int
    quote: int
    parent: int
    depth: int
    series: int = -1


@dataclass(slots=True)
class Layout:
    """The whole answer as lines, blocks in order, and items."""

    lines: list[Line]
    blocks: list[Block] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)

    def ancestors(self, item: int) -> Iterator[int]:
        """The items around this one, innermost first."""
        around = self.items[item].parent
        while around >= 0:
            yield around
            around = self.items[around].parent


_BOLD_LINE = re.compile(r"(\*\*|__)(?=\S)[^*_\r\n]{1,200}(?<=\S)\1[^\S\r\n]*[:：]?[^\S\r\n]*$")
_NUMBER = re.compile(r"\d+")
_KINDS = {
    LineKind.HEADER: BlockKind.HEADER,
    LineKind.TABLE_RULE: BlockKind.HEADER,
    LineKind.ROW: BlockKind.ROW,
    LineKind.BREAK: BlockKind.BREAK,
    LineKind.DEFINITION: BlockKind.DEFINITION,
    LineKind.HEADING: BlockKind.HEADING,
    LineKind.FENCE: BlockKind.CODE,
    LineKind.CODE: BlockKind.CODE,
}
_GROWS = (BlockKind.TEXT, BlockKind.CODE, BlockKind.HEADER)


def arrange(answer: str, lines: list[Line]) -> Layout:
    """The layout of `answer`; `lines` as `scan` returned them."""
    builder = _Builder(answer, Layout(lines))
    for number, line in enumerate(lines):
        builder.add(number, line)
    builder.finish()
    return builder.layout


class _Builder:
    """Adds one line after the other; `open` is the stack of list items the next line may belong to."""

    def __init__(self, answer: str, layout: Layout) -> None:
        self.answer = answer
        self.layout = layout
        self.open: list[int] = []
        self.series: dict[tuple[int, str], tuple[int, int, int]] = {}
        self.tables = 0

    def add(self, number: int, line: Line) -> None:
        """Put the line into the block it continues or begins."""
        if line.kind is LineKind.BLANK:
            return
        if line.kind is LineKind.ITEM:
            self._open_item(line)
        elif not self._lazy(number, line):
            self._close_items(line)
        if not self._grows(number, line):
            self._begin(number, line)

    def finish(self) -> None:
        """Name the paragraphs that serve as headings."""
        for block in self.layout.blocks:
            alone = block.kind is BlockKind.TEXT and block.item < 0 and block.first == block.last
            if alone and _BOLD_LINE.match(self.answer, block.start, block.end):
                block.kind, block.level = BlockKind.HEADING, PSEUDO_HEADING

    def _open_item(self, line: Line) -> None:
        items = self.layout.items
        while self.open and not self._inside(line, items[self.open[-1]]):
            self.open.pop()
        parent = self.open[-1] if self.open else -1
        depth = items[parent].depth + 1 if parent >= 0 else 1
        items.append(Item(line.marker, line.indent, line.quote, parent, depth))
        self.open.append(len(items) - 1)
        self._count(line, parent)

    def _inside(self, line: Line, item: Item) -> bool:
        """Two columns further in is inside: models nest with two spaces also under "1. "."""
        return line.quote == item.quote and line.indent >= item.indent + 2

    def _lazy(self, number: int, line: Line) -> bool:
        """A text line right below a paragraph belongs to it, whatever its indentation."""
        last = self.layout.blocks[-1] if self.layout.blocks else None
        return (
            line.kind is LineKind.TEXT and last is not None and last.kind is BlockKind.TEXT and last.last == number - 1
        )

    def _close_items(self, line: Line) -> None:
        items = self.layout.items
        if line.kind is LineKind.CODE or (line.kind is LineKind.FENCE and not line.opens):
            return
        while self.open and not self._inside(line, items[self.open[-1]]):
            self.open.pop()
        if line.kind is LineKind.HEADING:
            self.series.clear()

    def _count(self, line: Line, parent: int) -> None:
        """Join a numbered item to the series it continues, also across code or text at the margin in between."""
        text = self.answer[slice(*line.marker)]
        digits = _NUMBER.search(text)
        if not digits and len(text) == 1 and not text.isalnum():
            return
        value = int(digits[0]) if digits else -1
        form = _NUMBER.sub("1", text) if digits else re.sub(r"\w+", "a", text)
        key = (parent, form)
        item = len(self.layout.items) - 1
        series, last_value, last_item = self.series.get(key, (item, 0, -1))
        between = self._margin_blocks(last_item, self.layout.items[item].depth + line.quote)
        continues = last_item >= 0 and (value in (-1, last_value + 1) or (value == last_value and not between))
        self.layout.items[item].series = series = series if continues else item
        self.series[key] = (series, value, item)
        for block in between if continues else ():
            block.item, block.depth, block.adopted = last_item, self.layout.items[last_item].depth + line.quote, True

    def _margin_blocks(self, last_item: int, depth: int) -> list[Block]:
        """The blocks since the last step that stand further out than it."""
        found: list[Block] = []
        for block in reversed(self.layout.blocks):
            if block.depth >= depth or block.item == last_item or block.kind is BlockKind.HEADING:
                break
            found.append(block)
        return found

    def _grows(self, number: int, line: Line) -> bool:
        """Whether the line continues the last block."""
        blocks = self.layout.blocks
        if not blocks:
            return False
        last = blocks[-1]
        if line.kind is LineKind.UNDERLINE and last.last == number - 1:
            last.kind, last.last = BlockKind.HEADING, number
            last.level = 1 if self.answer[line.content] == "=" else 2
            return True
        kind = _KINDS.get(line.kind, BlockKind.TEXT)
        same = last.kind is kind and kind in _GROWS and line.kind is not LineKind.ITEM
        code = kind is BlockKind.CODE and not line.opens
        quoted = line.quote == self.layout.lines[last.last].quote
        if not same or not (code or (last.last == number - 1 and quoted and not line.opens)):
            return False
        last.last = number
        if line.kind is not LineKind.TABLE_RULE:
            last.end = max(last.start, self._trimmed(line))
        return True

    def _begin(self, number: int, line: Line) -> None:
        kind = _KINDS.get(line.kind, BlockKind.TEXT)
        if line.kind is LineKind.ITEM and line.opens:
            kind = BlockKind.CODE
        item = self.open[-1] if self.open else -1
        depth = (self.layout.items[item].depth if item >= 0 else 0) + line.quote
        if kind is BlockKind.HEADER:
            self.tables += 1
        self.layout.blocks.append(
            Block(
                kind=kind,
                first=number,
                last=number,
                start=line.content,
                end=max(line.content, self._trimmed(line)),
                item=item,
                depth=depth,
                level=line.level,
                table=self._table(number, kind),
                info=line.info,
            )
        )

    def _table(self, number: int, kind: BlockKind) -> int:
        """The number of the table a row stands in; rows without a header make a table of their own."""
        if kind is BlockKind.HEADER:
            return self.tables
        if kind is not BlockKind.ROW:
            return -1
        last = self.layout.blocks[-1] if self.layout.blocks else None
        if last is None or last.table < 0 or last.last != number - 1:
            self.tables += 1
        return self.tables

    def _trimmed(self, line: Line) -> int:
        return line.start + len(self.answer[line.start : line.end].rstrip())
