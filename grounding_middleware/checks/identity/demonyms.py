"""Nationality of a defined thing: "a French company" is not "a German company".

A thing may have several, so a conflict needs a source that names one, a claim that names another, unrelated one, and
evidence that knows nothing of the claim's country at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.case import Case
from grounding_middleware.checks.identity.definition import Definition
from grounding_middleware.checks.identity.vocabulary import country, kind, names_other, related
from grounding_middleware.reading.tokens import Token

_DESCRIBED: Final = ("person", "work", "organisation")


def other_country(case: Case, claim: Definition, source: Definition) -> tuple[Token, Token] | None:
    """The demonym of the claim and that of the source, when they exclude each other."""
    if claim.denied or source.denied or not _comparable(claim, source):
        return None
    mine, theirs = list(_demonyms(claim)), list(_demonyms(source))
    if not theirs:
        return None
    for token, word in mine:
        if any(word in country(other) or related(word, other) for _, other in theirs):
            continue
        if not any(case.library.knows(frozenset({name})) for name in country(word)):
            return token, theirs[0][0]
    return None


def _comparable(claim: Definition, source: Definition) -> bool:
    """Said of things of one kind, so that the demonym means where they come from; or of the thing itself."""
    if all(country(head.norm) for head in claim.heads):
        return any(_described(head) for head in source.heads)
    same = {head.norm for head in claim.heads} & {head.norm for head in source.heads}
    mine = {_described(head) for head in claim.heads}
    theirs = {_described(head) for head in source.heads}
    return bool(same or (mine & theirs) - {""})


def _described(head: Token) -> str:
    found = kind(head.norm)
    return found.group if found and found.group in _DESCRIBED else ""


def _demonyms(one: Definition) -> Iterator[tuple[Token, str]]:
    """Each demonym with its word; "British-American" has two, "the French language" none."""
    for number, token in enumerate(one.words):
        after = one.words[number + 1].norm if number + 1 < len(one.words) else ""
        parts = token.norm.split("-")
        if not token.capital or names_other(after) or (parts[1:] and names_other(parts[-1])):
            continue
        yield from ((token, part) for part in parts if country(part))
