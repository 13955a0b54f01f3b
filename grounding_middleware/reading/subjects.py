"""The subject of a sentence as far as closed-class words show it: what a later "it" or "they" most likely means."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from grounding_middleware.reading.lexicon import Lexicon, lexicon
from grounding_middleware.reading.tokens import Shape, Token
from grounding_middleware.reading.units import Item, Unit

_LONGEST: Final = 4  # content words of a subject; more is a sentence without a verb we know


def subject(unit: Unit) -> tuple[Item, ...]:
    """The content words before the first verb, value or preposition, as far as closed classes show where that is.

    A verb nobody knows shows by the article or pronoun behind it; elsewhere it may be taken for a part of the subject.
    """
    words = lexicon(unit.language)
    stops = list(_before_determiners(unit, words))
    stops += [cue.start for cue in unit.cues if cue.table in ("modality", "negation", "time", "condition")]
    stops += [value.start for value in unit.values if not value.is_name]
    stops += [token.start for token in unit.tokens if token.norm in words.auxiliaries]
    start = _main(unit)
    first = next((item for item in unit.items if item.start >= start), None)
    if first is None:
        return ()
    end = min((stop for stop in stops if stop > first.start), default=unit.end)
    found = [item for item in unit.items if start <= item.start < end and not item.prep]
    return tuple(found[:_LONGEST])


def _before_determiners(unit: Unit, words: Lexicon) -> Iterator[int]:
    """Where words stand that a determiner follows, the first of them apart: verbs with their object."""
    items = {item.start: item for item in unit.items[1:]}
    for token, behind in pairwise(unit.tokens):
        if token.start in items and not items[token.start].prep and behind.norm in words.articles | words.pronouns:
            yield token.start


def labelled(unit: Unit) -> tuple[Item, ...]:
    """The content words of a heading, with the numbers that tell it from others ("Heron 300")."""
    numbers = (value for value in unit.values if not value.is_name)
    named = (
        Item(value.text, value.start, value.end, frozenset({value.text.casefold()}), 0, len(unit.tokens))
        for value in numbers
    )
    return (*unit.items, *named)


def leans_back(unit: Unit) -> bool:
    """The first word is a pronoun of the third person: the sentence continues about what stands before it."""
    return _is_third(next(iter(spoken(unit)), None), unit)


def carries_on(unit: Unit) -> bool:
    """The same of what stands behind an opening phrase: "Once married, they ..."."""
    start = _main(unit)
    return leans_back(unit) or _is_third(next((token for token in spoken(unit) if token.start >= start), None), unit)


def spoken(unit: Unit) -> list[Token]:
    """The words without those that only lead over: "however", "it should be noted that"."""
    words, norms, at = lexicon(unit.language), [token.norm for token in unit.tokens], 0
    found: list[Token] = []
    while at < len(norms):
        skipped = words.connective_at(norms, at)
        if not skipped and unit.tokens[at].shape is Shape.WORD:
            found.append(unit.tokens[at])
        at += skipped or 1
    return found


def _is_third(token: Token | None, unit: Unit) -> bool:
    words = lexicon(unit.language)
    return token is not None and token.norm in words.pronouns and token.norm not in words.first_and_second


def _main(unit: Unit) -> int:
    """Where the main clause begins: behind a condition, a time or a phrase with a preposition that comes first."""
    words = lexicon(unit.language)
    first = next((token for token in unit.tokens if token.shape is Shape.WORD), None)
    opened = "." in unit.segments[0].opener or (first is not None and first.norm in words.prepositions)
    later = (segment.start for segment in unit.segments[1:] if segment.opener == "")
    return next(later, unit.start) if opened else unit.start
