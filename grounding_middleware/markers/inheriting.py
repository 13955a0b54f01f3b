"""Rules 2 and 3 of scope: statements without markers of their own that share those of their surroundings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from grounding_middleware.claims.blocks import Block, BlockKind
from grounding_middleware.markers.placing import Coverage

__all__ = ["inherit"]

_RUNNING = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)
_ROWS = (BlockKind.TABLE_HEADER, BlockKind.TABLE_RULE, BlockKind.TABLE_ROW)
_CODE = (BlockKind.CODE, BlockKind.FENCE)
_COLONS = (":", "：")


def inherit(coverage: Coverage) -> None:
    """Fill in what is shared: markers alone in a block, at the end of a paragraph, and over a group of blocks."""
    for number, citations in coverage.lone.items():
        _from_below(coverage, number, citations)
    for number in range(len(coverage.blocks)):
        _from_the_end(coverage, number)
    for number, block in enumerate(coverage.blocks):
        below = list(_below(coverage, number, block))
        members = [one for other in below for one in coverage.members(other)]
        if members and not coverage.own(members):
            certain = coverage.blocks[below[0]].kind in _CODE or coverage.blocks[below[0]].quoted
            coverage.share(members, _announced(coverage, number), certain=certain and block.kind in _RUNNING)


def _from_below(coverage: Coverage, number: int, citations: set[int]) -> None:
    """A marker in a block of its own covers the list, table or code before it, or the last statement before it."""
    last = next((other for other in range(number - 1, -1, -1) if coverage.members(other)), None)
    if last is None:
        return
    first = last
    while _goes_on(coverage.blocks, first):
        first -= 1
    members = [one for other in range(first, last + 1) for one in coverage.members(other)]
    covered = members if _group(coverage.blocks[last]) else members[-1:]
    if not coverage.own(covered):
        coverage.share(covered, citations, certain=False)


def _goes_on(blocks: Sequence[Block], number: int) -> bool:
    """Whether the block before belongs to the same list, table or code."""
    group = _group(blocks[number])
    starts = number == 0 or blocks[number].kind is BlockKind.TABLE_HEADER
    return bool(group) and not starts and _group(blocks[number - 1]) == group


def _group(block: Block) -> str:
    """Blocks of one group stand together: the items of a list, the rows of a table, the lines of code."""
    if block.kind is BlockKind.LIST_ITEM:
        return "list"
    return "table" if block.kind in _ROWS else "code" if block.kind in _CODE else ""


def _from_the_end(coverage: Coverage, number: int) -> None:
    """Rule 2."""
    if coverage.blocks[number].kind not in _RUNNING:
        return
    members = [one for one in coverage.members(number) if coverage.claims[one].statement == "claim"]
    if len(members) > 1 and coverage.found[members[-1]] and not coverage.own(members[:-1]):
        coverage.share(members[:-1], coverage.found[members[-1]], certain=False)


def _below(coverage: Coverage, number: int, block: Block) -> Iterator[int]:
    """The blocks that a block stands over, in the sense of rule 3; none when it carries no citation."""
    if not _announced(coverage, number):
        return
    following = range(number + 1, len(coverage.blocks))
    if block.kind is BlockKind.HEADING:
        for other in following:
            if coverage.blocks[other].kind is BlockKind.HEADING and coverage.blocks[other].depth <= block.depth:
                return
            yield other
    elif block.kind is BlockKind.TABLE_HEADER:
        yield from _run(coverage.blocks, following, lambda other: other.kind in _ROWS[1:])
    elif block.kind is BlockKind.LIST_ITEM and not _ends_in_colon(coverage, number):
        yield from _run(coverage.blocks, following, lambda other: other.kind in _RUNNING and other.depth > block.depth)
    elif block.kind in _RUNNING and _ends_in_colon(coverage, number):
        yield from _announced_group(coverage.blocks, following, block)


def _announced_group(blocks: Sequence[Block], following: range, block: Block) -> Iterator[int]:
    """What a line that ends in a colon announces: the next list, table, code or quotation."""
    first = blocks[following[0]] if following else None
    if first is None:
        return
    if first.quoted and not block.quoted:
        yield from _run(blocks, following, lambda other: other.quoted)
    elif first.kind is BlockKind.LIST_ITEM:
        deeper = block.depth if block.kind is BlockKind.LIST_ITEM else 0
        yield from _run(blocks, following, lambda other: other.kind in _RUNNING and other.depth > deeper)
    elif _group(first):
        yield from _run(blocks, following, lambda other: _group(other) == _group(first))


def _run(blocks: Sequence[Block], numbers: range, fits: Callable[[Block], bool]) -> Iterator[int]:
    for number in numbers:
        if not fits(blocks[number]):
            return
        yield number


def _ends_in_colon(coverage: Coverage, number: int) -> bool:
    """Whether the text of a block, markers aside, ends in a colon."""
    block = coverage.blocks[number]
    text = coverage.answer[block.start : block.end]
    if text.endswith(_COLONS):
        return True
    members = coverage.members(number)
    return bool(members) and coverage.answer[coverage.claims[members[-1]].end - 1] in _COLONS


def _announced(coverage: Coverage, number: int) -> set[int]:
    """The citations of the last statement of a block."""
    members = coverage.members(number)
    return coverage.found[members[-1]] if members else set()
