"""Rule 1 of scope: markers inside, behind or in front of a statement of the same block."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from grounding_middleware.claims.blocks import Block
from grounding_middleware.records import Citation, Claim, Range

__all__ = ["Coverage", "place"]

_DEFINITION = re.compile(r"[ \t]*\[\^[^\]\s]+\]:")


class Coverage:
    """What is known so far: `found[i]` are the citations of claim i, `ambiguous` the claims that only share some.

    `lone` maps a block that holds nothing but markers to their citations.
    """

    def __init__(
        self, claims: Sequence[Claim], citations: Sequence[Citation], blocks: Sequence[Block], answer: str
    ) -> None:
        self.claims, self.citations, self.blocks, self.answer = claims, citations, blocks, answer
        self.found: list[set[int]] = [set() for _ in claims]
        self.ambiguous: set[int] = set()
        self.lone: dict[int, set[int]] = defaultdict(set)
        self._claim_starts = [claim.start for claim in claims]
        self._block_starts = [block.start for block in blocks]

    def block_at(self, index: int) -> int:
        """The number of the block at a place of the answer."""
        return max(0, bisect_right(self._block_starts, index) - 1)

    def members(self, block: int) -> range:
        """Numbers of the claims that begin in a block."""
        low = bisect_left(self._claim_starts, self.blocks[block].start)
        return range(low, bisect_left(self._claim_starts, self.blocks[block].end, low))

    def statement(self, members: range, marker: Range, *, leading: bool) -> int:
        """The claim of `members` that a marker of their block belongs to; `leading` markers open their sentences."""
        low, high = members[0], members[-1] + 1
        before = bisect_right(self._claim_starts, marker[0], low, high) - 1
        if before < low:
            return low
        if before + 1 == high or marker[0] < self.claims[before].end:
            return before
        gap_before = self.answer[self.claims[before].end : marker[0]]
        gap_after = self.answer[marker[1] : self.claims[before + 1].start]
        opens_line = "\n" in gap_before and "\n" not in gap_after
        return before + 1 if leading or opens_line else before

    def markers(self) -> dict[Range, set[int]]:
        """Each marker with the citations written in it, in order."""
        grouped: dict[Range, set[int]] = defaultdict(set)
        for number, citation in enumerate(self.citations):
            grouped[citation.start, citation.end].add(number)
        return grouped

    def own(self, numbers: Iterable[int]) -> set[int]:
        """All citations of these claims."""
        return set().union(*(self.found[number] for number in numbers))

    def share(self, numbers: Iterable[int], citations: set[int], *, certain: bool) -> None:
        """Give `citations` to the claims among `numbers`; other statements carry none but their own."""
        for number in numbers:
            if self.claims[number].statement == "claim" and citations:
                self.found[number] |= citations
                if not certain:
                    self.ambiguous.add(number)


def place(coverage: Coverage, skip: Collection[int]) -> None:
    """Give every citation outside `skip` to the statement its marker stands in or at."""
    by_block: dict[int, list[tuple[Range, set[int]]]] = defaultdict(list)
    for marker, numbers in coverage.markers().items():
        if numbers.isdisjoint(skip) and not _DEFINITION.match(coverage.answer, marker[0]):
            by_block[coverage.block_at(marker[0])].append((marker, numbers))
    for block, markers in by_block.items():
        members = coverage.members(block)
        if not members:
            coverage.lone[block] |= set().union(*(numbers for _, numbers in markers))
            continue
        leading = _leads(coverage, members, [marker for marker, _ in markers])
        for marker, numbers in markers:
            coverage.found[coverage.statement(members, marker, leading=leading)] |= numbers


def _leads(coverage: Coverage, members: range, markers: Sequence[Range]) -> bool:
    """Whether the markers of a block stand before their sentences: one opens the block and none ends it."""
    return markers[0][0] < coverage.claims[members[0]].start and markers[-1][0] < coverage.claims[members[-1]].end
