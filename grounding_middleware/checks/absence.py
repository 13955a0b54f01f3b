"""When an amount that stands in no cited text is surely made up, and when it may follow from what stands there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.case import Case
from grounding_middleware.reading.units import Unit
from grounding_middleware.reading.values import Value, ValueKind, find, unread

__all__ = ["surely_absent"]

_SCALES: Final = tuple(Fraction(1000) ** power for power in (-2, -1, 0, 1, 2))
_ROUNDED: Final = 100  # a conversion is rounded to within one part of this
_BESIDE: Final = 3  # characters between a value and its conversion: a space and a bracket
_DIGITS: Final = re.compile(r"\d+")
_EVERY: Final = re.compile(
    r"(?i)\s*(?:a|per|each|every|/|pro|die|par|por|a la|al|alla)\s+(?:day|week|tag|woche|jour|semaine|día|semana)\b"
)
"""Behind "seven days" or "24 hours": a way to say always."""
_RECURRING: Final = re.compile(
    r"(?i)\b(?:every|each|alle|jede[mnrs]?|tou(?:te)?s\s+les|chaque|cada|ogni|elke|iedere|om\s+de|co|każd\w+)\s*$"
)
"""Before "twelve months": how often, which "once a year" and "yearly" tell without an amount."""
_COMPOUNDED: Final = 4  # letters of a number word that a compound may begin with
_RUNNING: Final = re.compile(r"(?<![\d:])(?:2[5-9]|[3-9]\d|1\d\d):[0-5]\d\b")
"""47:21, minutes and seconds: no time of day."""
_CENTURY: Final = re.compile(
    r"(?i)\b(?:centur(?:y|ies)|jahrhundert|siècle|siglos?\b|secol[oi]\b|séculos?\b|eeuw|wieku?\b)"
)
_MEASURED: Final = (ValueKind.MONEY, ValueKind.QUANTITY, ValueKind.DURATION, ValueKind.CALENDAR_DURATION)
_OF_DAYS: Final = ("day", "calendar day", "week", "fortnight", "night")


def surely_absent(case: Case, value: Value, others: Sequence[Value]) -> bool:
    """A measured amount whose digits stand in no cited text, in evidence that speaks of the claim's subject.

    Counts, dates and percentages are left out: they follow from other values in too many ways. So are amounts said to
    be approximate, and evidence with a number that was not understood.
    """
    if value.kind not in _MEASURED or value.approx or value.written is None or case.unit.tabular:
        return False
    if _converted(value, case.unit) or any(_within(value, other) for other in others):
        return False
    if any(other.per and other.kind is value.kind for other in others):
        return False  # a price per month or piece: the amount may be the rate times a number of the question
    before, behind = case.unit.text[: value.start - case.unit.start], case.unit.text[value.end - case.unit.start :]
    if _between_two(value, others) or _EVERY.match(behind) or _RECURRING.search(before):
        return False
    digits = _DIGITS.findall(value.text)
    texts = [case.question, *(case.library.span(span_id).text for span_id in sorted(case.cited))]
    written = {piece for text in texts for piece in _DIGITS.findall(text)}
    if not texts or any(piece in written for piece in digits) or _otherwise_written(value, others, texts):
        return False
    readings = [each for other in others for each in (other, *other.others)]  # "quinze jours" may be two weeks
    same_size = any(each.written == value.written or _as_large(value, each) for each in readings)
    return not same_size and not _not_understood(case)


def _not_understood(case: Case) -> bool:
    """The question or a cited text has a number that was not read, or a sentence about this one in a strange unit."""
    if any(_strange_unit(alignment) for alignment in case.alignments[:1]):
        return True
    language = case.unit.language
    asked = unread(case.question, find(case.question, language))
    return bool(asked) or any(case.library.unread(span_id, language) for span_id in case.cited)


def _strange_unit(alignment: Alignment) -> bool:
    """The sentence with the claim's words ends in a number and a word the claim has not: "2.5 are", of land."""
    counts = [value for value in alignment.source.claimed if value.kind is ValueKind.COUNT and value.noun]
    left = [item for item in alignment.source_left if not item.name]
    beside = any(0 <= item.start - value.end <= 1 for value in counts for item in left)
    return not alignment.claim_left and len(left) == 1 and beside


def _otherwise_written(value: Value, others: Sequence[Value], texts: Sequence[str]) -> bool:
    """In a form that is not read: "zweistündig", "12 euros fifty" in words, a running time, years told by centuries."""
    word = value.text.split()[0].casefold()
    inside = re.compile(rf"(?i)\b{re.escape(word)}[^\W\d_]") if value.spelled and len(word) >= _COMPOUNDED else None
    running = _RUNNING if value.dimension == "time" else None
    era = _CENTURY if value.kind is ValueKind.CALENDAR_DURATION else None
    if any(form.search(text) for form in (inside, running, era) if form for text in texts):
        return True
    parts = value.text.replace(",", ".").partition(".")
    said = {str(other.written) for other in others if other.spelled}
    return bool(parts[2]) and {piece for part in parts for piece in _DIGITS.findall(part)} <= said


def _as_large(value: Value, other: Value) -> bool:
    """The same amount, converted and rounded, whatever limit the words around make of either: 551 lb and 250 kg.

    A bare number may be told in another scale of the unit: 31.5 kg, and a field in grams that takes "1 to 31500".
    """
    if other.dimension not in (value.dimension, ""):
        return False
    scales = (Fraction(1),) if other.dimension else _SCALES
    return any(
        theirs and abs(mine * scale - theirs) <= abs(theirs) / _ROUNDED
        for mine in _ends(value)
        for theirs in _ends(other)
        for scale in scales
    )


def _ends(value: Value) -> set[Fraction]:
    return {end for end in (value.interval.low, value.interval.high) if end is not None}


def _between_two(value: Value, others: Sequence[Value]) -> bool:
    """A period that points of time may bound: years since one, days between dates, hours between hours."""
    dates = [each for other in others for each in (other.date, other.date_to) if each is not None]
    if value.kind is ValueKind.CALENDAR_DURATION:
        return any(each.year for each in dates)
    hours = {other.interval for other in others if other.kind is ValueKind.TIME}
    if (
        value.kind is ValueKind.DURATION
        and value.interval.is_point
        and (len(hours) > 1 or any(not each.is_point for each in hours))
    ):
        return True
    return value.unit_key in _OF_DAYS and len([each for each in dates if each.day]) > 1


def _converted(value: Value, unit: Unit) -> bool:
    """The same amount stands beside it in another unit, "350 °F (175 °C)": the claim's own conversion, rounded."""
    beside = [other for other in unit.values if other is not value and other.dimension == value.dimension != ""]
    return any(abs(other.start - value.end) <= _BESIDE or abs(value.start - other.end) <= _BESIDE for other in beside)


def _within(value: Value, other: Value) -> bool:
    """A limit of the source that the value keeps to: EUR 62 under "orders of EUR 50 or more"."""
    return not other.interval.is_point and value.interval.within(other.interval) and value.dimension == other.dimension
