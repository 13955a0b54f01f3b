"""What was done to a thing (CH-3): "the area was narrowed" beside "the council made the area larger".

The source leaves out who did it, the claim names somebody the evidence speaks of.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.binding import states_all
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Item
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("polarity")
_OPEN: Final = ("negation", "condition", "certainty", "modality", "quantity")


def changes(case: Case) -> Iterator[Finding]:
    """A conflict where the claim lets the same thing change in the other direction."""
    for alignment in case.alignments:
        if len(alignment.opposed) != 1 or not alignment.claim_left or _open(alignment):
            continue
        mine, theirs = alignment.opposed[0]
        if _changes(alignment, mine, theirs) and _done(alignment, theirs) and _rest_is_known(case, alignment, mine):
            message = f"source '{theirs.text}', answer '{mine.text}'"
            yield _REPORT.conflict("change-turned", message, Kind.ANTONYM, place(alignment, mine, theirs))
            return


def _open(alignment: Alignment) -> bool:
    source = (cue for cue in alignment.source.cues if cue.segment in alignment.touched)
    bound = any(cue.table in _OPEN for cue in (*alignment.claim.cues, *source))
    return bound or bool(alignment.source_left) or not states_all(alignment) or alignment.source.tabular


def _changes(alignment: Alignment, mine: Item, theirs: Item) -> bool:
    words = lexicon(alignment.claim.language)
    return bool(mine.keys & words.changes and theirs.keys & words.changes) and mine.prep == theirs.prep == ""


def _done(alignment: Alignment, verb: Item) -> bool:
    """A passive without its agent: the thing stands before an auxiliary and the participle."""
    words = lexicon(alignment.source.language)
    before = [token.norm for token in alignment.source.tokens if token.end <= verb.start][-1:]
    things = [there for _, there in alignment.pairs if there.segment == verb.segment and not there.prep]
    named = any(item.prep in words.agents for item in alignment.source.items)
    ahead = bool(things) and all(thing.position < verb.position for thing in things)
    return ahead and not named and any(norm in words.auxiliaries for norm in before)


def _rest_is_known(case: Case, alignment: Alignment, mine: Item) -> bool:
    """All the claim has besides is "make" and, before everything else, somebody of the cited evidence."""
    words = lexicon(alignment.claim.language)
    agents = [item for item in alignment.claim_left if not item.keys & words.causing]
    first = min((here.position for here, _ in (*alignment.pairs, (mine, mine))), default=0)
    cited = frozenset().union(*(unit.keys for unit, _ in case.library.units_of(case.cited)))
    return all(not item.prep and item.position < first and item.keys & cited for item in agents)
