"""How a sentence leans on the one before it ("However, it ..."), read off its first words.

The words are data (`words.toml`) for English, German, French, Spanish, Italian, Portuguese and Dutch; in others nothing
is known to lean. What is done about it errs on the side of removal: a pronoun refers to the nearest sentence that does
not itself begin with one, and only survives its removal when the sentence kept before has the same subject.
"""

from __future__ import annotations

from enum import Flag, auto
from itertools import zip_longest

from grounding_middleware.editing.words import Words, behind, candidates, opening

_LONGEST_SUBJECT = 6  # words
_READ = 160  # characters at the start of a sentence that decide


class Lean(Flag):
    """What a sentence needs before it."""

    NOTHING = 0
    SOMETHING = auto()
    PREVIOUS = auto()
    REFERENT = auto()


def leaning(text: str, language: str) -> Lean:
    """How the sentence leans on what stands before it; without a language the usual ones are tried, English first."""
    start = opening(text[:_READ])
    return next((found for words in candidates(language) if (found := _lean(start, words))), Lean.NOTHING)


def subject(text: str, language: str) -> str:
    """The words before the predicate if the sentence begins with a short subject, without article; "" if not known."""
    for words in candidates(language):
        start = opening(text[:_READ]).split()[: _LONGEST_SUBJECT + 2]
        found: list[str] = []
        for word, after in zip_longest(start, start[1:]):
            if word in words.verbs and after not in words.verbs:
                return " ".join(found)
            if not word[-1].isalnum():  # a comma ends an adverbial, not a subject
                break
            if word not in words.articles:
                found.append(word)
    return ""


def _lean(start: str, words: Words) -> Lean:
    found = Lean.NOTHING
    if words.alone.match(start):
        return found
    for pattern, lean in ((words.strong, Lean.PREVIOUS), (words.weak, Lean.SOMETHING)):
        match = pattern.match(start)
        if match:
            found, start = lean, behind(start[match.end() :])
            break
    lead = words.subordinators.match(start)
    after = behind(start[lead.end() :]) if lead else ""
    if any(words.pronouns.match(part) and not words.alone.match(part) for part in (start, after) if part):
        found |= Lean.REFERENT
    return found
