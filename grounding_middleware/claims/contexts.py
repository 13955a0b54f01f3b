"""Text needed to read a block: the header of a row, the line that announces a list, the heading above it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grounding_middleware.claims.blocks import Block, BlockKind

__all__ = ["contexts"]


def contexts(answer: str, blocks: Sequence[Block]) -> Iterator[str]:
    """For each block its context, "" for those that need none: header row, or announcing line with the heading."""
    header = heading = intro = ""
    for block in blocks:
        text = " ".join(answer[low:high] for low, high in block.lines)
        if block.kind is BlockKind.TABLE_HEADER:
            header = text
        elif block.kind is BlockKind.HEADING:
            heading, intro = text.strip("*_ "), ""
        elif block.kind is BlockKind.PARAGRAPH and not block.depth:
            intro = text if text.endswith((":", "：")) else ""
        if block.kind not in (BlockKind.TABLE_HEADER, BlockKind.TABLE_RULE, BlockKind.TABLE_ROW):
            header = ""
        yield _context(block.kind, header, heading, intro)


def _context(kind: BlockKind, header: str, heading: str, intro: str) -> str:
    if kind is BlockKind.TABLE_ROW:
        return header or intro
    if kind is BlockKind.LIST_ITEM:
        return " / ".join(part for part in (heading, intro) if part)
    return intro if kind is BlockKind.CODE else ""
