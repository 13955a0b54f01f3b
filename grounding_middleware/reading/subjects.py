"""The subject of a sentence as far as closed-class words show it: what a later "it" or "they" most likely means."""

from __future__ import annotations

from typing import Final

from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.tokens import Shape
from grounding_middleware.reading.units import Item, Unit

_LONGEST: Final = 4  # content words of a subject; more is a sentence without a verb we know


def subject(unit: Unit) -> tuple[Item, ...]:
    """The content words before the first auxiliary, modal, value or preposition; may end with the verb itself."""
    words = lexicon(unit.language)
    stops = [cue.start for cue in unit.cues if cue.table in ("modality", "negation", "time", "condition")]
    stops += [value.start for value in unit.values if not value.is_name]
    stops += [token.start for token in unit.tokens if token.norm in words.auxiliaries]
    first = next((item for item in unit.items), None)
    if first is None:
        return ()
    end = min((stop for stop in stops if stop > first.start), default=unit.end)
    found = [item for item in unit.items if item.start < end and not item.prep]
    return tuple(found[:_LONGEST])


def leans_back(unit: Unit) -> bool:
    """The first word is a pronoun of the third person: the sentence continues about what stands before it."""
    words = lexicon(unit.language)
    first = next((token for token in unit.tokens if token.shape is Shape.WORD), None)
    return first is not None and first.norm in words.pronouns and first.norm not in words.first_and_second
