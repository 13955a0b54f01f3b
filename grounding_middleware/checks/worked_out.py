"""Whether a claim says of a value that it was worked out: a total, a difference, a result ("comes to", "longer than").

Such a value need not stand anywhere. Where the evidence has what it could be made of, it is for the judge to calculate.
"""

from __future__ import annotations

from typing import Final

from grounding_middleware.checks.case import Case
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Unit
from grounding_middleware.reading.values import Value, ValueKind
from grounding_middleware.reading.values.lexicon import lexicon as value_words

__all__ = ["THAN", "has_parts", "is_result", "said_of_two"]

THAN: Final = frozenset({"than", "als", "dan", "que", "qu", "niż", "di", "rispetto", "do"})
_BY: Final = frozenset(
    {"by", "um", "de", "en", "di", "met", "o", "em", "good", "nearly", "almost", "gut", "knapp", "rund"}
)
_LONGER: Final = 3  # tokens behind an amount up to "than"
_BEHIND: Final = 5  # tokens between an amount and the "than" of its comparison
_FACTORS: Final = (
    ValueKind.PERCENT, ValueKind.RATIO, ValueKind.MULTIPLE, ValueKind.NUMBER, ValueKind.COUNT,
)  # fmt: skip
_PERIODS: Final = (ValueKind.DURATION, ValueKind.CALENDAR_DURATION)
_MARKS_OF_TIME: Final = (ValueKind.TIME, ValueKind.DATE)
_TWO: Final = 2
_TOLD: Final = 3  # tokens from the verb to the amount: "adds up to"


def said_of_two(unit: Unit, value: Value) -> bool:
    """Behind a verb of change and no "to", or before "more than"."""
    words, norms = value_words(unit.language), [token.norm for token in unit.tokens if token.end <= value.start]
    behind = [token.norm for token in unit.tokens if token.start >= value.end][:_BEHIND]
    compared = bool(set(behind) & words.number["more"]) and bool(set(behind) & THAN)
    changed = any(norm in words.range["change"] for norm in norms) and norms[-1] in _BY
    return compared or changed


def is_result(unit: Unit, value: Value) -> bool:
    """A total, a difference, a rate, a comparison, or behind a verb that tells a result."""
    words = lexicon(unit.language)
    near = [token.norm for token in unit.tokens if token.start >= value.end][1:_LONGER]
    before = [token.norm for token in unit.tokens if token.end <= value.start][-_TOLD:]
    told = any(words.forms(norm) & words.results for norm in before)
    total = any(item.keys & words.totals for item in unit.items)
    multiple = any(other.kind is ValueKind.MULTIPLE for other in unit.claimed)
    compared = bool(THAN & set(near))  # "15 minutes longer than"
    return told or total or multiple or compared or bool(value.per) or said_of_two(unit, value)


def has_parts(case: Case, value: Value) -> bool:
    """The cited evidence has two values the claim's could be made of."""
    cited = [other for other in case.library.values_of(case.cited) if not other.is_name]
    alike = {other.interval for other in cited if _sort(other) == _sort(value)}
    factors = {other.interval for other in cited if other.kind in _FACTORS}
    times = {other.interval for other in cited if other.kind in _MARKS_OF_TIME}
    if value.kind in _PERIODS and len(times) >= _TWO:
        return True
    return len(alike) + min(len(factors), 1) >= _TWO or (not alike and len(factors) >= _TWO and _fields(case))


def _fields(case: Case) -> bool:
    """Some cited text has JSON fields, whose numbers leave their currency or unit to another field."""
    return any('":' in case.library.span(span_id).text for span_id in case.cited)


def _sort(value: Value) -> tuple[object, ...]:
    return (ValueKind.DURATION,) if value.kind in _PERIODS else (value.kind, value.dimension)
