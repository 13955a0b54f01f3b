"""Abstentions that a sentence of the evidence may answer in other words (CL-6): only a judge can confirm them.

A sentence may answer when it names the topic and lacks no word that only the topic's own name could have. A thing the
evidence never speaks of ("on the balcony"), or speaks of elsewhere only, is such a word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from grounding_middleware.checks.asked import asked, without
from grounding_middleware.checks.library import Library
from grounding_middleware.checks.topics import Topic, Vocabulary, read_topic, vocabulary
from grounding_middleware.reading.lexicon import Lexicon, lexicon
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
    if not lexicon(unit.language).covered:
        return Near("topics are not read in this language")
    own, asked_for = _topic(unit), _topic(question) if question and question.language == unit.language else None
    topics = [topic for topic in (own, asked_for) if topic and (topic.anchors or topic.priced)]
    if not topics:
        return None
    foreign = next((s for s in library.others(frozenset()) if library.language_of(s) != unit.language), None)
    if foreign is not None:
        return Near(f"{foreign} is in another language")
    for topic in topics:
        found = _answering(topic, library, vocabulary(unit.language), spared=1 if topic is own else 0)
        if found is not None:
            return found
    return None


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
    return not (verb or item.keys & known.talk or _looks(item, lexicon(unit.language)))


def _topic(unit: Unit) -> Topic:
    words = lexicon(unit.language)
    return read_topic(unit, [item for item in without(unit.items, asked(unit)) if not _looks(item, words)])


def _looks(item: Item, words: Lexicon) -> bool:
    """Names the sources or tells of looking, not the topic."""
    known = words.frame.nouns | words.frame.verbs | words.frame.looking
    return any((key,) in known for key in item.keys)


def _answering(topic: Topic, library: Library, known: Vocabulary, spared: int) -> Near | None:
    """The first sentence that may answer; of the things of the topic, `spared` may stand there by another name."""
    missing = _missing(topic, [unit for unit, _ in library.all_units()], known)
    if len(missing) > spared:
        return None
    for span_id in sorted(library.others(frozenset())):
        units = [unit for unit, _ in library.units_of((span_id,))]
        for number, unit in enumerate(units):
            around = units[max(0, number - 1) : number + 2]
            if _may_answer(topic, unit, around, known) and (not missing or _does(topic, unit, known)):
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


def _does(topic: Topic, unit: Unit, known: Vocabulary) -> bool:
    """Says the same verb or quality, so that a thing unheard of may stand there by another name: books, documents."""
    return any(_names(unit, item, known) for item in topic.loose)


def _missing(topic: Topic, units: Sequence[Unit], known: Vocabulary) -> list[Item]:
    """The things of the topic that the evidence never speaks of; a name of several words may lack one."""
    absent = [item for item in topic.firm if not any(_names(unit, item, known) for unit in units)]
    positions = {item.position for item in absent}
    spared = {p for name in topic.names if len(name & positions) == 1 for p in name & positions}
    return [item for item in absent if item.position not in spared]


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
