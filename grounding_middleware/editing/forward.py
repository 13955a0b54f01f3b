"""From left to right: what stands behind something removed and leans on it.

Sentences with a connective or a pronoun, whatever a removed sentence announced, and what hangs on a list item whose own
text is gone. One pass takes chains as a whole, because each only depends on what stands before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grounding_middleware.editing.dangling import Lean, leaning, subject
from grounding_middleware.editing.layout import BlockKind
from grounding_middleware.editing.plan import Plan
from grounding_middleware.editing.units import Unit

_SOCIAL = frozenset({"greeting", "thanks", "offer", "interface", "reference"})


class Forward:
    """The rule, with the facts about the answer that do not change; `announced` as in `announcing`."""

    def __init__(self, plan: Plan, announced: Mapping[int, int]) -> None:
        self.plan = plan
        self.announced = announced
        self.leans = [self._leans(unit) for unit in plan.units]
        self.first_own = _first_own(plan)

    def __call__(self) -> bool:
        """Remove what leans on something that is gone; whether there was any."""
        changed = False
        before, hanging, fallen = _Before(), _Hanging(self.plan, self.first_own), 0
        for number, unit in enumerate(self.plan.units):
            leans = self.leans[number]
            reason = "the sentence that introduces it was removed" if number < fallen else ""
            reason = reason or hanging.reason(unit) or before.misses(leans, unit.block)
            if reason and not unit.gone:
                changed |= self.plan.remove(unit, reason)
            if unit.gone:
                fallen = max(fallen, self.announced.get(number, 0))
            hanging.read(unit)
            before.read(unit, leans, self.plan)
        return changed

    def _leans(self, unit: Unit) -> Lean:
        if unit.fields or self.plan.block(unit).kind is not BlockKind.TEXT or _is_social(self.plan, unit):
            return Lean.NOTHING
        return leaning(self.plan.text(unit), self.plan.language(unit))


@dataclass(slots=True)
class _Before:
    """What became of the sentences before, back to the last heading."""

    block: int = -1
    last_gone: bool = False
    block_gone: bool = False
    referent_gone: bool = False
    some_gone: bool = False
    some_kept: bool = False
    kept: Unit | None = None

    def misses(self, leans: Lean, block: int) -> str:
        """What a sentence that leans so would miss; empty when it has all it needs."""
        previous_gone = self.last_gone if block == self.block else self.block_gone
        if Lean.PREVIOUS in leans and previous_gone:
            return "it follows from a sentence that was removed"
        if Lean.REFERENT in leans and self.referent_gone:
            return "what it refers to was removed"
        if Lean.SOMETHING in leans and self.some_gone and not self.some_kept:
            return "it continues what was removed"
        return ""

    def read(self, unit: Unit, leans: Lean, plan: Plan) -> None:
        """Go past one unit; a heading that stays starts anew, greetings and the like do not count."""
        gone = bool(unit.gone)
        if plan.block(unit).kind is BlockKind.HEADING:
            if not gone:
                self.block, self.last_gone, self.block_gone, self.referent_gone = unit.block, False, False, False
                self.some_gone = self.some_kept = False
                self.kept = None
            return
        if _is_social(plan, unit):
            return
        self.block_gone = gone and (self.block_gone or unit.block != self.block)
        self.block, self.last_gone = unit.block, gone
        self.some_gone |= gone
        self.some_kept |= not gone
        if Lean.REFERENT not in leans:
            self.referent_gone = gone and not (self.kept and _same_subject(plan, self.kept, unit))
            self.kept = self.kept if gone else unit


class _Hanging:
    """List items whose first own block is gone: what follows in them hangs on nothing, unless own text comes first."""

    def __init__(self, plan: Plan, first_own: dict[int, int]) -> None:
        self.plan = plan
        self.first_own = first_own
        self.carried: set[int] = set()  # items of which own text stays
        self.fallen: set[int] = set()  # items that go as a whole

    def reason(self, unit: Unit) -> str:
        """Why the unit cannot stay in its list item, empty if it can."""
        block = self.plan.block(unit)
        for item in self._around(block.item):
            own = item == block.item and not block.adopted
            lost = item not in self.carried and self.plan.gone(self.first_own.get(item, unit.block))
            if item in self.fallen or (lost and not own):
                self.fallen.add(item)
                return "the list item it belongs to was removed"
        return ""

    def read(self, unit: Unit) -> None:
        """Go past one unit."""
        block = self.plan.block(unit)
        if block.item >= 0 and not unit.gone and not block.adopted:
            self.carried.add(block.item)

    def _around(self, item: int) -> tuple[int, ...]:
        return (item, *self.plan.layout.ancestors(item)) if item >= 0 else ()


def _first_own(plan: Plan) -> dict[int, int]:
    """For every list item the block that begins at its marker."""
    found: dict[int, int] = {}
    for number, block in enumerate(plan.blocks):
        if block.item >= 0 and not block.adopted:
            found.setdefault(block.item, number)
    return found


def _same_subject(plan: Plan, one: Unit, other: Unit) -> bool:
    """Whether both sentences speak of the same thing: a pronoun for one may as well stand for the other."""
    first = subject(plan.text(one), plan.language(one))
    return bool(first) and first == subject(plan.text(other), plan.language(other))


def _is_social(plan: Plan, unit: Unit) -> bool:
    return any(verdict.statement in _SOCIAL for verdict in plan.verdicts(unit))
