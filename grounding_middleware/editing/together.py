"""Blocks that only make sense whole: a table row, a table with its header, a program."""

from __future__ import annotations

from collections.abc import Iterable

from grounding_middleware.editing.layout import BlockKind
from grounding_middleware.editing.plan import Plan

SHELLS = frozenset({"", "sh", "bash", "shell", "zsh", "console", "powershell", "ps1", "cmd", "bat", "text", "txt"})
"""Languages of a code fence in which every line stands for itself; a program with a line missing is another program."""

_CONTINUES = frozenset("\\|&^")


def whole_blocks(plan: Plan) -> bool:
    """Remove what is left of broken tables and programs; whether there was any."""
    tables: dict[int, list[int]] = {}
    changed = False
    for number, block in enumerate(plan.blocks):
        if block.table >= 0:
            tables.setdefault(block.table, []).append(number)
        elif block.kind is BlockKind.CODE and plan.touched(number):
            changed |= _code(plan, number)
    for rows in tables.values():
        changed |= _table(plan, rows)
    return changed


def _code(plan: Plan, number: int) -> bool:
    """A program goes as a whole; of single commands a line does."""
    if not _lines_stand_alone(plan, number):
        return plan.remove_block(number, "another part of its code block was removed")
    gone = {line for unit in plan.units_in(number) if unit.gone for line in plan.lines_of(unit)}
    broken = [unit for unit in plan.units_in(number) if not unit.gone and not gone.isdisjoint(plan.lines_of(unit))]
    return sum(plan.remove(unit, "the rest of its line was removed") for unit in broken) > 0


def _table(plan: Plan, rows: list[int]) -> bool:
    """A row goes as a whole; the rest goes with the header, and the header with the last row."""
    changed = False
    for number in rows:
        if plan.touched(number):
            changed |= plan.remove_block(number, "the rest of its table row was removed")
    headers = [number for number in rows if plan.blocks[number].kind is BlockKind.HEADER]
    body = [number for number in rows if plan.blocks[number].kind is BlockKind.ROW]
    if any(plan.gone(number) for number in headers):
        return _remove(plan, body, "the header of its table was removed") or changed
    if body and all(plan.gone(number) for number in body):
        return _remove(plan, headers, "its table has no rows left") or changed
    return changed


def _remove(plan: Plan, numbers: Iterable[int], reason: str) -> bool:
    return sum(plan.remove_block(number, reason) for number in numbers) > 0


def _lines_stand_alone(plan: Plan, number: int) -> bool:
    """Whether single lines of this code may go: commands for a shell, none of which continues on the next line."""
    block, lines = plan.blocks[number], plan.layout.lines
    language = block.info.split(maxsplit=1)[0].strip("{}.").lower() if block.info else ""
    ends = {plan.source.answer[line.start : line.end].rstrip()[-1:] for line in lines[block.first : block.last + 1]}
    return language in SHELLS and _CONTINUES.isdisjoint(ends)
