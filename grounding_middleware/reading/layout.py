"""The pieces of a source text a claim can be aligned with: sentences, list items, table rows, headings."""

from __future__ import annotations

import re
from dataclasses import dataclass

from grounding_middleware.claims.blocks import Block, BlockKind, scan
from grounding_middleware.claims.sentences import sentences
from grounding_middleware.records import Range

_LABEL = re.compile(
    r"\s*(?:(?:[-–•*·]\s*)?\d{1,2}(?:\s{2,}|\s[-–]\s+)(?=[^\W\d_]))?(?:(?:§\s*)?\d{1,2}(?:\.\d{1,2}){0,3}[.)]?\s+(?=[^\W\d_]))?(?:(?:step|schritt|étape|paso)\s+\d{1,2}\s*[:.)–-]\s*)?",
    re.IGNORECASE,
)
_PROSE = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)


@dataclass(frozen=True, slots=True)
class Piece:
    """`text[start:end]` is one piece; `header` is the table header row it stands under, `block` counts blocks.

    `depth` is the level of a heading; `alone` is True for the only sentence of its block.
    """

    start: int
    end: int
    kind: BlockKind
    block: int
    header: Range | None = None
    depth: int = 0
    alone: bool = False


def layout(text: str, language: str) -> tuple[Piece, ...]:
    """Pieces in order, not overlapping; together they hold every word of `text`."""
    pieces: list[Piece] = []
    header: Range | None = None
    for number, block in enumerate(scan(text)):
        if block.kind is BlockKind.TABLE_HEADER:
            header = (block.start, block.end)
        elif block.kind not in (BlockKind.TABLE_ROW, BlockKind.TABLE_RULE):
            header = None
        if block.kind in _PROSE:
            found = _sentences(text, block, language)
            alone = len(found) == 1
            pieces += [Piece(low, high, block.kind, number, alone=alone) for low, high in found]
        elif block.kind not in (BlockKind.TABLE_RULE, BlockKind.FENCE, BlockKind.RULE):
            pieces.append(Piece(block.start, block.end, block.kind, number, header, block.depth))
    return tuple(pieces)


def _sentences(text: str, block: Block, language: str) -> list[Range]:
    found = sentences(text[block.start : block.end], language)
    return [(_unlabelled(text, block.start + low, block.start + high), block.start + high) for low, high in found]


def _unlabelled(text: str, start: int, end: int) -> int:
    """Behind a step number that lost its list markup ("1  Step 1: Open"): it counts steps, it says nothing."""
    label = _LABEL.match(text, start, end)
    return label.end() if label and label.end() < end else start
