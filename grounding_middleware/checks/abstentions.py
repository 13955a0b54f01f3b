"""Abstentions (CL-6): "the documents do not say whether X" is wrong when a document plainly states X."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from grounding_middleware.checks.alignment import align
from grounding_middleware.checks.asked import Asked, about_sources, asked, asks, plain, without
from grounding_middleware.checks.doers import doer_told
from grounding_middleware.checks.library import Library, Shelf
from grounding_middleware.reading.lemmas import related
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.subjects import leans_back
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.reading.values import Value
from grounding_middleware.records import Quote

_MIN_TOPIC: Final = (
    2  # content words a topic needs before a sentence counts as its answer, unless nothing at all is said
)
_NOTHING: Final = frozenset({"nothing", "nichts", "rien", "nada", "nulla", "niente", "niets", "nic", "niczego"})


def answered(unit: Unit, library: Library, question: Unit | None = None) -> Quote | None:
    """The unit that states what the abstention calls unstated; None when no unit holds its whole topic.

    An abstention about "this" is one about the question. Where an amount, a period or a date is asked for, the unit
    must hold one; of what no value answers ("who", "where", "why"), only "who" is ever called answered.
    """
    topic, wanted = _about(unit, question)
    shelf = _stating(topic, wanted, library, unit) if topic else None
    if shelf is None:
        return None
    text = library.span(shelf.span_id).text[shelf.unit.start : shelf.unit.end]
    return Quote(span_id=shelf.span_id, start=shelf.unit.start, end=shelf.unit.end, text=text)


def _stating(topic: Sequence[Item], wanted: Asked, library: Library, unit: Unit) -> Shelf | None:
    if not wanted.answerable:
        return doer_told(unit, topic, library)
    few = len(topic) < _MIN_TOPIC and not _nothing_at_all(unit)
    if few and not wanted.kinds:
        return None
    return _holding(topic, wanted, library, unit, few=few)


def touched(unit: Unit, library: Library, question: Unit | None = None) -> bool:
    """True when any word of the topic stands in the evidence: worth a second look by a judge."""
    return any(library.knows(item.keys) for item in _about(unit, question)[0])


def topic_of(unit: Unit) -> tuple[Item, ...]:
    """What is said to be missing: the words after the first negation, or before it, without those of looking."""
    negations = unit.of("negation")
    if not negations:
        return ()
    words = lexicon(unit.language)
    topic = without([item for item in unit.items if not about_sources(item, words)], asked(unit))
    after = tuple(item for item in topic if item.position > negations[0].position)
    return after or topic


def _about(unit: Unit, question: Unit | None) -> tuple[tuple[Item, ...], Asked]:
    """The topic, and what is asked about it: the abstention's own question, else the reader's about the same topic."""
    topic, own = topic_of(unit), asked(unit)
    if question is None or question.language != unit.language:
        return topic, own
    subject = _subject(question)
    if not topic:
        return subject, asked(question)
    known = {key for item in subject for key in item.keys}
    same = all(item.keys & known for item in topic)
    return topic, asked(question) if same and not asks(unit) else own


def _subject(question: Unit) -> tuple[Item, ...]:
    """What a question is about, without the words that only ask: "what does a X cost", "how long does X last"."""
    words = lexicon(question.language)
    wanted = asked(question)
    topic = tuple(item for item in without(plain(question), wanted) if not about_sources(item, words))
    if not wanted.kinds:
        return topic
    asking = words.costs | words.measure_verbs | words.measure_nouns
    return tuple(item for item in topic if not item.keys & asking) or topic


def _holding(topic: Sequence[Item], wanted: Asked, library: Library, unit: Unit, *, few: bool) -> Shelf | None:
    """The first unit that has every word of the topic, and a value of the kind that is asked for.

    Of a topic of one word it has to be the subject, with a value that is said of it.
    """
    everything = frozenset(span_id for _, span_id in library.all_units())
    about = replace(unit, items=tuple(topic), cues=())
    for shelf in library.candidates(about, everything):
        found = align(about, shelf.unit, shelf.span_id)
        before = _named_before(shelf, library)
        loosely = bool(wanted.kinds) or _nothing_at_all(unit)
        strange = [i for i in found.claim_left if not (i.keys & before or (loosely and _relative(i, shelf.unit)))]
        if strange or found.opposed or found.by_title or not found.pairs:
            continue
        values = [value for value in shelf.unit.values if value.kind in wanted.kinds]
        if not wanted.kinds or any(not few or _said_of(found.pairs[0][1], value, shelf.unit) for value in values):
            return shelf
    return None


def _named_before(shelf: Shelf, library: Library) -> frozenset[str]:
    """What the passage named before a sentence that begins with a pronoun; it may stand for any of it."""
    if not leans_back(shelf.unit):
        return frozenset()
    earlier = (unit for unit, _ in library.units_of((shelf.span_id,)) if unit.end <= shelf.unit.start)
    return frozenset(key for unit in earlier for item in unit.items for key in item.keys)


def _relative(item: Item, source: Unit) -> bool:
    """Another word of the family: "adhèrent", "adhérentes". It will do where a value is asked for, or all is denied."""
    return any(related(item.text, other.text) for other in source.items)


def _said_of(item: Item, value: Value, source: Unit) -> bool:
    """The value follows the word with a verb of measuring or being, or a colon, between them: "the deposit is 250"."""
    words = lexicon(source.language)
    low, high = value.phrase
    between = [token for token in source.tokens if item.end <= token.start and token.end <= low]
    measured = [token for token in between if words.forms(token.norm) & words.measure_verbs]
    verb = measured or [token for token in between if token.norm in words.auxiliaries or token.text == ":"]
    others = [other for other in source.items if item.position < other.position and other.end <= low]
    return bool(verb) and all(other.keys & words.measure_verbs for other in others) and item.start < high


def _nothing_at_all(unit: Unit) -> bool:
    """Whether every mention is denied ("do not say anything about X"), so that one is enough to contradict it."""
    return any(cue.name == "quantity.all" or cue.text.casefold() in _NOTHING for cue in unit.cues)
