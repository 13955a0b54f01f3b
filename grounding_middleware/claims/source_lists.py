"""Entries of a list of sources at the end of an answer: names of documents, no claims (CL-6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grounding_middleware.claims.drafts import Draft
from grounding_middleware.claims.headings import has_amount
from grounding_middleware.claims.lexicon import words
from grounding_middleware.claims.statements import Statement
from grounding_middleware.claims.wording import Wording, matches, read, tokens, weighty

__all__ = ["mark_source_entries"]

_LONGEST_NAME = 14  # words
_FALLBACK = "en"


def mark_source_entries(answer: str, drafts: Iterable[Draft], language: str) -> Iterator[Draft]:
    """`drafts` in order, with every name of a document below "Sources:" as a reference.

    The list ends at the first statement that is no name: one with a verb, an amount, a negation or too many words.
    """
    listing = False
    for draft in drafts:
        wording = read(answer[draft.start : draft.end], language or _FALLBACK)
        if draft.statement in (Statement.HEADING, Statement.REFERENCE, Statement.INTRO):
            listing = matches(wording, "source_label") or (listing and draft.statement is Statement.REFERENCE)
        elif listing:
            listing = draft.statement is Statement.CLAIM and _names_a_document(wording)
        is_entry = listing and draft.statement is Statement.CLAIM
        yield draft._replace(statement=Statement.REFERENCE) if is_entry else draft


def _names_a_document(wording: Wording) -> bool:
    found = tokens(wording.core)
    verbs = words(wording.language, "finite") | words(wording.language, "verbs")
    if not verbs or len(found) > _LONGEST_NAME or has_amount(wording):
        return False
    return verbs.isdisjoint(found) and weighty(wording.language).isdisjoint(found)
