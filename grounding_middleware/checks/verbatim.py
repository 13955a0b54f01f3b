"""Word for word: all that can be supported where closed-class words are not known, since any word may be a "not"."""

from __future__ import annotations

import unicodedata

from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.tokens import Shape
from grounding_middleware.reading.units import Unit
from grounding_middleware.reading.values import Relation, compare


def words_known(claim: Unit, source: Unit) -> bool:
    """Both are in one language whose negations, modals and conditions we know."""
    return claim.language == source.language and lexicon(claim.language).covered


def verbatim(claim: Unit, source: Unit) -> bool:
    """The same words in the same order and nothing else on either side; values may be written otherwise."""
    if _wording(claim) != _wording(source) or len(claim.values) != len(source.values):
        return False
    return all(
        compare(own, other).relation is compare(other, own).relation is Relation.ENTAILED
        for own, other in zip(claim.values, source.values, strict=True)
    )


def _wording(unit: Unit) -> list[str]:
    """The words and signs (<, ≠) in order without punctuation, with one mark for each value."""
    values = {value.start: value.end for value in unit.values}
    found: list[str] = []
    end = 0
    for token in unit.tokens:
        if token.start in values:
            end = values[token.start]
            found.append("\x00")
        if token.start >= end and (
            token.shape is not Shape.PUNCT or unicodedata.category(token.text[0]).startswith("S")
        ):
            found.append(token.norm)
    return found
