"""Cutting sentences out of a paragraph: one separator stays, emphasis stays balanced, shared markers stay."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from grounding_middleware.editing.plan import Plan
from grounding_middleware.editing.reach import Passage, Reach, passage
from grounding_middleware.editing.units import Unit
from grounding_middleware.records import Range


class Cut(NamedTuple):
    """`answer[start:end]` becomes `replacement`; it goes with `unit`."""

    start: int
    end: int
    unit: Unit
    replacement: str = ""


def cuts(plan: Plan, number: int) -> Iterator[Cut]:
    """What to cut from a block of which some units stay, left to right, without overlap."""
    read = passage(plan, number)
    left, right = _needed(plan, read)
    first, count = 0, len(read.reaches)
    while first < count:
        unit = read.reaches[first].unit
        if unit.gone:
            behind = next((n for n in range(first, count) if not read.reaches[n].unit.gone), count)
            yield from _Zone(plan, read.reaches, first, behind).cuts(left, right)
            first = behind
            continue
        if unit.cut:
            shared = [piece for piece in left if unit.cut[0] <= piece[0] < unit.cut[1]]
            yield from (Cut(low, high, unit) for low, high in _rest(unit.cut, shared))
        first += 1


def _needed(plan: Plan, read: Passage) -> tuple[list[Range], list[Range]]:
    """Delimiters and markers that kept sentences need: those that belong to the left, and those to the right."""
    reaches, answer = read.reaches, plan.source.answer
    starts = [reach.low for reach in reaches]
    kept = [0]
    for reach in reaches:
        kept.append(kept[-1] + (not reach.unit.gone))
    left, right = set[Range](), set[Range]()
    for pair in read.pairs:
        low, high = (max(0, bisect_right(starts, half[0]) - 1) for half in (pair.open, pair.close))
        if low != high and kept[high + 1] > kept[low]:
            right.add((pair.open[0], pair.open[1] + _blanks(answer[pair.open[1] : pair.open[1] + 1])))
            left.add((pair.close[0] - _blanks(answer[pair.close[0] - 1 : pair.close[0]]), pair.close[1]))
    citing: dict[int, int] = {}  # start of a marker -> the first kept sentence that rests on it
    for reach in reaches:
        for start in () if reach.unit.gone else plan.cited(reach.unit):
            citing.setdefault(start, reach.low)
    for low, high in plan.markers_in(starts[0], reaches[-1].high):
        if low in citing and citing[low] <= low:
            left.add((low - _blanks(answer[max(0, low - 1) : low]), high))
        elif low in citing:
            right.add((low, high + _blanks(answer[high : high + 1])))
    return sorted(left), sorted(right)


def _blanks(char: str) -> int:
    """1 if the character is a blank that belongs to the delimiter or marker beside it."""
    return int(char in {" ", "\u00a0", "\u202f"})


class _Zone:
    """Removed sentences side by side, `first` to `behind - 1`, between two kept ones or an end of the block."""

    def __init__(self, plan: Plan, reaches: Sequence[Reach], first: int, behind: int) -> None:
        self.answer = plan.source.answer
        self.removed = reaches[first:behind]
        self.before = reaches[first - 1] if first else None
        self.after = reaches[behind] if behind < len(reaches) else None
        self.low = self.before.high if self.before else self.removed[0].low
        self.high = self.after.low if self.after else self.removed[-1].high

    def cuts(self, left: Sequence[Range], right: Sequence[Range]) -> Iterator[Cut]:
        """Pure deletions where what stays stands in the right order, else one replacement."""
        closers, openers = self._inside(left), self._inside(right)
        separator = self._separator(closers, openers)
        stays = [*closers, *((separator,) if separator else ()), *openers]
        if stays == sorted(stays):
            for low, high in _rest((self.low, self.high), stays):
                yield from self._by_unit(low, high)
        else:
            yield Cut(self.low, self.high, self.removed[0].unit, "".join(self.answer[slice(*piece)] for piece in stays))

    def _inside(self, pieces: Sequence[Range]) -> list[Range]:
        near = pieces[bisect_left(pieces, (self.low, 0)) : bisect_left(pieces, (self.high, 0))]
        return [piece for piece in near if piece[1] <= self.high]

    def _separator(self, closers: Sequence[Range], openers: Sequence[Range]) -> Range | None:
        """The white space that stays: behind what closes, before what opens, a line break rather than a blank."""
        if not (self.before and self.after):
            return None
        around = [self.before, *self.removed, self.after]
        gaps = [(one.high, other.low) for one, other in pairwise(around)]
        low = max((piece[1] for piece in closers), default=self.low)
        high = min((piece[0] for piece in openers), default=self.high)
        fitting = [gap for gap in gaps if low <= gap[0] and gap[1] <= high] or gaps[:1]
        broken = [gap for gap in fitting if {"\n", "\r"}.intersection(self.answer[slice(*gap)])]
        return (broken or fitting)[0]

    def _by_unit(self, low: int, high: int) -> Iterator[Cut]:
        """One cut for each sentence, so that every edit names its claim."""
        starts = [reach.low for reach in self.removed]
        while low < high:
            owner = max(0, bisect_right(starts, low) - 1)
            end = min(high, starts[owner + 1]) if owner + 1 < len(starts) else high
            yield Cut(low, end, self.removed[owner].unit)
            low = end


def _rest(whole: Range, stays: Sequence[Range]) -> Iterator[Range]:
    """`whole` without the ordered ranges that stay."""
    at = whole[0]
    for low, high in stays:
        if at < low:
            yield at, low
        at = max(at, high)
    if at < whole[1]:
        yield at, whole[1]
