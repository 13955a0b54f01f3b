"""Words of one place of the evidence in another: a value with another owner, a word inside a quotation."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from grounding_middleware.evaluation.probing.ground import Subject, shared
from grounding_middleware.evaluation.probing.numbers import direction
from grounding_middleware.evaluation.probing.phrases import change_of
from grounding_middleware.evaluation.probing.statements import Change, Statement
from grounding_middleware.reading.units import Item
from grounding_middleware.reading.values import Value, ValueKind

__all__ = ["owner_swapped", "quotation_altered"]

_NEAR: Final = 0.34
"""Share of a statement's words in a unit from which a value of the unit might be the statement's own."""
_LONG: Final = 5  # letters of a word that can be exchanged without becoming another form of it
_ROUNDED: Final = 20  # a twentieth: nearer than that, one may be the other, rounded
_ENDING: Final = 2  # letters two words must end in alike, so that the sentence stays one
_QUOTES: Final = frozenset('"“”„«»‘’')


def owner_swapped(subject: Subject) -> Iterator[Change]:
    """The value another statement gives to something else."""
    for value in subject.values:
        if not _movable(value):
            continue
        for other in _like(subject, value):
            if not _could_be_own(subject, other):
                yield change_of(subject, (value.start, value.end, other.text))
                break


def quotation_altered(subject: Subject) -> Iterator[Change]:
    """A verbatim quotation with one word exchanged for another of the document."""
    text = subject.statement.text
    if (
        not subject.words.list("saying")
        or set(text) & _QUOTES
        or " ".join(text.split()).casefold() not in subject.evidence_text
    ):
        return
    items = [item for item in subject.unit.items if _exchangeable(item)]
    subject.chance.shuffle(items)
    for item in items:
        new = _another(subject, item)
        start, end = item.start - subject.statement.start, item.end - subject.statement.start
        altered = f"{text[:start]}{new}{text[end:]}"
        if new and " ".join(altered.split()).casefold() not in subject.evidence_text:
            before, after = subject.words.list("saying")[0].split("{}")
            first, last = subject.statement.start, subject.statement.end
            edits = ((first, first, before), (item.start, item.end, new), (last, last, after))
            yield Change(edits, f"in the quotation {item.text!r} became {new!r}")
            return


def _movable(value: Value) -> bool:
    return (
        value.kind
        in (
            ValueKind.MONEY,
            ValueKind.PERCENT,
            ValueKind.QUANTITY,
            ValueKind.DURATION,
            ValueKind.CALENDAR_DURATION,
            ValueKind.DATE,
        )
        and not value.interval.is_range
        and not value.is_name
    )


def _like(subject: Subject, value: Value) -> Iterator[Value]:
    """Values of other statements of this evidence that could stand there; they say more, not less, than the old one."""
    pool = [
        one for one in subject.pool if one.language == subject.statement.language and one.text != subject.statement.text
    ]
    subject.chance.shuffle(pool)
    for statement in pool:
        for other in _values(subject, statement):
            alike = other.kind is value.kind and other.currency == value.currency and other.dimension == value.dimension
            if (
                alike
                and _movable(other)
                and other.text != value.text
                and _says_more(subject, value, other)
                and subject.written(other.text)
            ):
                yield other


def _values(subject: Subject, statement: Statement) -> tuple[Value, ...]:
    return subject.read(statement.attempt.answer, statement.start, statement.end).values


def _says_more(subject: Subject, value: Value, other: Value) -> bool:
    """Below a limit from underneath a smaller number says more; everywhere else a larger one, or any other."""
    if value.kind is ValueKind.DATE:
        return _day(value) and _day(other) and value.date != other.date
    old, new = _size(value), _size(other)
    if old is None or new is None or abs(new - old) * _ROUNDED <= abs(old):
        return False
    if value.bound is None:
        return new > old or not subject.has("negation")
    return (new - old) * direction(subject, value) > 0


def _day(value: Value) -> bool:
    return value.date is not None and value.date.complete and value.date_to is None


def _size(value: Value) -> Fraction | None:
    return value.high if value.high is not None else value.low


def _could_be_own(subject: Subject, other: Value) -> bool:
    """Whether a unit that is about the same things states the value, too."""
    return any(
        any(_size(one) == _size(other) and one.kind is other.kind for one in unit.values)
        and shared(subject.unit.items, unit) >= _NEAR
        for unit, _ in subject.units
    )


def _exchangeable(item: Item) -> bool:
    return not item.code and not item.name and item.text.isalpha() and len(item.text) >= _LONG and item.text.islower()


def _another(subject: Subject, item: Item) -> str:
    """Another word of the evidence with the same ending; empty when there is none."""
    own = {key for one in subject.unit.items for key in one.keys}
    words = {
        one.text
        for unit, _ in subject.units
        for one in unit.items
        if _exchangeable(one) and not one.keys & own and one.text[-_ENDING:] == item.text[-_ENDING:]
    }
    return subject.chance.choice(sorted(words)) if words else ""
