"""Values copied wrongly (CH-1): another unit, digits that changed places, a decimal point that moved.

The digits themselves are half of the anchor: 250 kg becomes 250 lb, 104.7 becomes 107.4 and 2 September 9 February by
mistake, not by chance. The other half are at least half of the claim's words, and no name of it may be missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.case import Case
from grounding_middleware.reading.values import Relation, Value, ValueKind, compare
from grounding_middleware.records import Kind

_HALF: Final = 0.5
_UNIT: Final = (Kind.UNIT, Kind.CURRENCY, Kind.SCALE)
_SCALES: Final = (10**3, 10**6, 10**9)
_FEWEST: Final = 3  # digits; fewer change places by chance
_PAIR: Final = 2
_PERIODS: Final = (ValueKind.DURATION, ValueKind.CALENDAR_DURATION)
_NUMERIC: Final = (ValueKind.NUMBER, ValueKind.COUNT)


def misread(case: Case, alignment: Alignment, value: Value) -> tuple[Value, Kind] | None:
    """The value of this unit the claim's was copied from, and what went wrong; None where nothing says so."""
    if alignment.covered < _HALF or any(item.name or item.code for item in alignment.claim_left):
        return None
    cited = case.library.values_of(case.cited)
    if _unit_in_heading(case, value):
        return None
    return _other_unit(alignment, value, cited) or _other_digits(alignment, value, cited)


def _unit_in_heading(case: Case, value: Value) -> bool:
    """The word behind the number stands in brackets in the evidence: "viewers (millions)" over a bare 1.95."""
    unit = next((word.casefold() for word in value.text.split()[1:] if word.isalpha()), "")
    texts = (case.library.span(span_id).text.casefold() for span_id in case.cited)
    return bool(unit) and any(f"({unit}" in text for text in texts)


def _other_unit(alignment: Alignment, value: Value, cited: tuple[Value, ...]) -> tuple[Value, Kind] | None:
    """The same number with another unit, currency or scale, where the evidence has this number once."""
    alike = [other for other in cited if _sort(other) == _sort(value) and other.written == value.written]
    if value.written is None or len(alike) != 1 or alike[0] not in alignment.source.values:
        return None
    found = compare(value, alike[0])
    return (alike[0], found.kind) if found.relation is Relation.DISJOINT and found.kind in _UNIT else None


def _other_digits(alignment: Alignment, value: Value, cited: tuple[Value, ...]) -> tuple[Value, Kind] | None:
    """The same digits in another order or with another decimal point, where only one value of that unit has them."""
    alike = [(other, kind) for other in cited for kind in _slips(value, other)]
    if not alike or any(compare(value, other).relation is Relation.ENTAILED for other in cited):
        return None
    texts = {other.text for other, _ in alike}
    return next(((other, kind) for other, kind in alike if other in alignment.source.values and len(texts) == 1), None)


def _slips(value: Value, other: Value) -> Iterator[Kind]:
    if _other_scale(value, other) and len(_digits(value).strip("0")) >= _PAIR and _may_be_one_sort(value, other):
        yield Kind.SCALE
    if _sort(value) != _sort(other) or (value.unit_key, value.currency) != (other.unit_key, other.currency):
        return
    if value.kind is ValueKind.DATE:
        if _day_for_month(value, other):
            yield Kind.DATE
        return
    mine, theirs = _digits(value), _digits(other)
    if len(mine) < _FEWEST or len(set(mine)) == 1 or value.spelled or other.spelled or value.approx or other.approx:
        return
    if mine == theirs and value.written != other.written and not _other_scale(value, other):
        yield Kind.SCALE
    elif mine != theirs and _exchanged(mine, theirs):
        yield Kind.NUMBER


def _may_be_one_sort(value: Value, other: Value) -> bool:
    """Of one unit and currency, or an amount in millions that leaves its currency to the sentence before."""
    bare = other.kind in _NUMERIC and bool(other.scale) and not other.noun
    return bare or (_sort(value), value.unit_key, value.currency) == (_sort(other), other.unit_key, other.currency)


def _other_scale(value: Value, other: Value) -> bool:
    """The same digits a thousand times larger or smaller, one of them with a scale word: 8.4 million, 8,400 million."""
    mine, theirs = value.interval.low, other.interval.low
    scaled = (value.scale or other.scale) and value.interval.is_point and other.interval.is_point
    if not scaled or not mine or not theirs or value.approx or other.approx:
        return False
    ratio = max(mine / theirs, theirs / mine)
    return ratio in _SCALES


def _exchanged(mine: str, theirs: str) -> bool:
    """Two digits changed places; zeros that moved are another order of magnitude, not a slip of the pen."""
    if len(mine) != len(theirs):
        return False
    places = [n for n, (left, right) in enumerate(zip(mine, theirs, strict=True)) if left != right]
    return len(places) == _PAIR and mine[places[0]] == theirs[places[1]] and mine[places[1]] == theirs[places[0]]


def _day_for_month(value: Value, other: Value) -> bool:
    mine, theirs = value.date, other.date
    if mine is None or theirs is None or value.date_to or other.date_to or mine.year != theirs.year:
        return False
    swapped = (mine.day, mine.month) == (theirs.month, theirs.day)
    return swapped and mine.day is not None and mine.month is not None and mine.day != mine.month


def _digits(value: Value) -> str:
    return "".join(sign for sign in value.text if sign.isdigit())


def _sort(value: Value) -> ValueKind:
    """Weeks and months are one sort of value, and so are counts and plain numbers."""
    if value.kind in _PERIODS:
        return ValueKind.DURATION
    return ValueKind.NUMBER if value.kind in _NUMERIC else value.kind
