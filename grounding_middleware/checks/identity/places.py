"""Where a place is: a town in Spain is not in Portugal.

Only for things that lie in one country, and only when the evidence does not know the claim's country at all.
"""

from __future__ import annotations

from typing import Final

from grounding_middleware.checks.case import Case
from grounding_middleware.checks.identity.definition import Definition, same_name, subject_names
from grounding_middleware.checks.identity.vocabulary import continent, country
from grounding_middleware.reading.tokens import Token
from grounding_middleware.reading.units import Unit

_LIES: Final = frozenset({"located", "situated", "based", "headquartered"})
_COPULAS: Final = frozenset({"is", "lies"})
_IN_ONE: Final = frozenset({
    "airport", "borough", "capital", "cathedral", "city", "college", "commune", "county", "district", "hospital",
    "municipality", "museum", "neighborhood", "neighbourhood", "parish", "province", "school", "stadium", "state",
    "station", "suburb", "theater", "theatre", "town", "university", "village",
})  # fmt: skip
_SHORTEST: Final = 4  # words: X is in Y


def other_place(case: Case, source: Definition) -> tuple[Token, Token] | None:
    """The country the claim places the thing in, and the one the source does."""
    told = _told(case.unit)
    if told is None or source.denied:
        return None
    names, place = told
    lies_in_one = _IN_ONE | ({"country"} if continent(place.norm) else frozenset())
    if not any(head.norm in lies_in_one for head in source.heads):
        return None
    if not any(same_name(name, other) for name in names for other in source.names):
        return None
    mine = _area(place.norm)
    behind = [token for token in source.unit.tokens if token.start >= source.end]
    theirs = [token for token in (*behind, *source.words) if token.capital and _area(token.norm)]
    if not theirs or any(case.library.knows(frozenset({word})) for word in mine):
        return None
    alike = [token for token in theirs if bool(continent(token.norm)) == bool(continent(place.norm))]
    return (place, alike[0]) if alike else None


def _area(word: str) -> frozenset[str]:
    return country(word) or continent(word)


def _told(unit: Unit) -> tuple[tuple[tuple[str, ...], ...], Token] | None:
    """The names and the country of "X is (located) in Y" and "X is a town in Y", with nothing behind it."""
    tokens = [token for token in unit.tokens if token.text != "."]
    if len(tokens) < _SHORTEST or tokens[-2].norm != "in" or unit.cues or not _area(tokens[-1].norm):
        return None
    at = next((n for n, token in enumerate(tokens) if token.norm in _COPULAS), None)
    if at is None or not tokens[-1].capital:
        return None
    between = [token.norm for token in tokens[at + 1 : -2]]
    lies = not between or (len(between) == 1 and between[0] in _LIES) or between[-1] in {"country", *_IN_ONE}
    return (tuple(subject_names(tokens[:at])), tokens[-1]) if lies else None
