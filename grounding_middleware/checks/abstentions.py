"""Abstentions (CL-6): "the documents do not say whether X" is wrong when a document plainly states X."""

from __future__ import annotations

from typing import Final

from grounding_middleware.checks.alignment import align
from grounding_middleware.checks.library import Library, Shelf
from grounding_middleware.reading.lexicon import Lexicon, lexicon
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.records import Quote

_HOW: Final = frozenset({"how", "wie"})
_MIN_TOPIC: Final = (
    2  # content words a topic needs before a sentence counts as its answer, unless nothing at all is said
)


def answered(unit: Unit, library: Library) -> Quote | None:
    """The unit that states what the abstention calls unstated; None when no unit holds its whole topic."""
    topic = topic_of(unit)
    if not topic or (len(topic) < _MIN_TOPIC and not _nothing_at_all(unit)):
        return None
    shelf = _holding(unit, topic, library)
    if shelf is None:
        return None
    text = library.span(shelf.span_id).text[shelf.unit.start : shelf.unit.end]
    return Quote(span_id=shelf.span_id, start=shelf.unit.start, end=shelf.unit.end, text=text)


def touched(unit: Unit, library: Library) -> bool:
    """True when any word of the topic stands in the evidence: worth a second look by a judge."""
    return any(library.knows(item.keys) for item in topic_of(unit))


def topic_of(unit: Unit) -> tuple[Item, ...]:
    """What is said to be missing: the words after the first negation, without the verb of saying and the sources."""
    negations = unit.of("negation")
    if not negations:
        return ()
    words = lexicon(unit.language)
    after = [item for item in unit.items if item.position > negations[0].position]
    return tuple(item for item in after if not _names_sources(item, words) and not _asks_degree(unit, item))


def _asks_degree(unit: Unit, item: Item) -> bool:
    """The word behind "how": "how long guests may stay" is answered by a length, not by the word "long"."""
    before = [token.norm for token in unit.tokens if token.end <= item.start]
    return bool(before) and before[-1] in _HOW


def _holding(unit: Unit, topic: tuple[Item, ...], library: Library) -> Shelf | None:
    everything = frozenset(span_id for _, span_id in library.all_units())
    for shelf in library.candidates(unit, everything):
        found = align(unit, shelf.unit, shelf.span_id)
        matched = {item.position for item, _ in found.pairs} | {item.position for item in found.by_context}
        asked = any(_asks_degree(unit, item) for item in unit.items)
        if all(item.position in matched for item in topic) and not (asked and not shelf.unit.values):
            return shelf
    return None


def _names_sources(item: Item, words: Lexicon) -> bool:
    """Words that only say where was looked: document, passage, provided, say, mention, find."""
    known = words.frame.nouns | words.frame.verbs | words.frame.looking
    return any((key,) in known for key in item.keys)


def _nothing_at_all(unit: Unit) -> bool:
    """Whether every mention is denied ("do not say anything about X"), so that one is enough to contradict it."""
    return any(cue.name == "quantity.all" or cue.text.casefold() == "nothing" for cue in unit.cues)
