"""Who holds a place that one holds: "the director is A" beside "the director is B"."""

from __future__ import annotations

from typing import Final

from grounding_middleware.checks.case import Case
from grounding_middleware.checks.identity.definition import Definition
from grounding_middleware.reading.tokens import Token

_ONE: Final = frozenset({"is", "was"})


def other_holder(case: Case, claim: Definition, source: Definition) -> tuple[Token, Token] | None:
    """The names "the X is ..." gives on both sides, when they share no word and the evidence lacks the claim's."""
    if any(one.denied or one.article or one.copula.norm not in _ONE for one in (claim, source)):
        return None
    if claim.copula.norm != source.copula.norm or claim.names[0] != source.names[0] or not _definite(claim):
        return None
    if any(len(one.heads) > 1 or not all(word.capital for word in one.words) for one in (claim, source)):
        return None
    mine, theirs = {word.norm for word in claim.words}, {word.norm for word in source.words}
    if mine & theirs or any(case.library.knows(frozenset({word})) for word in mine):
        return None
    initials = {"".join(word.text[0] for word in one.words) for one in (claim, source)}
    return (claim.words[0], source.words[0]) if not initials & (mine | theirs) and len(initials) > 1 else None


def _definite(one: Definition) -> bool:
    return bool(one.unit.tokens) and one.unit.tokens[0].norm == "the"
