"""Whether a statement can be read alone: pronoun subjects and bare answers need what stands before them (CL-5)."""

from __future__ import annotations

import re

from grounding_middleware.claims.lexicon import template, words
from grounding_middleware.claims.wording import plain

__all__ = ["needs_context"]

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_FRAGMENT_WORDS = 3


def needs_context(text: str, language: str, question: str = "") -> bool:
    """True when a pronoun comes before any content word, or when the text is a bare name, number, yes or no."""
    said = plain(text)
    found = _WORD.findall(said)
    if not any(letter.isspace() for letter in said) or len(found) <= _FRAGMENT_WORDS - 1:
        return True
    expletive = template(language, "expletive")
    skipped = words(language, "connective") | words(language, "preposition")
    pronouns = words(language, "pronouns")
    for phrase in words(language, "connective_phrases"):
        said = said.removeprefix(phrase).lstrip(" ,")
    for word in _WORD.findall(said):
        if word in pronouns:
            return not (expletive and expletive.match(said[said.index(word) :]))
        if word not in skipped:
            return False
    return False
