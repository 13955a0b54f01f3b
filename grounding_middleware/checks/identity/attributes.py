"""Years and ordinals of a defined thing: "a 1930 comedy" is no 1940 comedy, a second album not the first."""

from __future__ import annotations

from grounding_middleware.checks.case import Case
from grounding_middleware.checks.identity.definition import Definition
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.tokens import Token
from grounding_middleware.reading.values import Relation, Value, ValueKind, compare

_OWN = (ValueKind.DATE, ValueKind.ORDINAL)


def other_attribute(case: Case, claim: Definition, source: Definition) -> tuple[Value, Value] | None:
    """The year or ordinal before the same noun, when both sides differ and the evidence has the claim's nowhere."""
    if claim.denied or source.denied:
        return None
    shared = {head.norm for head in claim.heads} & {head.norm for head in source.heads}
    for value in _before_head(claim):
        theirs = [other for other in _before_head(source) if other.kind is value.kind]
        known = case.library.values_of(case.cited)
        if len(theirs) != 1 or not shared or any(compare(value, one).relation is Relation.ENTAILED for one in known):
            continue
        if compare(value, theirs[0]).relation is Relation.DISJOINT:
            return value, theirs[0]
    return None


def opposed(case: Case, claim: Definition, source: Definition) -> tuple[Token, Token] | None:
    """Opposite words before the same noun: a public and a private university."""
    shared = {head.norm for head in claim.heads} & {head.norm for head in source.heads}
    if claim.denied or source.denied or not shared or not (claim.article and source.article):
        return None
    opposite = lexicon("en").opposite
    for mine in claim.words:
        theirs = next((one for one in source.words if opposite(mine.norm, one.norm)), None)
        if theirs is not None and not case.library.knows(frozenset({mine.norm})):
            return mine, theirs
    return None


def _before_head(one: Definition) -> list[Value]:
    """Values that stand in the noun phrase itself."""
    low, high = one.copula.end, one.end
    return [value for value in one.unit.values if value.kind in _OWN and low <= value.start and value.end <= high]
