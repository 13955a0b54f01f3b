"""Persons taken for each other (CH-6): both stand in the evidence, each with something else to do.

"Tours are led by Ines Valtor. Ines Voltan curates the glass collection" beside "tours are led by Ines Voltan". Places
are left out: a plant in Bergen is one in Norway.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("exact")
_FULL_NAME: Final = 2  # words; one word alone may be a place, a product or part of a longer name
_FEWEST: Final = 2  # other words of the claim, all in the one sentence
_OPEN: Final = ("negation", "condition", "certainty", "quantity")


def namesakes(case: Case) -> Iterator[Finding]:
    """A conflict where a sentence says all of the claim of another full name, and the claim's stands elsewhere."""
    runs = list(_runs(case.unit))
    for alignment in case.alignments:
        if alignment.opposed or alignment.by_context or alignment.by_title or _open(alignment):
            continue
        for mine in runs:
            theirs = _rival(alignment, mine)
            if theirs is not None and _is_somebody_else(case, alignment, mine, theirs):
                told, name = (" ".join(one.text for one in run) for run in (theirs, mine))
                message = f"source '{told}', answer '{name}', who does something else there"
                yield _REPORT.conflict("name-of-another", message, Kind.ENTITY, place(alignment, mine[0], theirs[0]))
                return


def _open(alignment: Alignment) -> bool:
    cues = (cue for unit in (alignment.claim, alignment.source) for cue in unit.cues)
    return alignment.source.tabular or any(cue.table in _OPEN for cue in cues)


def _runs(unit: Unit) -> Iterator[tuple[Item, ...]]:
    """The full names of a unit: names that follow each other without anything between them."""
    run: list[Item] = []
    for item in unit.items:
        follows = bool(run) and item.start - run[-1].end == 1 and item.segment == run[-1].segment
        if not (item.name and not item.code and (follows or not run)):
            yield from [tuple(run)] if len(run) >= _FULL_NAME else []
            run = []
        if item.name and not item.code:
            run.append(item)
    yield from [tuple(run)] if len(run) >= _FULL_NAME else []


def _rival(alignment: Alignment, mine: tuple[Item, ...]) -> tuple[Item, ...] | None:
    """The full name that stands in the sentence where the claim has its own, with all else the same."""
    by = lexicon(alignment.claim.language).agents
    rest = [pair for pair in alignment.pairs if pair[0] not in mine]
    if mine[0].prep and mine[0].prep not in by:
        return None
    if any(item not in mine for item in alignment.claim_left) or len(rest) < _FEWEST:
        return None
    for theirs in _runs(alignment.source):
        left = [item for item in alignment.source_left if item not in theirs]
        alike = theirs[0].prep == mine[0].prep and not any(_same(one, two) for one in mine[-1:] for two in theirs)
        if alike and not left and _same_place(alignment, mine, theirs):
            return theirs
    return None


def _same(one: Item, two: Item) -> bool:
    return bool(one.keys & two.keys)


def _same_place(alignment: Alignment, mine: tuple[Item, ...], theirs: tuple[Item, ...]) -> bool:
    """The same words stand before the one name as before the other."""
    rest = [pair for pair in alignment.pairs if pair[0] not in mine and pair[1] not in theirs]
    return bool(rest) and all(
        (here.position < mine[0].position) == (there.position < theirs[0].position) for here, there in rest
    )


def _is_somebody_else(case: Case, alignment: Alignment, mine: tuple[Item, ...], theirs: tuple[Item, ...]) -> bool:
    """The claim's name stands, in full, only in sentences of the cited evidence without the other and its doings."""
    others = [item for item in alignment.claim.items if item not in mine and not item.name]
    homes = [
        unit
        for unit, _ in case.library.units_of(case.cited)
        if all(any(item.text == one.text for one in unit.items) for item in mine)
    ]
    return bool(homes) and not any(
        unit.context
        or any(item.text == theirs[-1].text for item in unit.items)
        or any(item.keys & unit.keys for item in others)
        for unit in homes
    )
