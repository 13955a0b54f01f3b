"""Cuts a sentence whose parts differ in type: an abstention and a fact, a greeting and a fact (CL-1, CL-6)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from grounding_middleware.claims.lexicon import template
from grounding_middleware.claims.statements import Statement, classify

__all__ = ["Part", "divide"]

_MOST_BREAKS = 6  # tried in one sentence; what has more is left whole, as a claim
_LONGEST = 1500  # characters; bounds the depth of the recursion
_POLITE = frozenset({Statement.GREETING, Statement.THANKS, Statement.OPINION})
_PUNCTUATION = re.compile(r"[\s,;:–—-]*")


class Part(NamedTuple):
    """`[start, end)` of the sentence and what that part does."""

    start: int
    end: int
    statement: Statement


def divide(text: str, language: str, question: str = "") -> tuple[Part, ...]:
    """The parts of one sentence, in order; one part when nothing has to be cut. A connective opens the right part."""
    whole = classify(text, language, question)
    if whole is Statement.CLAIM and len(text) <= _LONGEST:
        for at in _breaks(text, language):
            left, right = classify(text[:at], language, question), classify(text[at:], language, question)
            if left is right is Statement.ABSTENTION:
                return (Part(0, len(text), left),)
            if Statement.ABSTENTION in (left, right) or (left in _POLITE and right is Statement.CLAIM):
                rest = divide(text[at:], language, question)
                return (Part(0, at, left), *(Part(at + low, at + high, kind) for low, high, kind in rest))
    return (Part(0, len(text), whole),)


def _breaks(text: str, language: str) -> Iterator[int]:
    """Places where a new clause may begin, after the comma and before the connective."""
    opening, inner = _pattern(language, "pleasant_start"), _pattern(language, "clause_break")
    if opening and (match := opening.match(text)) and match.end() < len(text):
        yield match.end()
    matches = inner.finditer(text) if inner else iter(())
    for _, match in zip(range(_MOST_BREAKS), matches, strict=False):
        at = match.start() + len(_PUNCTUATION.match(match.group()).group())  # type: ignore[union-attr]  # matches the empty text
        if at < len(text) and any(letter.isalnum() for letter in text[:at]):
            yield at


@cache
def _pattern(language: str, key: str) -> re.Pattern[str] | None:
    """The template without regard to letter case: it is laid on the text as written."""
    pattern = template(language, key)
    return re.compile(pattern.pattern, re.IGNORECASE) if pattern else None
