"""What must go together: rows of a table, lines of code, what a sentence introduces, items, headings, questions.

Each rule takes the plan, removes more units where the text would otherwise be broken or say something else, and returns
whether it did. None of them touches an answer from which nothing was removed.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator

from grounding_middleware.editing.dangling import is_bare_answer
from grounding_middleware.editing.layout import PSEUDO_HEADING, BlockKind
from grounding_middleware.editing.plan import Plan
from grounding_middleware.editing.units import Unit

Rule = Callable[[Plan], bool]

SHELLS = frozenset({"", "sh", "bash", "shell", "zsh", "console", "powershell", "ps1", "cmd", "bat", "text", "txt"})
"""Languages of a code fence in which every line stands for itself; a program with a line missing is another program."""

_COLON = frozenset(":：")
_QUESTION = frozenset("?？؟")
_SOCIAL = frozenset({"greeting", "thanks", "question", "offer", "interface", "opinion", "reference"})


def tables(plan: Plan) -> bool:
    """A row goes as a whole; a table goes when its header does or when its last row did."""
    rows: dict[int, list[int]] = {}
    for number, block in enumerate(plan.blocks):
        if block.table >= 0:
            rows.setdefault(block.table, []).append(number)
    changed = False
    for numbers in rows.values():
        for number in numbers:
            if plan.touched(number):
                changed |= plan.remove_block(number, "the rest of its table row was removed")
        headers = [number for number in numbers if plan.blocks[number].kind is BlockKind.HEADER]
        body = [number for number in numbers if plan.blocks[number].kind is BlockKind.ROW]
        if any(plan.gone(number) for number in headers):
            changed |= _remove_all(plan, body, "the header of its table was removed")
        elif body and all(plan.gone(number) for number in body):
            changed |= _remove_all(plan, headers, "its table has no rows left")
    return changed


def code(plan: Plan) -> bool:
    """A program goes as a whole; of shell commands one line may go, unless it continues on the next."""
    changed = False
    for number, block in enumerate(plan.blocks):
        if block.kind is not BlockKind.CODE or not plan.touched(number):
            continue
        language = block.info.split(maxsplit=1)[0].strip("{}.").lower() if block.info else ""
        if language not in SHELLS or _continued(plan, number):
            changed |= plan.remove_block(number, "another part of its code block was removed")
    return changed


def introductions(plan: Plan) -> bool:
    """Goes: "Steps:" when all it introduces is gone, and whatever a removed sentence introduced."""
    pairs = list(_introduced(plan))
    changed = False
    for unit, dependents in pairs:
        if unit.gone:
            changed |= _remove_units(plan, dependents, "the sentence that introduces it was removed")
    for unit, dependents in reversed(pairs):
        if dependents and all(dependent.gone for dependent in dependents):
            changed |= plan.remove(unit, "nothing is left of what it introduces")
    return changed


def items(plan: Plan) -> bool:
    """Goes: what hangs on a list item whose own text is gone, and a mere label whose children are gone."""
    changed = False
    trees = list(_item_trees(plan))
    for own, below in trees:
        first_left = next((number for number in (*own, *below) if plan.stays(number)), None)
        if own and plan.gone(own[0]) and first_left not in own:
            changed |= _remove_all(plan, (*own, *below), "the list item it belongs to was removed")
    for own, below in reversed(trees):
        labels = all(not plan.is_claim(unit) for number in own for unit in plan.units_in(number))
        if labels and below and all(plan.gone(number) for number in below):
            changed |= _remove_all(plan, own, "nothing is left below this label")
    return changed


def headings(plan: Plan) -> bool:
    """A heading goes when something below it was removed and nothing is left there."""
    changed = False
    open_sections: list[tuple[int, int]] = []  # (level, heading block), outermost first
    alive: dict[int, bool] = {}
    lost: dict[int, bool] = {}
    for number, block in enumerate(plan.blocks):
        if block.kind is BlockKind.HEADING:
            while open_sections and open_sections[-1][0] >= block.level:
                changed |= _close_section(plan, open_sections, alive, lost)
            open_sections.append((block.level, number))
            alive[number] = lost[number] = False
        elif open_sections and block.kind is not BlockKind.BREAK:
            innermost = open_sections[-1][1]
            alive[innermost] |= not plan.gone(number)
            lost[innermost] |= plan.gone(number)
    while open_sections:
        changed |= _close_section(plan, open_sections, alive, lost)
    return changed


def _close_section(
    plan: Plan, open_sections: list[tuple[int, int]], alive: dict[int, bool], lost: dict[int, bool]
) -> bool:
    """Decide the innermost section and report it to the one around it."""
    _, number = open_sections.pop()
    changed = lost[number] and not alive[number] and plan.remove_block(number, "nothing is left below this heading")
    if open_sections:
        around = open_sections[-1][1]
        alive[around] |= alive[number] or plan.stays(number)
        lost[around] |= lost[number] or plan.gone(number)
    return changed


def questions(plan: Plan) -> bool:
    """A question whose answer was removed goes, lest the next sentence reads as the answer; so does a bare "Yes."."""
    changed = False
    for number in range(len(plan.units) - 2, -1, -1):
        unit, after = plan.units[number], plan.units[number + 1]
        if unit.gone or not after.gone or plan.block(after).kind is BlockKind.HEADING:
            continue
        if plan.block(unit).kind is not BlockKind.HEADING and _asks(plan, unit):
            changed |= plan.remove(unit, "the answer to this question was removed")
    return changed


STRUCTURE: tuple[Rule, ...] = (tables, code, introductions, items, headings, questions)


def _asks(plan: Plan, unit: Unit) -> bool:
    if plan.is_claim(unit):
        return False
    return _ends_with(plan, unit, _QUESTION) or is_bare_answer(plan.text(unit))


def _ends_with(plan: Plan, unit: Unit, marks: frozenset[str]) -> bool:
    """Whether one of the marks stands behind the last word of the unit, markers and emphasis aside."""
    inside = itertools.takewhile(_is_mark, reversed(plan.text(unit)))
    return not marks.isdisjoint((*inside, *itertools.takewhile(_is_mark, plan.tail(unit))))


def _is_mark(char: str) -> bool:
    return not char.isalnum()


def _introduced(plan: Plan) -> Iterator[tuple[Unit, list[Unit]]]:
    """Every unit that announces something, with the units it announces."""
    for number, unit in enumerate(plan.units):
        block = plan.block(unit)
        colon = _ends_with(plan, unit, _COLON)
        if block.kind is BlockKind.HEADING and block.level < PSEUDO_HEADING:
            continue
        after = plan.units[number + 1] if number + 1 < len(plan.units) else None
        if after and after.block == unit.block:
            if colon:
                yield unit, [after]
        elif colon or _lead_in(plan, unit):
            blocks = _announced(plan, unit.block, any_text=colon)
            yield unit, [each for other in blocks for each in plan.units_in(other)]


def _lead_in(plan: Plan, unit: Unit) -> bool:
    """A sentence that asserts nothing and is no greeting: right above a list it introduces the list."""
    social = any(verdict.statement in _SOCIAL for verdict in plan.verdicts(unit))
    return bool(unit.members) and not plan.is_claim(unit) and not social


def _announced(plan: Plan, number: int, *, any_text: bool) -> range:
    """The blocks below an announcement: the whole list, quotation or table, else one block of code or text."""
    blocks, first = plan.blocks, number + 1
    if first == len(blocks):
        return range(0)
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
    return range(first, last)


def _item_trees(plan: Plan) -> Iterator[tuple[list[int], list[int]]]:
    """For every list item, outermost first: its own blocks, and the blocks of its children and adopted ones."""
    ancestors = plan.layout.ancestors
    own: dict[int, list[int]] = {}
    below: dict[int, list[int]] = {}
    for number, block in enumerate(plan.blocks):
        if block.item >= 0:
            (below if block.adopted else own).setdefault(block.item, []).append(number)
            for around in ancestors(block.item):
                below.setdefault(around, []).append(number)
    for item in sorted({*own, *below}):
        yield own.get(item, []), below.get(item, [])


def _continued(plan: Plan, number: int) -> bool:
    """Whether a line of this code block needs the next one."""
    block, lines = plan.blocks[number], plan.layout.lines
    ends = (plan.source.answer[lines[n].start : lines[n].end].rstrip()[-1:] for n in range(block.first, block.last + 1))
    return any(end in {"\\", "|", "&", "^"} for end in ends if end)


def _remove_all(plan: Plan, numbers: Iterable[int], reason: str) -> bool:
    return sum(plan.remove_block(number, reason) for number in numbers) > 0


def _remove_units(plan: Plan, units: Iterable[Unit], reason: str) -> bool:
    return sum(plan.remove(unit, reason) for unit in units) > 0
