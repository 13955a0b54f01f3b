"""Births and deaths told in brackets: "Ada King (10 December 1815 – 27 November 1852) was ..."; "(born 3 May 1950)".

A person or a firm is born once and dies once, so another date in the claim is a conflict wherever the evidence does not
have it as well.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from grounding_middleware.checks.binding import claimed
from grounding_middleware.checks.identity.definition import definition, fold, same_name
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.tokens import Shape, Token
from grounding_middleware.reading.units import Unit
from grounding_middleware.reading.values import Relation, Value, ValueKind, compare

_VERBS: Final = {"born": "born", "died": "died", "dies": "died"}
_DASHES: Final = frozenset({"-", "--", "–", "—", "−"})
_PLACES: Final = ("in", "at", "near")
_PARTS: Final = 2


@dataclass(frozen=True, slots=True)
class Lifespan:
    """Dates in the bracket behind a name; either may be unknown."""

    name: tuple[str, ...]
    born: Value | None
    died: Value | None


@dataclass(frozen=True, slots=True)
class Told:
    """What a claim says when it is "X was born on D" and nothing else."""

    name: tuple[str, ...]
    verb: str
    date: Value


def differs(claim: Unit, source: Unit) -> tuple[Value, Value, tuple[Value, ...]] | None:
    """The claim's date of birth or death and the one in the source's bracket, when they exclude each other.

    With all dates of the bracket: that a person was born on a day does not vouch for a death on it.
    """
    told = _told(claim)
    found = _lifespan(source) if told else None
    if told is None or found is None or not any(same_name(told.name, name) for name in _called(source, found)):
        return None
    other = found.born if told.verb == "born" else found.died
    if other is None or compare(told.date, other).relation is not Relation.DISJOINT:
        return None
    return told.date, other, tuple(one for one in (found.born, found.died) if one is not None)


def _called(source: Unit, found: Lifespan) -> tuple[tuple[str, ...], ...]:
    """The name before the bracket, and those behind it ("known professionally as ...")."""
    defined = definition(source)
    return (found.name, *(defined.names if defined else ()))


def _told(unit: Unit) -> Told | None:
    """The claim, if it has a name, one verb and one date, and no other content."""
    verbs = [token for token in unit.tokens if token.norm in _VERBS]
    dates = [value for value in claimed(unit) if value.kind is ValueKind.DATE]
    if len(verbs) != 1 or len(dates) != 1 or len(claimed(unit)) != 1 or dates[0].bound or unit.of("negation"):
        return None
    verb, date = verbs[0], dates[0]
    if any(item.start > verb.end and not (item.name or item.prep in _PLACES) for item in unit.items) or unit.of(
        "certainty"
    ):
        return None
    words = lexicon("en")
    skipped = words.auxiliaries | words.prepositions
    before = (token for token in unit.tokens if token.end <= verb.start and token.norm not in skipped)
    name = [token for token in before if not date.start <= token.start < date.end]
    return Told(_folded(name), _VERBS[verb.norm], date) if name else None


def _lifespan(unit: Unit) -> Lifespan | None:
    opening = next((n for n, token in enumerate(unit.tokens) if token.norm == "("), None)
    if not opening:
        return None
    comma = next((n for n, token in enumerate(unit.tokens[:opening]) if token.text == ","), opening)
    name = [token for token in unit.tokens[:comma] if token.shape is not Shape.PUNCT]
    born, died = _dates(unit, unit.tokens[opening + 1 :])
    return Lifespan(_folded(name), born, died) if born or died else None


def _dates(unit: Unit, tokens: tuple[Token, ...]) -> tuple[Value | None, Value | None]:
    """Birth and death in the bracket these tokens begin in."""
    inside = _inside(tokens)
    if not inside:
        return None, None
    low, high = inside[0].start, inside[-1].end
    dates = [
        value for value in unit.values if value.kind is ValueKind.DATE and low <= value.start and value.end <= high
    ]
    if len(dates) == 1 and dates[0].date_to is not None:
        return replace(dates[0], date_to=None), replace(dates[0], date=dates[0].date_to, date_to=None)
    joined = len(dates) == _PARTS and _joined(inside, *dates)
    if joined:
        return dates[0], dates[1]
    before = [token.norm for token in inside if dates and token.end <= dates[0].start and token.shape is Shape.WORD]
    return (dates[0], None) if len(dates) == 1 and "born" in before and not dates[0].bound else (None, None)


def _inside(tokens: tuple[Token, ...]) -> list[Token]:
    """Up to the mark that closes the bracket; brackets in it are skipped."""
    found: list[Token] = []
    depth = 0
    for token in tokens:
        if token.norm in ("(", "["):
            depth += 1
        elif token.norm in (")", "]"):
            if depth == 0:
                return found
            depth -= 1
        elif depth == 0:
            found.append(token)
    return []


def _joined(inside: list[Token], first: Value, last: Value) -> bool:
    """Nothing but a dash stands between the two dates."""
    between = [token.text for token in inside if first.end <= token.start and token.end <= last.start]
    return bool(between) and all(text in _DASHES for text in between)


def _folded(tokens: list[Token]) -> tuple[str, ...]:
    name = [fold(token.norm) for token in tokens if token.shape is not Shape.PUNCT]
    return tuple(name[1:] if len(name) > 1 and name[0] in lexicon("en").articles else name)
