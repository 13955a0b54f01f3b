"""How a sentence leans on the one before it ("However, it ..."), read off its first words.

The words are data (`words.toml`) for English, German, French, Spanish, Italian, Portuguese and Dutch; in others nothing
is known to lean. What is done about it errs on the side of removal: a pronoun refers to the nearest sentence that does
not itself begin with one.
"""

from __future__ import annotations

from enum import Flag, auto

from grounding_middleware.editing.words import Words, behind, candidates, opening

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
