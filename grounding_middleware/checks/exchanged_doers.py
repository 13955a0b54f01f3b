"""Two doers that changed places over two sentences (CH-7).

"The treasurer checks the books. The secretary writes the report" beside "the treasurer writes the report and the
secretary checks the books".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("roles")
_OPEN: Final = ("negation", "condition")
_CHOICES: Final = frozenset({"or", "nor"})
_TWO: Final = 2

Split = tuple[tuple[Item, ...], tuple[Item, ...]]  # doer and the rest of a clause


def exchanged_doers(case: Case) -> Iterator[Finding]:
    """A conflict where each clause of the claim stands in a sentence with the doer of the other clause."""
    clauses = _clauses(case.unit)
    free = lexicon(case.unit.language).free_order
    if len(clauses) != _TWO or free or any(cue.table in _OPEN for cue in case.unit.cues):
        return
    first, second = clauses
    found = {split: one for one in case.alignments for split in [_foreign(one, first, second)] if split}
    back = {split: one for one in case.alignments for split in [_foreign(one, second, first)] if split}
    for (doer, other), one in found.items():
        if (other, doer) in back:
            here, there = doer[0], one.partner(other[0])
            message = f"source '{there.text if there else ''} …', answer '{here.text} …', and the other way round"
            yield _REPORT.conflict("doers-exchanged", message, Kind.ROLE, place(one, here, there))
            return


def _clauses(unit: Unit) -> list[tuple[Item, ...]]:
    """The items of each clause; a conjunction opens one, an "or" does not."""
    found: dict[int, list[Item]] = {}
    clause_of, clause = [], 0
    for segment in unit.segments:
        clause += segment.joined and segment.opener not in _CHOICES
        clause_of.append(clause)
    for item in unit.items:
        found.setdefault(clause_of[item.segment], []).append(item)
    return [tuple(items) for items in found.values()]


def _foreign(alignment: Alignment, mine: tuple[Item, ...], other: tuple[Item, ...]) -> Split | None:
    """The doer of `mine` and that of `other`, if this sentence says the rest of `mine` of the doer of `other`."""
    source = alignment.source
    if any(cue.table in _OPEN for cue in source.cues) or alignment.opposed or _passive(source):
        return None
    doer = _lead(alignment, mine, found=False)
    stranger = _lead(alignment, other, found=True)
    rest, strange = mine[len(doer) :], other[len(stranger) :]
    if not (doer and stranger and rest and strange) or any(item.prep for item in (*doer, *stranger)):
        return None
    partners = [alignment.partner(item) for item in stranger]
    said = [alignment.partner(item) for item in rest]
    if not all(said) or any(alignment.partner(item) for item in strange):
        return None
    ahead = [item.position for item in partners if item is not None]
    behind = [item.position for item in said if item is not None]
    first = ahead[0] == source.items[0].position
    return (doer, stranger) if first and max(ahead) < min(behind) else None


def _lead(alignment: Alignment, clause: tuple[Item, ...], *, found: bool) -> tuple[Item, ...]:
    """The first items of the clause that this sentence has, or lacks."""
    number = next((n for n, item in enumerate(clause) if bool(alignment.partner(item)) is not found), len(clause))
    return clause[:number]


def _passive(unit: Unit) -> bool:
    agents = lexicon(unit.language).agents
    return any(item.prep in agents for item in unit.items)
