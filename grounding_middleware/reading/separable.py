"""Verbs told in two pieces (German, Dutch): "lehnt ... ab" is compared as "ablehnen", not as "lehnen"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from grounding_middleware.reading.lemmas import keys, known
from grounding_middleware.reading.lexicon import Lexicon
from grounding_middleware.reading.tokens import Shape, Token
from grounding_middleware.reading.units import Item, Segment


def rejoined(
    items: Sequence[Item], tokens: Sequence[Token], segments: Sequence[Segment], words: Lexicon
) -> tuple[Item, ...]:
    """The items; where a segment ends in a verb's prefix, the one verb before it has the forms of the whole verb."""
    found = list(items)
    for number, prefix in _prefixes(tokens, segments, words) if words.separable else ():
        first = _clause_start(segments, number)
        inside = [item for item in found if first <= item.segment <= number and item.end <= prefix.start]
        joined = [(item, forms) for item in inside if (forms := _whole(prefix.norm, item, words.language))]
        if len(joined) == 1:
            item, forms = joined[0]
            found[found.index(item)] = replace(item, keys=forms)
            found = [one for one in found if one.start != prefix.start]
    return tuple(found)


def _clause_start(segments: Sequence[Segment], number: int) -> int:
    """The first segment of the clause: "A und B zahlen ... ein" may have its verb before the "und"."""
    while number > 0 and segments[number].opener in ("and", "or"):
        number -= 1
    return number


def _prefixes(tokens: Sequence[Token], segments: Sequence[Segment], words: Lexicon) -> Iterator[tuple[int, Token]]:
    """Segment number and its last word, where that is a prefix."""
    for number, segment in enumerate(segments):
        inside = [one for one in tokens if segment.start <= one.start < segment.end and one.shape is not Shape.PUNCT]
        if inside and inside[-1].norm in words.separable:
            yield number, inside[-1]


def _whole(prefix: str, item: Item, language: str) -> frozenset[str]:
    """The forms of the verb with its prefix, if the dictionary has it; nouns in capitals are no verbs."""
    if item.text[:1].isupper() or item.prep or item.code:
        return frozenset()
    whole = {key for form in item.keys if known(prefix + form, language) for key in keys(prefix + form, language)}
    return frozenset(whole)
