"""What a question asks for: its topic, and the sort of value that only an answer to it would hold."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from grounding_middleware.reading.lexicon import Lexicon, lexicon
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.reading.values import ValueKind

_PERIODS: Final = frozenset({ValueKind.DURATION, ValueKind.CALENDAR_DURATION})
_KINDS: Final = {
    "how_much": frozenset({ValueKind.MONEY, ValueKind.PERCENT, ValueKind.RATIO, ValueKind.QUANTITY}),
    "how_long": _PERIODS,
    "when": frozenset({ValueKind.DATE, ValueKind.TIME}),
    "how_many": frozenset({ValueKind.COUNT, ValueKind.NUMBER}),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked: `kinds` of values that answer it, none for "whether"; `answerable` is False for who, where, why.

    `words` are the positions of the question words themselves, which are no topic.
    """

    kinds: Collection[ValueKind]
    answerable: bool
    words: frozenset[int]


_WHETHER: Final = Asked((), answerable=True, words=frozenset())


def asked(unit: Unit) -> Asked:
    """What the first question phrase of the unit asks for; "whether" when it has none."""
    words = lexicon(unit.language)
    norms = [token.norm for token in unit.tokens]
    for position in range(len(norms)):
        found = words.asked_at(norms, position)
        if found is None:
            continue
        kind, length = found
        if kind == "open" and any(item.keys & words.costs for item in unit.items):
            kind = "how_much"
        return Asked(_KINDS.get(kind, ()), kind in _KINDS, frozenset(range(position, position + length)))
    return _WHETHER


def asks(unit: Unit) -> bool:
    """Whether the unit has a question phrase of its own."""
    return asked(unit) is not _WHETHER


def plain(unit: Unit) -> tuple[Item, ...]:
    """The items of a question, with a verb and its pronoun ("sont-elles", "conserve-t-on") read as the verb alone."""
    words = lexicon(unit.language)
    found = []
    for item in unit.items:
        head, _, tail = item.text.casefold().partition("-")
        if tail.rpartition("-")[2] not in words.pronouns:
            found.append(item)
        elif head not in words.auxiliaries:
            found.append(replace(item, keys=words.forms(head)))
    return tuple(found)


def without(items: Collection[Item], question: Asked) -> tuple[Item, ...]:
    """The items that are no words of the question itself."""
    return tuple(item for item in items if item.position not in question.words)


def about_sources(item: Item, words: Lexicon) -> bool:
    """Words that only say where was looked: document, passage, provided, say, mention, find."""
    known = words.frame.nouns | words.frame.verbs | words.frame.looking
    return any((key,) in known for key in item.keys)


def names_topic(unit: Unit) -> bool:
    """Whether anything is said to be missing: "I do not know" and "the documents do not tell" name nothing."""
    words = lexicon(unit.language)
    return any(not about_sources(item, words) for item in unit.items)
