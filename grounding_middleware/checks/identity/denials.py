"""Denied definitions: "X is not an actor" beside "X is an American actor and producer"."""

from __future__ import annotations

from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.identity.definition import Definition
from grounding_middleware.checks.identity.vocabulary import country, same_kind
from grounding_middleware.reading.lemmas import keys

_PAST: Final = frozenset({"was", "were"})
_ENDED: Final = frozenset({"former", "ex", "retired", "late", "longer"})
_CONDITIONS: Final = ("condition.if", "condition.only_if", "condition.unless")
_UNSURE: Final = ("condition", "modality", "certainty", "quantity", "time")


def opposite(alignment: Alignment, claim: Definition, source: Definition) -> bool:
    """One side denies what the other says in more, or the same, words; neither speaks of another time."""
    if claim.denied == source.denied or not (_nominal(claim) and _nominal(source)) or _hedged(alignment, source):
        return False
    if (claim.copula.norm in _PAST) != (source.copula.norm in _PAST):
        return False
    denied, told = (claim, source) if claim.denied else (source, claim)
    if any(token.norm in _ENDED for token in (*denied.words, *told.words)) or _hangs_on(alignment, denied):
        return False
    known = {key for token in told.words for key in keys(token.norm, "en")}
    heads = {key for token in told.heads for key in keys(token.norm, "en")}
    heads |= {token.norm for token in told.words if country(token.norm)}
    alike = [token for token in denied.heads if any(same_kind(token.norm, head.norm) for head in told.heads)]
    return all(token in alike or keys(token.norm, "en") & known for token in denied.words) and all(
        token in alike or keys(token.norm, "en") & heads for token in denied.heads
    )


def _nominal(one: Definition) -> bool:
    """It says what the thing is: "X is a Y", "X is French"; not "X was founded", which other words may qualify."""
    return one.article or all(country(head.norm) for head in one.heads)


def _hedged(alignment: Alignment, source: Definition) -> bool:
    """A condition, or a quantity or an idiom ("not only") in what is said of the thing, may reconcile the two."""
    cues = [*alignment.claim.cues, *(cue for cue in source.unit.cues if cue.start < source.end)]
    behind = any(cue.name in _CONDITIONS for cue in source.unit.cues)
    return behind or any(cue.table in _UNSURE or cue.name == "negation.idioms" for cue in cues)


def _hangs_on(alignment: Alignment, denied: Definition) -> bool:
    """Something else hangs on the denied predicate ("no city in Europe") that the other side may not say."""
    if denied.unit is not alignment.claim:
        return any(item.start >= denied.end for item in denied.unit.items)
    return any(item.start >= denied.end and not _said_alike(alignment, item) for item in denied.unit.items)


def _said_alike(alignment: Alignment, item: object) -> bool:
    there = next((other for mine, other in alignment.pairs if mine is item), None)
    return there is not None and there.prep == getattr(item, "prep", "")
