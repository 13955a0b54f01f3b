"""Cuts a sentence whose parts differ in type: an abstention, a greeting or a question beside a fact (CL-1, CL-6)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from grounding_middleware.claims.lexicon import words, written
from grounding_middleware.claims.statements import Statement, classify
from grounding_middleware.claims.wording import plain, tokens

__all__ = ["Part", "divide"]

_MOST_BREAKS = 6  # tried in one sentence; what has more is left whole, as a claim
_LONGEST = 1500  # characters; bounds the depth of the recursion
_POLITE = frozenset({Statement.GREETING, Statement.THANKS, Statement.OPINION})
_ASKS = frozenset({Statement.QUESTION, Statement.OFFER})
_MAY_HIDE_A_CLAIM = frozenset({Statement.CLAIM, *_ASKS})
_FEWEST_WORDS = 3
_PUNCTUATION = re.compile(r"[\s,;:–—-]*")


class Part(NamedTuple):
    """`[start, end)` of the sentence and what that part does."""

    start: int
    end: int
    statement: Statement


def divide(text: str, language: str, question: str = "") -> tuple[Part, ...]:
    """The parts of one sentence, in order; one part when nothing has to be cut. A connective opens the right part."""
    whole = classify(text, language, question)
    if len(text) > _LONGEST or whole not in _MAY_HIDE_A_CLAIM:
        return (Part(0, len(text), whole),)
    for at in _breaks(text, language):
        left, right = classify(text[:at], language, question), classify(text[at:], language, question)
        if left is right is Statement.ABSTENTION:
            return (Part(0, len(text), left),)
        if _differ(whole, left, right, text[:at], language):
            rest = divide(text[at:], language, question)
            return (Part(0, at, left), *(Part(at + low, at + high, kind) for low, high, kind in rest))
    return (Part(0, len(text), whole),)


def _differ(whole: Statement, left: Statement, right: Statement, beginning: str, language: str) -> bool:
    """Whether two parts have to be judged apart: an abstention, politeness or a question beside a claim."""
    if whole is Statement.CLAIM:
        return Statement.ABSTENTION in (left, right) or (left in _POLITE and right is Statement.CLAIM)
    return left is Statement.CLAIM and right in _ASKS and _asserts(beginning, language)


def _asserts(text: str, language: str) -> bool:
    """Whether the beginning of a question is a main clause that states something: its verb follows its subject."""
    found = tokens(plain(text))
    verbs = words(language, "finite") | words(language, "verbs")
    asks = verbs | words(language, "question_word") | words(language, "question_opener")
    if len(found) < _FEWEST_WORDS or found[0] in asks | words(language, "subordinator") or "-" in found[0]:
        return False
    return "¿" not in text and not verbs.isdisjoint(found[1:])


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
    pattern = written(language, key)
    return re.compile(pattern, re.IGNORECASE) if pattern else None
