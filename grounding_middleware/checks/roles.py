"""Roles (CH-7): "A acquired B" is not "B acquired A". Word order of items without a preposition, passives turned back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.alignment import Alignment, Pair
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("roles")
_AGENT: Final = {"en": "by", "de": "von", "fr": "par", "es": "por"}


def check(case: Case) -> Iterator[Finding]:
    """Conflict where two names or nouns changed places around the same words; doubt where the order just differs."""
    for alignment in case.anchored:
        crossed = crossing(alignment)
        if crossed is None:
            continue
        first, second = crossed
        message = f"source has '{second[1].text} … {first[1].text}', answer '{first[0].text} … {second[0].text}'"
        at = place(alignment, first[0], first[1])
        if _swapped(alignment, first, second):
            yield _REPORT.conflict("roles-swapped", message, Kind.ROLE, at)
        else:
            yield _REPORT.doubt("order-differs", message, Kind.ROLE, at)


def crossing(alignment: Alignment) -> tuple[Pair, Pair] | None:
    """Two pairs whose items stand without preposition on both sides but in opposite order."""
    bare = [pair for pair in alignment.pairs if not pair[0].prep and not pair[1].prep]
    for number, first in enumerate(bare):
        for second in bare[number + 1 :]:
            if first[1].position > second[1].position:
                return first, second
    return None


def passive(unit: Unit) -> bool:
    """True if an agent phrase ("by ...") is present: the first noun is then not the one who acts."""
    agent = _AGENT.get(unit.language, "")
    return any(item.prep == agent for item in unit.items)


def _swapped(alignment: Alignment, first: Pair, second: Pair) -> bool:
    """Nothing else differs: every word matched, same voice, and exactly these two names changed places."""
    if alignment.source_left or alignment.opposed or alignment.by_context:
        return False
    if passive(alignment.claim) != passive(alignment.source) or len(alignment.claim.segments) > 1:
        return False
    heads = _names(first[0], second[0])
    order = sorted(alignment.pairs, key=lambda pair: pair[1].position)
    between = [pair for pair in order if second[1].position < pair[1].position < first[1].position]
    return heads and bool(between)


def _names(left: Item, right: Item) -> bool:
    return (left.name or left.code) and (right.name or right.code)
