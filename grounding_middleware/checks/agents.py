"""Who did it (CH-6): "directed by A" beside "directed by B", said of the same thing by the same verb."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.checks.naming import by_part_of_name
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("exact")
_BOUND: Final = ("negation", "condition", "modality", "certainty", "quantity")
_FULL_NAME: Final = 2  # words; one word may be short for, or part of, the other name


def agents(case: Case) -> Iterator[Finding]:
    """A conflict where another name stands behind the same verb and "by"; the evidence does not know the claim's."""
    by = lexicon(case.unit.language).agents
    for alignment in case.alignments if by else ():
        mine = [item for item in alignment.claim_left if item.prep in by]
        if len(mine) < _FULL_NAME or not all(_unknown(case, item) for item in mine):
            continue
        rest = replace(alignment, claim_left=tuple(one for one in alignment.claim_left if one not in mine))
        found = by_part_of_name(rest)
        theirs = _agent(found, mine) if found is not None and not _bound(found) else None
        if theirs is not None:
            told, name = " ".join(one.text for one in theirs), " ".join(one.text for one in mine)
            message = f"source 'by {told}', answer 'by {name}'"
            yield _REPORT.conflict("agent-differs", message, Kind.ENTITY, place(alignment, mine[0], theirs[0]))
            return


def _unknown(case: Case, item: Item) -> bool:
    return item.name and not item.code and not case.library.knows(item.keys)


def _bound(alignment: Alignment) -> bool:
    source = (cue for cue in alignment.source.cues if cue.segment in alignment.touched)
    return any(cue.table in _BOUND for cue in (*alignment.claim.cues, *source))


def _agent(alignment: Alignment, mine: list[Item]) -> list[Item] | None:
    """The name the source has behind the verb the claim's agent stands behind; None when part of it is in the claim."""
    verb = _before(alignment.claim, mine[0])
    there = alignment.partner(verb) if verb else None
    if there is None:
        return None
    after = [item for item in alignment.source.items if item.position > there.position]
    name = _run(after, mine[0].prep)
    paired = {id(other) for _, other in alignment.pairs}
    if len(name) < _FULL_NAME or any(id(one) in paired or not one.name for one in name):
        return None
    initials = {"".join(one.text[0] for one in run) for run in (mine, name)}
    return name if len(initials) > 1 else None


def _before(unit: Unit, item: Item) -> Item | None:
    return next((one for one in reversed(unit.items) if one.position < item.position), None)


def _run(items: list[Item], prep: str) -> list[Item]:
    """The words of the phrase this preposition opens, if it comes first."""
    found: list[Item] = []
    for item in items:
        if item.prep != prep or (found and item.segment != found[0].segment):
            break
        found.append(item)
    return found
