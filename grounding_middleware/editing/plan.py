"""What stays and what goes so far, with the reason; the rules of the other files only ever add to what goes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection

from grounding_middleware.editing.layout import Block
from grounding_middleware.editing.lines import Line
from grounding_middleware.editing.units import Source, Unit, gather, without
from grounding_middleware.records import Label, Range, Treatment, Verdict

REMOVED = frozenset({Treatment.REMOVE, Treatment.REPAIR, Treatment.BLOCK})
"""Treatments that take a statement out of the text; a repair that is not there yet falls back to removal."""


class Plan:
    """The units of one answer and which of them go; `cascaded` are verdicts that go although the policy kept them."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.layout = source.layout
        self.blocks = source.layout.blocks
        self.units = gather(source)
        self.markers = source.markers()
        self._starts = [(unit.block, unit.start) for unit in self.units]
        self.cascaded: dict[int, str] = {}
        self._first = [bisect_left(self.units, n, key=_block) for n in range(len(self.blocks) + 1)]
        self._units_of: dict[int, list[Unit]] = {}
        self._left = [self._first[n + 1] - self._first[n] for n in range(len(self.blocks))]
        for unit in self.units:
            for member in unit.members:
                self._units_of.setdefault(member, []).append(unit)

    def units_in(self, block: int) -> list[Unit]:
        """The units of one block, in order."""
        return self.units[self._first[block] : self._first[block + 1]]

    def first_unit(self, block: int) -> int:
        """Index of the first unit at or behind the start of this block."""
        return self._first[block]

    def remove(self, unit: Unit, reason: str) -> bool:
        """Take a unit out, and with it the other places its verdicts reach; False when it is gone already."""
        if unit.gone:
            return False
        waiting = [unit]
        while waiting:
            one = waiting.pop()
            if one.gone:
                continue
            one.gone, one.cut = reason, None
            self._left[one.block] -= 1
            for member in one.members:
                if self.source.verdicts[member].treatment not in REMOVED:
                    self.cascaded.setdefault(member, reason)
                waiting += self._units_of.pop(member, ())
        return True

    def remove_block(self, block: int, reason: str) -> bool:
        """Take out every unit of a block; True when any was still there."""
        return sum(self.remove(unit, reason) for unit in self.units_in(block)) > 0

    def gone(self, block: int) -> bool:
        """Whether nothing of the block stays; False for blocks that never held words."""
        return self._left[block] == 0 and self._first[block] < self._first[block + 1]

    def stays(self, block: int) -> bool:
        """Whether words of the block stay."""
        return self._left[block] > 0

    def touched(self, block: int) -> bool:
        """Whether some, but not all of the block goes."""
        return self.stays(block) and any(unit.gone or unit.cut for unit in self.units_in(block))

    def block(self, unit: Unit) -> Block:
        """The block of a unit."""
        return self.blocks[unit.block]

    def verdicts(self, unit: Unit) -> list[Verdict]:
        """The verdicts of a unit."""
        return [self.source.verdicts[member] for member in unit.members]

    def is_claim(self, unit: Unit) -> bool:
        """Whether anything in the unit can be true or false."""
        return any(verdict.label.is_claim or verdict.label is Label.ABSTENTION for verdict in self.verdicts(unit))

    def text(self, unit: Unit) -> str:
        """The words of the unit."""
        return self.source.answer[unit.start : unit.end]

    def tail(self, unit: Unit) -> str:
        """What follows the words up to the next unit or the end of the block, without citation markers."""
        block = self.blocks[unit.block]
        position = bisect_right(self._starts, (unit.block, unit.start))
        after = self.units[position] if position < len(self.units) else None
        end = after.start if after and after.block == unit.block else max(block.end, unit.end)
        return self.without_markers(unit.end, end)

    def markers_in(self, start: int, end: int) -> list[Range]:
        """The citation markers that begin in `[start, end)`."""
        return self.markers[bisect_left(self.markers, (start, 0)) : bisect_left(self.markers, (end, 0))]

    def without_markers(self, start: int, end: int) -> str:
        """`answer[start:end]` with the citation markers left out."""
        return without(self.source.answer, self.markers, start, end)

    def past_markers(self, start: int, end: int, but: Collection[int] = ()) -> int:
        """Behind the markers that follow `start` and the blanks between; stops before one that begins in `but`."""
        at = start
        for low, high in self.markers_in(start, end):
            if low in but or self.source.answer[at:low].strip(" "):
                break
            at = high
        return at

    def cited(self, unit: Unit) -> set[int]:
        """Where the markers begin that the unit rests on; without its tail, those of what stays."""
        verdicts, citations = self.verdicts(unit), self.source.citations
        if unit.cut:
            verdicts = [verdict for verdict in verdicts if verdict.treatment not in REMOVED]
        numbers = {number for verdict in verdicts for number in verdict.citations}
        return {citations[number].start for number in numbers if number < len(citations)}

    def lines_of(self, unit: Unit) -> range:
        """The lines the words of the unit stand on."""
        block = self.blocks[unit.block]
        lines, behind = self.layout.lines, block.last + 1
        first = bisect_right(lines, unit.start, block.first, behind, key=_line_start) - 1
        return range(first, max(first + 1, bisect_left(lines, unit.end, block.first, behind, key=_line_start)))

    def language(self, unit: Unit) -> str:
        """The language of the unit as far as it is stated."""
        return next((verdict.language for verdict in self.verdicts(unit) if verdict.language), "")


def _line_start(line: Line) -> int:
    return line.start


def _block(unit: Unit) -> int:
    return unit.block
