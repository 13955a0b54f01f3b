"""Which sentences announce others ("Steps:", a question) and which units they announce."""

from __future__ import annotations

from itertools import takewhile

from grounding_middleware.editing.layout import PSEUDO_HEADING, BlockKind
from grounding_middleware.editing.plan import Plan
from grounding_middleware.editing.units import Unit
from grounding_middleware.editing.words import is_bare_answer
from grounding_middleware.records import Label

_COLON = frozenset(":：")
_QUESTION = frozenset("?？؟")
_SOCIAL = frozenset({"greeting", "thanks", "question", "offer", "interface", "opinion", "reference"})


def announced(plan: Plan) -> dict[int, int]:
    """For the index of every announcing unit: where the units end that it announces; they begin right behind it."""
    found: dict[int, int] = {}
    for number, unit in enumerate(plan.units):
        block = plan.block(unit)
        if unit.fields or (block.kind is not BlockKind.TEXT and block.level != PSEUDO_HEADING):
            continue
        colon = _ends_with(plan, unit, _COLON)
        after = plan.units[number + 1] if number + 1 < len(plan.units) else None
        if after and after.block == unit.block:
            if colon:
                found[number] = number + 2
        elif colon or _leads_in(plan, unit):
            end = plan.first_unit(_blocks_end(plan, unit.block, any_text=colon))
            if end > number + 1:
                found[number] = end
    return found


def asking(plan: Plan) -> set[int]:
    """Indexes of the units that need the next one: questions, and "Yes." unless that is supported by itself."""
    return {
        number
        for number, unit in enumerate(plan.units)
        if not unit.fields and plan.block(unit).kind is not BlockKind.HEADING and _asks(plan, unit)
    }


def _asks(plan: Plan, unit: Unit) -> bool:
    if is_bare_answer(plan.text(unit)):
        return not any(verdict.label is Label.SUPPORTED for verdict in plan.verdicts(unit))
    return not plan.is_claim(unit) and _ends_with(plan, unit, _QUESTION)


def _ends_with(plan: Plan, unit: Unit, marks: frozenset[str]) -> bool:
    """Whether one of the marks stands behind the last word of the unit, citation markers and emphasis aside."""
    inside = takewhile(_is_mark, reversed(plan.text(unit)))
    return not marks.isdisjoint((*inside, *takewhile(_is_mark, plan.tail(unit))))


def _is_mark(char: str) -> bool:
    return not char.isalnum()


def _leads_in(plan: Plan, unit: Unit) -> bool:
    """A sentence that asserts nothing and is no greeting: right above a list it introduces the list."""
    return not plan.is_claim(unit) and not any(verdict.statement in _SOCIAL for verdict in plan.verdicts(unit))


def _blocks_end(plan: Plan, number: int, *, any_text: bool) -> int:
    """Where the announced blocks end: the whole list, quotation or table, else one block of code or text."""
    blocks, first = plan.blocks, number + 1
    if first == len(blocks):
        return first
    announcement, last = blocks[number], first
    if blocks[first].depth > announcement.depth:
        while last < len(blocks) and blocks[last].depth > announcement.depth:
            last += 1
    elif blocks[first].table >= 0:
        while last < len(blocks) and blocks[last].table == blocks[first].table:
            last += 1
    elif (
        any_text and blocks[first].item == announcement.item and blocks[first].kind in (BlockKind.CODE, BlockKind.TEXT)
    ):
        last += 1
    return last
