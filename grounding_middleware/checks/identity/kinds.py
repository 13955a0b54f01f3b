"""Kinds: what is a film is no album, and what is a person is no city."""

from __future__ import annotations

from typing import Final

from grounding_middleware.checks.case import Case
from grounding_middleware.checks.identity.definition import Definition
from grounding_middleware.checks.identity.vocabulary import Kind, kind
from grounding_middleware.reading.lemmas import keys
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.tokens import Token

_SHARE_NAMES: Final = frozenset({"person", "work", "place", "organisation"})
"""Films, towns and firms are called after people and places: one word may name two things."""

_CALLED_AFTER: Final = (frozenset({"person", "work"}), frozenset({"person", "organisation"}))
"""Films and firms have the whole name of a person."""


def other_kind(case: Case, claim: Definition, source: Definition) -> tuple[Token, Token, bool] | None:
    """The nouns that exclude each other, and whether both can only be meant of the thing of this name."""
    if claim.denied or source.denied or not claim.article or len(claim.heads) > 1:
        return None
    head = claim.heads[0]
    mine = _of(claim, head)
    theirs = [(one, found) for one in source.heads if (found := _of(source, one)) is not None]
    if mine is None or not theirs or case.library.knows(keys(head.norm, "en")):
        return None
    if any(not _exclude(mine, found) for _, found in theirs):
        return None
    there, found = theirs[0]
    groups = frozenset({found.group, mine.group})
    single = len(claim.names[0]) == 1
    shared = not _with_article(claim) and (groups in _CALLED_AFTER or (groups <= _SHARE_NAMES and single))
    return head, there, len(groups) == 1 or not shared


def _of(one: Definition, head: Token) -> Kind | None:
    """The kind a head names; "series" of books or films and "a series of" are none."""
    at = one.words.index(head)
    before = one.words[at - 1].norm if at else ""
    compound = kind(f"{before}-{head.norm}")
    if compound is not None:
        return compound
    if head.norm == "series" and (kind(before) is not None or _followed_by(one, head, "of")):
        return None
    return kind(head.norm)


def _with_article(one: Definition) -> bool:
    """Titles such as "The Gifted" are nobody's own name, so nothing else is called after them."""
    first = next((token for token in one.unit.tokens if token.text[:1].isalpha()), None)
    return first is not None and first.norm in lexicon("en").articles


def _followed_by(one: Definition, head: Token, word: str) -> bool:
    after = next((token for token in one.unit.tokens if token.start >= head.end), None)
    return after is not None and after.norm == word


def _exclude(left: Kind, right: Kind) -> bool:
    return left.group != right.group or (left.apart and left.row != right.row)
