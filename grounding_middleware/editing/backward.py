"""From right to left: what stands before something removed and only made sense with it.

Introductions with nothing left to introduce, questions whose answer is gone, headings with nothing below them. One pass
finds all of them, because each only depends on what stands behind it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grounding_middleware.editing.announcing import asking
from grounding_middleware.editing.layout import BlockKind
from grounding_middleware.editing.plan import Plan


class Backward:
    """The rule, with the facts about the answer that do not change; `announced` as in `announcing`."""

    def __init__(self, plan: Plan, announced: Mapping[int, int]) -> None:
        self.plan = plan
        self.announced = announced
        self.asking = asking(plan)
        self.section_end = _section_ends(plan)

    def __call__(self) -> bool:
        """Remove what nothing behind it carries any more; whether there was any."""
        changed = False
        nearest = _Nearest(stays=len(self.plan.units), gone=len(self.plan.units) + 1)
        for number in range(len(self.plan.units) - 1, -1, -1):
            unit = self.plan.units[number]
            reason = "" if unit.gone else self._reason(number, nearest)
            if reason:
                changed |= self.plan.remove(unit, reason)
            nearest.read(number, gone=bool(unit.gone))
        return changed

    def _reason(self, number: int, nearest: _Nearest) -> str:
        if self.announced.get(number, number) > number and nearest.stays >= self.announced[number]:
            return "nothing is left of what it introduces"
        if number in self.asking and nearest.gone == number + 1:
            after = self.plan.block(self.plan.units[number + 1])
            return "" if after.kind is BlockKind.HEADING else "the answer to this question was removed"
        if number in self.section_end and nearest.gone < self.section_end[number] <= nearest.stays:
            return "nothing is left below this heading"
        return ""


@dataclass(slots=True)
class _Nearest:
    """The indexes of the nearest unit behind that stays and of the nearest that is gone."""

    stays: int
    gone: int

    def read(self, number: int, *, gone: bool) -> None:
        if gone:
            self.gone = number
        else:
            self.stays = number


def _section_ends(plan: Plan) -> dict[int, int]:
    """For the index of every heading: that of the first unit behind its section."""
    ends: dict[int, int] = {}
    waiting: list[tuple[int, int]] = []  # (level, unit) of the sections that are open, outermost first
    for number, unit in enumerate(plan.units):
        block = plan.block(unit)
        if block.kind is not BlockKind.HEADING or plan.first_unit(unit.block) != number:
            continue
        while waiting and waiting[-1][0] >= block.level:
            ends[waiting.pop()[1]] = number
        waiting.append((block.level, number))
    return ends | {number: len(plan.units) for _, number in waiting}
