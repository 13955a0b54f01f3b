"""Dates and times: another year, another month, another day of the month, another hour."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from grounding_middleware.evaluation.probing.ground import Subject
from grounding_middleware.evaluation.probing.phrases import Edit, change_of, put
from grounding_middleware.evaluation.probing.statements import Change
from grounding_middleware.reading.values import Value, ValueKind

__all__ = ["day_of_month", "hour", "month", "year"]

_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_CLOCK: Final = re.compile(r"(?<![\d:.])([01]?\d|2[0-3])([:.h])([0-5]\d)(?!\d)")
_AWAY: Final = 3  # years


def year(subject: Subject) -> Iterator[Change]:
    """Another year: an earlier one after "since" and "from", a later one otherwise."""
    for value in _dates(subject):
        found = _YEAR.findall(value.text)
        if len(found) == 1:
            at = value.start + value.text.index(found[0])
            new = str(int(found[0]) + (-_AWAY if _opens(value) else _AWAY))
            if not subject.written(new):
                yield change_of(subject, (at, at + 4, new))


def month(subject: Subject) -> Iterator[Change]:
    """Another month."""
    for value in _dates(subject):
        found = [
            put(subject, at, length, new)
            for at, length, new in subject.words.found("months", subject.norms)
            if value.start <= subject.tokens[at].start < value.end
        ]
        if len(found) == 1 and value.date is not None and value.date.month and not value.date_to:
            yield from _unknown(subject, value, found[0])


def day_of_month(subject: Subject) -> Iterator[Change]:
    """Another day of the same month."""
    for value in _dates(subject):
        if value.date is None or not value.date.day or not value.date.month or value.date_to:
            continue
        found = [
            match for match in re.finditer(r"(?<!\d)0?(\d{1,2})(?!\d)", value.text) if int(match[1]) == value.date.day
        ]
        if len(found) != 1 or value.date.day == value.date.month:
            continue
        new = value.date.day - 9 if value.date.day > 14 else value.date.day + 9
        written = f"{new:02}" if len(found[0][0]) == 2 else str(new)
        start = value.start + found[0].start()
        yield from _unknown(subject, value, (start, start + len(found[0][0]), written))


def hour(subject: Subject) -> Iterator[Change]:
    """Another hour of the day."""
    for value in subject.values:
        found = list(_CLOCK.finditer(value.text))
        if value.kind is not ValueKind.TIME or not found:
            continue
        clock = found[-1]
        new = f"{(int(clock[1]) + 2) % 24:0{len(clock[1])}}"
        if not subject.written(f"{new}{clock[2]}{clock[3]}") and not subject.value_known(_read(subject, new, clock)):
            start = value.start + clock.start(1)
            yield change_of(subject, (start, start + len(clock[1]), new))


def _read(subject: Subject, new: str, clock: re.Match[str]) -> Value:
    found = subject.values_of(f"{new}:{clock[3]}")
    return found[0]


def _dates(subject: Subject) -> Iterator[Value]:
    return (value for value in subject.values if value.kind is ValueKind.DATE and not value.is_name)


def _opens(value: Value) -> bool:
    return value.bound is not None and value.bound.sign in (">", ">=")


def _unknown(subject: Subject, value: Value, edit: Edit) -> Iterator[Change]:
    """The change, unless the new date stands in the evidence or cannot be read."""
    change = change_of(subject, edit)
    became = next((one for one in subject.changed(change).values if one.start == value.start), None)
    if became is None or became.date is None or became.date == value.date:
        return
    if _opens(value) and (became.low or 0) > (value.low or 0):  # what is so since January is so since May
        return
    if not subject.written(became.text) and not any(other.date == became.date for other in subject.evidence_values):
        yield change
