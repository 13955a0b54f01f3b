"""What evidence can be proven not to say: an amount of money, since no word but a number or "free" can stand for one.

A thing may stand in the evidence by another name, a period as "until autumn", a number as "a pair"; nothing tells.
"""

from __future__ import annotations

from typing import Final

from grounding_middleware.checks.asked import Asked, asked, asks, names_topic
from grounding_middleware.checks.library import Library
from grounding_middleware.checks.topics import Vocabulary, vocabulary
from grounding_middleware.claims.lexicon import template
from grounding_middleware.claims.lexicon import words as listed
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.reading.values import ValueKind

_NO_SUM: Final = frozenset({ValueKind.DURATION, ValueKind.CALENDAR_DURATION, ValueKind.DATE, ValueKind.TIME})


def silent(unit: Unit, library: Library, question: Unit | None) -> bool:
    """True when the abstention is about an amount of money alone and nothing in the evidence can be one."""
    spans = library.others(frozenset())
    if any(library.language_of(span) != unit.language or library.unread(span, unit.language) for span in spans):
        return False
    known = vocabulary(unit.language)
    return _asks_amount(unit, question, known) and not any(_may_tell(one, known) for one, _ in library.all_units())


def _asks_amount(unit: Unit, question: Unit | None, known: Vocabulary) -> bool:
    """Whether the abstention itself asks for it, or names nothing and the question does."""
    if names_topic(unit):
        return _for_amount(unit, known)
    return question is not None and question.language == unit.language and _for_amount(question, known)


def _for_amount(unit: Unit, known: Vocabulary) -> bool:
    """Asks "what does X cost", or names "the price of X", and nothing beside it."""
    norms = [token.norm for token in unit.tokens]
    if not listed(unit.language, "coordinating").isdisjoint(norms):
        return False
    sums = [item for item in unit.items if item.keys & known.amount]
    if asks(unit):
        return bool(sums) and _what(norms, asked(unit), known)
    return known.whether.isdisjoint(norms) and any(_whole(item, norms, known) for item in sums)


def _what(norms: list[str], wanted: Asked, known: Vocabulary) -> bool:
    """Whether the question word asks for a thing or an amount, not for a person, a place or a reason."""
    return ValueKind.MONEY in wanted.kinds and norms[min(wanted.words)] in known.what


def _whole(item: Item, norms: list[str], known: Vocabulary) -> bool:
    """Whether the noun ends its phrase or goes on with "of": no "price list"."""
    behind = norms[item.position + 1 : item.position + 2]
    return not (behind and known.of) or behind[0] in known.of or not behind[0][:1].isalpha()


def _may_tell(unit: Unit, known: Vocabulary) -> bool:
    """Holds a value that may be an amount, or a word of money: free, included, paid, at a lower rate."""
    money = template(unit.language, "risk_money")
    if any(value.kind not in _NO_SUM for value in unit.values) or not money or money.search(unit.text.lower()):
        return True
    words = lexicon(unit.language)
    return any((known.free | known.priced | known.amount) & words.forms(token.norm) for token in unit.tokens)
