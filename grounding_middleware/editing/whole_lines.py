"""Dropping whole lines: blocks, list items, rows and lines of code that are gone, with the blank lines they leave.

A run of dropped and blank lines keeps the larger of the blank stretches at its two ends, none at the start of the text;
at its end the text keeps the line break, or the lack of one, that it had.
"""

from __future__ import annotations

from collections.abc import Iterator

from grounding_middleware.editing.inline import Cut
from grounding_middleware.editing.layout import BlockKind
from grounding_middleware.editing.lines import LineKind
from grounding_middleware.editing.plan import Plan
from grounding_middleware.editing.units import Unit


def line_cuts(plan: Plan) -> list[Cut]:
    """What to cut so that every dropped line is gone, left to right."""
    return _Dropper(plan).cuts()


class _Dropper:
    """`owner` maps a line that goes to the unit it goes with; `pulled` are lines that another cut covers."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.lines = plan.layout.lines
        self.owner: dict[int, Unit] = {}
        self.pulled: set[int] = set()
        self.pulls: list[Cut] = []
        self.item_at = [-1] * len(self.lines)
        for block in plan.blocks:
            self.item_at[block.first : block.last + 1] = [block.item] * (block.last + 1 - block.first)

    def cuts(self) -> list[Cut]:
        """All cuts, ordered."""
        for number, block in enumerate(self.plan.blocks):
            if self.plan.gone(number):
                self._drop(block.first, block.last, self.plan.units_in(number)[0])
            elif block.kind is BlockKind.CODE and self.plan.touched(number):
                self._drop_code(number)
        self._pull_up()
        self._drop_breaks()
        self._drop_quote_rests()
        kept_out = [self._run(*run) for run in self._runs()]
        found = [cut for cuts in kept_out for cut in cuts]
        return sorted([*self.pulls, *found], key=lambda cut: cut.start)

    def _drop(self, first: int, last: int, unit: Unit) -> None:
        for number in range(first, last + 1):
            self.owner.setdefault(number, unit)

    def _drop_code(self, number: int) -> None:
        """Of shell commands, only the lines of the units that go."""
        for unit in self.plan.units_in(number):
            if unit.gone:
                lines = self.plan.lines_of(unit)
                self._drop(lines[0], lines[-1], unit)

    def _pull_up(self) -> None:
        """Where only the first paragraph of a list item goes, the next one moves up behind the marker."""
        blocks = self.plan.blocks
        for number, block in enumerate(blocks):
            if self.lines[block.first].kind is not LineKind.ITEM or not self.plan.gone(number):
                continue
            after = number + 1
            while after < len(blocks) and blocks[after].item == block.item and not self.plan.stays(after):
                after += 1
            if after < len(blocks) and blocks[after].item == block.item and not blocks[after].adopted:
                self.pulls.append(Cut(block.start, blocks[after].start, self.plan.units_in(number)[0]))
                self.pulled.update(range(block.first, blocks[after].first))

    def _drop_breaks(self) -> None:
        """Of two rules (---) with nothing left between them one goes, and one at an edge with nothing beyond it."""
        pending, lost = -1, None
        kept_before = False
        for number, block in enumerate(self.plan.blocks):
            if block.kind is BlockKind.BREAK:
                if lost and (pending >= 0 or not kept_before):
                    self._drop(block.first, block.last, lost)
                else:
                    pending = number
                lost = None
            elif self.plan.gone(number):
                lost = self.plan.units_in(number)[0]
            else:
                pending, lost, kept_before = -1, None, True
        if pending >= 0 and lost:
            self._drop(self.plan.blocks[pending].first, self.plan.blocks[pending].last, lost)

    def _drop_quote_rests(self) -> None:
        """A block quotation without words left loses its bare ">" lines."""
        first = 0
        while first < len(self.lines):
            behind = first + 1
            if self.lines[first].quote:
                while behind < len(self.lines) and self.lines[behind].quote:
                    behind += 1
                words = [n for n in range(first, behind) if self.lines[n].kind is not LineKind.BLANK]
                if words and all(n in self.owner for n in words):
                    self._drop(first, behind - 1, self.owner[words[0]])
            first = behind

    def _runs(self) -> Iterator[tuple[int, int]]:
        """Stretches [first, behind) of dropped and blank lines with at least one dropped."""
        first = 0
        while first < len(self.lines):
            behind = first
            while behind < len(self.lines) and self._loose(behind):
                behind += 1
            if any(self._dropped(number) for number in range(first, behind)):
                yield first, behind
            first = behind + 1

    def _dropped(self, number: int) -> bool:
        return number in self.owner and number not in self.pulled

    def _loose(self, number: int) -> bool:
        blank = self.lines[number].kind is LineKind.BLANK
        return number not in self.pulled and (blank or number in self.owner)

    def _run(self, first: int, behind: int) -> list[Cut]:
        """The cuts of one stretch, each with the unit of the dropped line before it."""
        dropped = [number for number in range(first, behind) if self._dropped(number)]
        before, after = range(first, dropped[0]), range(dropped[-1] + 1, behind)
        at_start, at_end = first == 0, behind == len(self.lines)
        keep = before if self._prefers(before, after, at_start=at_start, at_end=at_end) else after
        if not at_start and not at_end and self._inside_list(first - 1, behind):
            keep = min(before, after, key=len)
        cuts: list[Cut] = []
        unit = self.owner[dropped[0]]
        for number in range(first, behind):
            unit = self.owner.get(number, unit)
            if number not in keep:
                _extend(cuts, self.lines[number].start, self.lines[number].next, unit)
        if at_end and not at_start and cuts and self.lines[-1].end == self.lines[-1].next and behind - 1 not in keep:
            above = self.lines[first - 1]  # the text ended without a line break and still does
            cuts[0] = cuts[0]._replace(start=above.end) if cuts[0].start == above.next else cuts[0]
        return cuts

    def _inside_list(self, above: int, below: int) -> bool:
        """Whether the lines around belong to list items: there a blank line only separates what needs it."""
        return self.lines[below].kind is LineKind.ITEM and self.item_at[above] >= 0

    def _prefers(self, before: range, after: range, *, at_start: bool, at_end: bool) -> bool:
        """Whether the blank lines before the dropped ones stay rather than those behind them."""
        if at_start or at_end:
            return at_start and not at_end
        if len(before) == len(after):
            return not any(self.lines[number].quote for number in before)
        return len(before) > len(after)


def _extend(cuts: list[Cut], start: int, end: int, unit: Unit) -> None:
    if cuts and cuts[-1].end == start and cuts[-1].unit is unit:
        cuts[-1] = cuts[-1]._replace(end=end)
    else:
        cuts.append(Cut(start, end, unit))
