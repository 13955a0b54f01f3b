"""How many (CH-1): "60 schools took part" beside "65 schools took part, from three countries".

The number is bound to the noun right behind it, so the sentence may say more than the claim; all the claim says must be
said there in the same order, and the evidence must not have the claim's number anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.binding import claimed
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.checks.naming import by_part_of_name
from grounding_middleware.checks.reconciling import rounded_down
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.reading.values import Relation, Value, ValueKind, compare
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("values")
_COUNTS: Final = (ValueKind.COUNT, ValueKind.NUMBER)
_BOUND: Final = ("negation", "condition", "modality", "certainty", "time", "quantity")
_PAIR: Final = 2


def counted(case: Case, value: Value) -> Iterator[Finding]:
    """A conflict where the noun behind the claim's number has one other number in a sentence that says the rest."""
    if value.kind not in _COUNTS or value.approx:
        return
    for alignment in filter(None, map(by_part_of_name, case.alignments)):
        other = _rival(alignment, value) if _plain(alignment) and _states_others(alignment, value) else None
        if other is not None:
            message = f"source '{other.text}', answer '{value.text}'"
            yield _REPORT.conflict("count-differs", message, Kind.NUMBER, place(alignment, value, other))
            return


def _states_others(alignment: Alignment, value: Value) -> bool:
    """Every other value of the claim stands there."""
    others = (one for one in claimed(alignment.claim) if one is not value)
    stated = alignment.source.values
    return all(any(compare(one, there).relation is Relation.ENTAILED for there in stated) for one in others)


def _plain(alignment: Alignment) -> bool:
    """The same words in the same order with the same prepositions, and no cue that could reconcile two numbers."""
    pairs = sorted(alignment.pairs, key=lambda pair: pair[0].position)
    cues = [cue for cue in alignment.source.cues if cue.segment in alignment.touched]
    if any(cue.table in _BOUND for cue in (*alignment.claim.cues, *cues)) or alignment.opposed or len(pairs) < _PAIR:
        return False
    ordered = all(one[1].position < two[1].position for one, two in pairwise(pairs))
    return ordered and all(mine.prep == theirs.prep for mine, theirs in pairs) and not alignment.source.tabular


def _rival(alignment: Alignment, value: Value) -> Value | None:
    mine = _noun(alignment.claim, value)
    theirs = alignment.partner(mine) if mine else None
    source = alignment.source
    own = [one for one in source.values if one.kind in _COUNTS and theirs and _noun(source, one) is theirs]
    rivals = [one for one in source.values if one.kind in _COUNTS and not one.is_name]
    if len(own) != 1 or len(rivals) != 1 or own[0].approx or rounded_down(value, own[0]):
        return None
    return own[0] if compare(value, own[0]).relation is Relation.DISJOINT else None


def _noun(unit: Unit, value: Value) -> Item | None:
    """The word right behind the number."""
    after = next((item for item in unit.items if item.start >= value.end), None)
    token = next((token for token in unit.tokens if token.start >= value.end), None)
    return after if after is not None and token is not None and after.start == token.start else None
