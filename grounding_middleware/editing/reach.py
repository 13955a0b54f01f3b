"""How far a sentence reaches beyond its words: markers, end punctuation, closing quotes, opening emphasis.

The reaches of the sentences of one block do not overlap; between two of them there is nothing but white space.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from grounding_middleware.editing.layout import Block
from grounding_middleware.editing.pairs import Pair, pairs
from grounding_middleware.editing.plan import Plan
from grounding_middleware.editing.units import Unit

_BREAK = re.compile(r"<br\s{0,3}/?>", re.IGNORECASE)
_ENDS = frozenset(".!?…。！？؟۔।:;,、，；：؛،")
_CLOSERS = frozenset(")]}”’»›」』）】》>")
_SPACED_ENDS = frozenset("!?:;»")  # French sets a space before these


@dataclass(frozen=True, slots=True)
class Reach:
    """One unit with all that belongs to it: `answer[low:high]`."""

    unit: Unit
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Passage:
    """The sentences of one block with their reaches, and the pairs of delimiters among them."""

    reaches: list[Reach]
    pairs: list[Pair]


def passage(plan: Plan, number: int) -> Passage:
    """The reaches of all units of a block, in order."""
    return _Reader(plan, number).passage()


class _Reader:
    """Reads one block from left to right."""

    def __init__(self, plan: Plan, number: int) -> None:
        self.answer = plan.source.answer
        self.plan = plan
        self.block: Block = plan.blocks[number]
        self.units = plan.units_in(number)
        lines = plan.layout.lines[self.block.first : self.block.last + 1]
        self.jumps = {line.end: after.content for line, after in pairwise(lines)}
        self.line_starts = frozenset(self.jumps.values())
        markers = plan.markers_in(self.block.start, self.block.end)
        self.pairs = pairs(self.answer, self.block.start, self.block.end, markers)
        self.closing = {pair.close[0]: pair.close[1] for pair in self.pairs}
        self.marker_ends = dict(markers)

    def passage(self) -> Passage:
        """One reach for each unit; the first begins with the block, the last ends with it."""
        reaches: list[Reach] = []
        at = self.block.start
        for number, unit in enumerate(self.units):
            low = min(self._past_space(at, unit.start), unit.start)
            after = self.units[number + 1] if number + 1 < len(self.units) else None
            high = self._tail(unit, after) if after else max(self.block.end, unit.end)
            reaches.append(Reach(unit, low, high))
            at = high
        return Passage(reaches, self.pairs)

    def _past_space(self, at: int, limit: int) -> int:
        """Behind white space and `<br>`; a line break takes the quotation marks of the next line along."""
        while at < limit:
            if at in self.jumps:
                at = max(self.jumps[at], at + 1)
            elif self.answer[at].isspace():
                at += 1
            elif self.answer[at] == "<" and (tag := _BREAK.match(self.answer, at, limit)):
                at = tag.end()
            else:
                break
        return at

    def _tail(self, unit: Unit, after: Unit) -> int:
        """Where the punctuation and the markers of a sentence end."""
        at = unit.end
        while at < after.start:
            behind = self._step(at, unit, after)
            if behind <= at:
                break
            at = behind
        return min(at, after.start)

    def _step(self, at: int, unit: Unit, after: Unit) -> int:
        char = self.answer[at]
        if at in self.closing:
            return self.closing[at]
        if char in _ENDS or char in _CLOSERS:
            return at + 1
        over = self._past_space(at, after.start)
        if over in self.closing and self.answer[over] in _SPACED_ENDS:
            return self.closing[over]
        if over in self.marker_ends and self._owns(over, unit, after):
            return self.marker_ends[over]
        if over > at and over not in self.line_starts and self.answer[over : over + 1] in _SPACED_ENDS:
            return over + 1
        return at

    def _owns(self, marker: int, unit: Unit, after: Unit) -> bool:
        """A marker belongs to the sentence before it, unless only the next one rests on it."""
        mine, others = self.plan.cited(unit), self.plan.cited(after)
        return (marker in mine) or (marker not in others)
