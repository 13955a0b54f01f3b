"""Claims that a thing is nothing else: "only a singer" beside "a singer, dancer and actor"."""

from __future__ import annotations

from grounding_middleware.checks.identity.definition import Definition
from grounding_middleware.checks.identity.vocabulary import kind
from grounding_middleware.reading.lemmas import keys
from grounding_middleware.reading.tokens import Token


def more_than_one(claim: Definition, source: Definition) -> tuple[Token, Token] | None:
    """The one thing the claim allows, and another of the same kind that the source names beside it."""
    if not claim.only or claim.denied or source.denied or len(claim.heads) > 1 or len(claim.words) > 1:
        return None
    head = claim.heads[0]
    mine = kind(head.norm)
    if mine is None or not any(keys(head.norm, "en") & keys(one.norm, "en") for one in source.heads):
        return None
    for other in source.heads:
        found = kind(other.norm)
        if found is not None and found.group == mine.group and not keys(head.norm, "en") & keys(other.norm, "en"):
            return head, other
    return None
