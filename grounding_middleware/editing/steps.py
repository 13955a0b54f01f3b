"""Sentences that name a list item by its number ("repeat step 3") when the numbers of that list change."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grounding_middleware.editing.plan import Plan
from grounding_middleware.editing.units import Unit
from grounding_middleware.editing.words import candidates, opening

_DIGITS = re.compile(r"\d{1,9}")


def numbered_references(plan: Plan) -> bool:
    """Remove sentences that would now name another item than they meant, or one that is gone."""
    changed_numbers = list(_changed(plan))
    if not changed_numbers:
        return False
    lost = [
        unit
        for unit in plan.units
        if not unit.gone and any(low <= n <= high for n in _named(plan, unit) for low, high in changed_numbers)
    ]
    return sum(plan.remove(unit, "it names a list item whose number changed") for unit in lost) > 0


def _changed(plan: Plan) -> Iterator[tuple[int, int]]:
    """For every numbered list that loses an item: the first number that goes, and the last of the list."""
    own: dict[int, list[int]] = {}
    for number, block in enumerate(plan.blocks):
        if block.item >= 0 and not block.adopted:
            own.setdefault(block.item, []).append(number)
    lists: dict[int, list[tuple[int, bool]]] = {}
    for item, blocks in own.items():
        marker = plan.layout.items[item]
        digits = _DIGITS.search(plan.source.answer, *marker.marker)
        if marker.series >= 0 and digits:
            gone = all(plan.gone(number) for number in blocks)
            lists.setdefault(marker.series, []).append((int(digits[0]), gone))
    for items in lists.values():
        first = next((number for number, gone in items if gone), None)
        if first is not None:
            yield first, max(number for number, _ in items)


def _named(plan: Plan, unit: Unit) -> Iterator[int]:
    """The numbers of list items the unit speaks of; "Step 3: ..." at its start names itself."""
    text = opening(plan.text(unit))
    if not _DIGITS.search(text):
        return
    for words in candidates(plan.language(unit)):
        for match in words.steps.finditer(text):
            if match.start():
                yield from (int(digits) for digits in _DIGITS.findall(match[1]))
