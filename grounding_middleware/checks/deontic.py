"""The deontic status a clause gives to an act or a thing: required, waived, allowed or forbidden (CH-4).

A modal says it, or a word of data/duties.toml, with a negation or without. "Without X possible" waives X, "without X
not possible" and "only with X" require it. A clause that says nothing else ("..., but need not") speaks of the act
before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from grounding_middleware.checks.duty_words import Status, duty_words, listed_status, status_of
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Cue, Item, Unit

__all__ = ["Duty", "Mark", "last_segment", "statuses"]

_PLAIN: Final = ("negation.clause", "negation.determiner")
_REACH: Final = 4  # tokens from a negation to what it denies
_AT_ONCE: Final = 2  # tokens from a modal to the negation behind it: "must not"

Mark = Cue | Item


@dataclass(frozen=True, slots=True)
class Duty:
    """`thing` stands behind "without" or "only with"; without one, `asks` for a thing or speaks of an act."""

    status: Status
    word: Mark
    segment: int
    thing: Item | None = None
    asks: bool = False


@dataclass(frozen=True, slots=True)
class _Clause:
    """What one segment has that bears on its status."""

    unit: Unit
    number: int
    marks: tuple[Mark, ...]
    negations: tuple[Cue, ...]
    lacking: tuple[Cue, ...]
    only: Cue | None


def statuses(unit: Unit) -> Iterator[Duty]:
    """The status each clause gives to its act, or to a thing behind "without" or "only with"."""
    for number in range(len(unit.segments)) if duty_words(unit.language) else ():
        clause = _clause(unit, number)
        duty = _of_thing(clause) if clause.lacking or clause.only else _of_act(clause)
        if duty is not None:
            yield duty


def _clause(unit: Unit, number: int) -> _Clause:
    cues = [cue for cue in unit.cues if number <= cue.segment <= last_segment(unit, number)]
    modals = [cue for cue in cues if cue.table == "modality"]
    listed = [
        item
        for item in unit.items
        if item.segment == number
        and listed_status(item, unit.language)
        and _predicative(unit, item)
        and not any(cue.start <= item.start < cue.end for cue in modals)
    ]
    negations = [cue for cue in cues if cue.table == "negation"]
    lacking = [cue for cue in negations if cue.text.casefold() in lexicon(unit.language).lacking]
    only = next((cue for cue in cues if cue.name == "quantity.only"), None)
    left = tuple(cue for cue in negations if cue not in lacking)
    return _Clause(unit, number, (*modals, *listed), left, tuple(lacking), only)


def last_segment(unit: Unit, number: int) -> int:
    """The last segment of a clause: a stretch with nothing but a negation, "aber nicht", goes with the one before."""
    said = {item.segment for item in unit.items} | {cue.segment for cue in unit.of("modality")}
    denied = {cue.segment for cue in unit.of("negation")}
    while number + 1 in denied and number + 1 not in said:
        number += 1
    return number


def _predicative(unit: Unit, item: Item) -> bool:
    """Not one of the adjectives that count only behind a form of "be", or right behind one, a negation between."""
    if item.keys.isdisjoint(duty_words(unit.language).get("predicative", ())):
        return True
    before = [token for token in unit.tokens if token.start < item.start]
    denied = {cue.start for cue in unit.of("negation")}
    last = next((token for token in reversed(before) if token.start not in denied), None)
    return last is not None and last.norm in lexicon(unit.language).auxiliaries


def _of_act(clause: _Clause) -> Duty | None:
    """The one status the marks of a clause give to what it says."""
    unit = clause.unit
    denied = bool(clause.negations)
    if not clause.marks or (denied and not all(_denies(clause, mark) for mark in clause.marks)):
        return None
    said = {_said(mark, unit.language, denied=denied) for mark in clause.marks}
    status = said.pop()
    if said or status is None:
        return None
    items = [item for item in unit.items if item.segment == clause.number and item not in clause.marks]
    segment = clause.number if items or not clause.number else clause.number - 1
    of_things = duty_words(unit.language).get("of_things", frozenset())
    asks = any(mark.text.casefold() in of_things for mark in clause.marks)
    return Duty(status, clause.marks[0], segment, None, asks)


def _said(mark: Mark, language: str, *, denied: bool) -> Status | None:
    own = mark.text.casefold().endswith(" not")  # "need not"
    return None if own and denied else status_of(mark, language, denied=denied or own)


def _denies(clause: _Clause, mark: Mark) -> bool:
    """The negations of the clause deny this word: wherever it stands in a language of free order, else right at it."""
    words, negations = lexicon(clause.unit.language), clause.negations
    if any(cue.name not in _PLAIN for cue in negations) or (len(negations) > 1 and not words.concord):
        return False
    if words.free_order:
        return True
    distance = mark.position - negations[-1].position
    if distance < 0:
        return not words.concord and isinstance(mark, Cue) and -distance <= len(mark.text.split()) + _AT_ONCE - 1
    items = clause.unit.items
    return distance <= _REACH and not any(0 < mark.position - item.position < distance for item in items)


def _of_thing(clause: _Clause) -> Duty | None:
    """What the clause makes of the thing behind "without" or "only with"."""
    unit = clause.unit
    said = {status_of(mark, unit.language, denied=False) for mark in clause.marks}
    if len(clause.negations) > 1 or any(cue.name not in _PLAIN for cue in clause.negations) or len(said) > 1:
        return None
    told = said.pop() if said else Status.ALLOWED
    word = clause.lacking[0] if clause.lacking else clause.only
    thing = _head(unit, clause.number, word.position) if word else None
    if word is None or thing is None:
        return None
    denied = bool(clause.negations) != (told is Status.FORBIDDEN)
    if clause.lacking:
        plain = len(clause.lacking) == 1 and clause.only is None and told in (Status.ALLOWED, Status.FORBIDDEN)
        return Duty(Status.REQUIRED if denied else Status.WAIVED, word, clause.number, thing) if plain else None
    along = thing.prep in duty_words(unit.language).get("with", ())
    return (
        Duty(Status.REQUIRED, word, clause.number, thing) if along and told is Status.ALLOWED and not denied else None
    )


def _head(unit: Unit, segment: int, position: int) -> Item | None:
    """The noun right behind a word: in German the first with a capital."""
    behind: Sequence[Item] = [item for item in unit.items if item.segment == segment and item.position > position]
    if unit.language == "de":
        return next((item for item in behind if item.text[:1].isupper()), None)
    return next(iter(behind), None)
