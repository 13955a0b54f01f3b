"""Cuts a sentence where its parts differ in type: an abstention and a fact, a greeting and a fact (CL-1, CL-6)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grounding_middleware.claims.lexicon import template
from grounding_middleware.claims.statements import Statement, classify

__all__ = ["divide"]

_CANDIDATES = 6  # breaks tried in one sentence; long sentences stay one claim
_SHORTEST = 2  # words of a part


def divide(text: str, language: str, question: str = "") -> tuple[tuple[int, int, Statement], ...]:
    """The parts of one sentence with their types, as ranges of `text`; one part when nothing has to be cut."""
    whole = classify(text, language, question)
    if whole is not Statement.CLAIM:
        return ((0, len(text), whole),)
    for left_end, right_start in _breaks(text, language):
        left = classify(text[:left_end], language, question)
        right = classify(text[right_start:], language, question)
        if left is right is Statement.ABSTENTION:
            return ((0, len(text), left),)
        if Statement.ABSTENTION in (left, right) or (left in _POLITE and right not in _POLITE):
            rest = divide(text[right_start:], language, question)
            return ((0, left_end, left), *((right_start + low, right_start + high, kind) for low, high, kind in rest))
    return ((0, len(text), whole),)


_POLITE = (Statement.GREETING, Statement.THANKS, Statement.OPINION)


def _breaks(text: str, language: str) -> Iterator[tuple[int, int]]:
    """Places where a new clause may begin: end of the left part, start of the right one."""
    for key in ("pleasant_start", "clause_break"):
        pattern = template(language, key)
        if not pattern:
            continue
        compiled = re.compile(pattern.pattern, re.IGNORECASE)
        if key == "pleasant_start":
            match = compiled.match(text)
            if match and match.end() < len(text):
                yield len(match.group().rstrip()), match.end()
            continue
        for number, match in enumerate(compiled.finditer(text)):
            if number == _CANDIDATES:
                return
            if match.start() and match.end() < len(text):
                yield match.start(), match.end()
