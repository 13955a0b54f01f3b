"""Pronouns (CH-7): "we may cancel your order" is not "you may cancel your order"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.reading.clauses import orders
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.subjects import spoken
from grounding_middleware.reading.tokens import Token
from grounding_middleware.reading.units import Unit

_PERSONS: Final = (
    ("i", "me", "my", "mine", "myself"),
    ("we", "us", "our", "ours", "ourselves"),
    ("you", "your", "yours", "yourself", "yourselves"),
    ("he", "him", "his", "himself"),
    ("she", "her", "hers", "herself"),
    ("it", "its", "itself"),
    ("they", "them", "their", "theirs", "themselves"),
)
_ENGLISH: Final = {word: words[0] for words in _PERSONS for word in words}


def same_persons(alignment: Alignment) -> bool:
    """True if the claim's pronouns stand in the source in the same order; some may be missing, none may be new.

    Two may be new: the one that begins the claim, which refers to the sentence before it, and a "you" that means
    anybody, beside a source that speaks of nobody in particular ("a lost key can be replaced"). In an instruction the
    thing acted on may be named by a pronoun or not at all: "rinse and dry", "rinse it and dry it".
    """
    claim, source = alignment.claim, alignment.source
    mine, theirs = list(_persons(claim)), list(_persons(source))
    if orders(claim) and orders(source):
        mine, theirs = ([word for word in side if word not in _THINGS] for side in (mine, theirs))
    anybody = lexicon(source.language).first_and_second
    if not any(word in anybody for word in theirs):
        mine = [word for word in mine if word not in anybody or word in _SPEAKERS]
    return _within(mine, theirs)


_THINGS: Final = frozenset({"it", "they"})
_SPEAKERS: Final = frozenset({"i", "we"})


def _persons(unit: Unit) -> Iterator[str]:
    """The person of each pronoun in order, without the one a sentence begins with when it refers back."""
    words = lexicon(unit.language)
    tokens = spoken(unit)
    for number, token in enumerate(tokens):
        person = _person(token, unit.language)
        if person and not (number == 0 and token.norm not in words.first_and_second):
            yield person


def _person(token: Token, language: str) -> str:
    if language == "en":
        return _ENGLISH.get(token.norm, "")
    words = lexicon(language)
    return token.norm if token.norm in words.pronouns else ""


def _within(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    rest = iter(theirs)
    return all(word in rest for word in mine)
