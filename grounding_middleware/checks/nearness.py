"""Abstentions that the evidence may answer in other words (CL-6): only a judge can confirm them.

That a thing is not spoken of cannot be told from its name: the evidence may say "glasshouse", "trial period", "JDK 17".
So the rules confirm an abstention only where what is missing has no other words (`silence`); of all others they say
which sentence may answer, where there is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from grounding_middleware.checks.asked import about_sources, asked, names_topic, without
from grounding_middleware.checks.library import Library
from grounding_middleware.checks.silence import silent
from grounding_middleware.checks.topics import Topic, Vocabulary, read_topic, vocabulary
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.reading.values import ValueKind
from grounding_middleware.records import Quote

_MONEY: Final = frozenset({ValueKind.MONEY, ValueKind.PERCENT, ValueKind.RATIO, ValueKind.NUMBER, ValueKind.QUANTITY})
_BEFORE_VERB: Final = frozenset({"to", "czy"})
_BEFORE_CLAUSE: Final = frozenset({"que", "che"})


@dataclass(frozen=True, slots=True)
class Near:
    """Why an abstention is not confirmed, and the sentence that may answer, where there is one."""

    reason: str
    quote: Quote | None = None


def near(unit: Unit, library: Library, question: Unit | None = None) -> Near | None:
    """What forbids calling the abstention honest; None when nothing in the evidence can be its answer."""
    spans = sorted(library.others(frozenset()))
    asking = [one for one in (unit, question) if one and names_topic(one)]
    if not spans or not asking or (lexicon(unit.language).covered and silent(unit, library, question)):
        return None
    if not lexicon(unit.language).covered:
        return Near("topics are not read in this language")
    foreign = next((span for span in spans if library.language_of(span) != unit.language), None)
    if foreign is not None:
        return Near(f"{foreign} is in another language")
    topics = [_topic(one) for one in asking if one.language == unit.language]
    found = (_answering(topic, library, vocabulary(unit.language)) for topic in topics if topic.anchors or topic.priced)
    return next((one for one in found if one), Near("the evidence may say it in other words"))


def unheard_of(unit: Unit, library: Library, question: Unit | None) -> Item | None:
    """The thing that an offer names and neither the evidence nor the question knows: "our shuttle", "the curator"."""
    spans = sorted(library.others(frozenset()))
    known = vocabulary(unit.language)
    if not lexicon(unit.language).covered or any(library.language_of(span) != unit.language for span in spans):
        return None
    heard = [one for one, _ in library.all_units()] + ([question] if question else [])
    things = (item for item in read_topic(unit, unit.items).firm if _is_thing(item, unit, known))
    return next((item for item in things if not any(_names(one, item, known) for one in heard)), None)


def _is_thing(item: Item, unit: Unit, known: Vocabulary) -> bool:
    """No verb ("to know", "che le faccia"), and nothing that an assistant itself can give: a summary, a list."""
    before = [token.norm for token in unit.tokens[max(0, item.position - 2) : item.position]]
    verb = item.position <= 1 or before[-1] in _BEFORE_VERB or before[0] in _BEFORE_CLAUSE or known.is_verb(item)
    return not (verb or item.keys & known.talk or about_sources(item, lexicon(unit.language)))


def _topic(unit: Unit) -> Topic:
    words = lexicon(unit.language)
    return read_topic(unit, [item for item in without(unit.items, asked(unit)) if not about_sources(item, words)])


def _answering(topic: Topic, library: Library, known: Vocabulary) -> Near | None:
    """The first sentence that speaks of the topic and may answer."""
    for span_id in sorted(library.others(frozenset())):
        units = [unit for unit, _ in library.units_of((span_id,))]
        for number, unit in enumerate(units):
            if _may_answer(topic, unit, units[max(0, number - 1) : number + 2], known):
                return _told(topic, unit, span_id, library)
    return None


def _may_answer(topic: Topic, unit: Unit, around: Sequence[Unit], known: Vocabulary) -> bool:
    """Names half of the topic at least, the sentences beside it counted in, and tells a price where one is asked."""
    if topic.priced and not _tells_price(around, known):
        return False
    if not topic.anchors:
        return True
    held = [item for item in (*topic.firm, *topic.loose) if _names(unit, item, known)]
    near_by = [item for item in topic.anchors if any(_names(one, item, known) for one in around)]
    written = {token.norm for token in unit.tokens}
    labelled = all(label.text in written for label in topic.labels)
    return labelled and bool(held) and 2 * len(near_by) >= len(topic.anchors) - 1


def _told(topic: Topic, unit: Unit, span_id: str, library: Library) -> Near:
    text = library.span(span_id).text[unit.start : unit.end]
    known = vocabulary(unit.language)
    told = (
        ", ".join(repr(item.text) for item in (*topic.firm, *topic.loose) if _names(unit, item, known))
        or "what is asked"
    )
    quote = Quote(span_id=span_id, start=unit.start, end=unit.end, text=text)
    return Near(f"{span_id} speaks of {told} and may answer: {text.strip()!r}", quote)


def _names(unit: Unit, item: Item, known: Vocabulary) -> bool:
    if item.keys & (unit.context | unit.title):
        return True
    return any(known.alike(item, other) for other in unit.items)


def _tells_price(units: Sequence[Unit], known: Vocabulary) -> bool:
    """Holds an amount, or tells of a price in words: free, included, at a lower rate."""
    priced = any(value.kind in _MONEY for unit in units for value in unit.values)
    telling = known.free | known.priced
    return priced or any(telling & forms for unit in units for forms in _words(unit, known))


def _words(unit: Unit, known: Vocabulary) -> Iterator[frozenset[str]]:
    words = lexicon(known.language)
    return (words.forms(token.norm) for token in unit.tokens)
