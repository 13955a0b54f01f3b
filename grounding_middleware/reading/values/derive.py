"""Can a claim's value be worked out from values the source states? The arithmetic is shown in words.

Sums, differences, products by a count, shares, changes in percent, rates over another period, dates moved by a
duration, durations between two dates or times. Near-certainty over reach: operands of one sum stand close together in
one text, small counts are never added up by chance, and working days are never turned into dates, because holidays are
not known.
Bounded: at most `MAX_SOURCES` different source values are combined, two at a time, or in one run of neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Final

from grounding_middleware.reading.values.comparing import compare
from grounding_middleware.reading.values.deadlines import date_candidates, span_candidates
from grounding_middleware.reading.values.model import Interval, Value, ValueKind
from grounding_middleware.reading.values.relation import Relation
from grounding_middleware.reading.values.tables import Unit, units
from grounding_middleware.reading.values.words import number_words

MAX_SOURCES: Final = 24
_NEAR: Final = 120  # code points between two operands of one calculation
_SIDE_BY_SIDE: Final = 60  # code points between two amounts that a percentage compares
_FINE: Final = Fraction(1, 1000)  # 14.8 % is hardly the ratio of two unrelated numbers by chance, 15 % may be
_SMALL: Final = 20  # counts below are too easily the sum of two others by chance
_PLAIN: Final = frozenset({ValueKind.NUMBER, ValueKind.COUNT})
_AMOUNTS: Final = frozenset(
    {ValueKind.NUMBER, ValueKind.COUNT, ValueKind.MONEY, ValueKind.QUANTITY, ValueKind.PERCENT, ValueKind.DURATION}
)
_PERIOD_DIMENSIONS: Final = frozenset({"time", "months"})


@dataclass(frozen=True, slots=True)
class Derivation:
    """How the claim's value follows: the rule, the arithmetic in words, and the source values used."""

    rule: str
    words: str
    sources: tuple[Value, ...]


def derivable(claim: Value, sources: Sequence[Value]) -> Derivation | None:
    """The first calculation over `sources` (in text order) that gives `claim`; None when there is none."""
    if claim.is_name or claim.interval.is_range or claim.kind in (ValueKind.ORDINAL, ValueKind.VERSION):
        return None
    usable = _distinct(sources)
    for made, found in _candidates(claim, usable):
        if _close(claim, made) and compare(claim, made).relation is Relation.ENTAILED:
            return found
    return None


def results(claim: Value, sources: Sequence[Value]) -> tuple[tuple[Value, Derivation], ...]:
    """Every value of the claim's sort that `sources` give by a calculation, with the calculation, right or wrong."""
    return tuple(_candidates(claim, _distinct(sources)))


def _distinct(sources: Sequence[Value]) -> list[Value]:
    """The first `MAX_SOURCES` exact values that are no names; repeated ones once."""
    found: list[Value] = []
    seen = set()
    for value in sources:
        key = (value.kind, value.interval, value.currency, value.per, value.date, value.noun)
        usable = not value.is_name and value.kind is not ValueKind.ORDINAL and value.dimension != "temperature"
        if usable and key not in seen:
            seen.add(key)
            found.append(value)
        if len(found) == MAX_SOURCES:
            break
    return found


def _candidates(claim: Value, sources: list[Value]) -> Iterator[tuple[Value, Derivation]]:
    if claim.kind is ValueKind.DATE:
        for made, words, used in date_candidates(sources):
            yield made, Derivation("date-after", words, used)
        return
    if claim.kind in (ValueKind.DURATION, ValueKind.CALENDAR_DURATION):
        for made, words, used in span_candidates(claim, sources):
            yield made, Derivation("time-between", words, used)
    if claim.kind in (ValueKind.PERCENT, ValueKind.RATIO, ValueKind.PERCENTAGE_POINT):
        yield from _percentages(claim, sources)
    if claim.kind in _AMOUNTS:
        yield from _rates(claim, sources)
        yield from _sums(claim, sources)
        yield from _differences(claim, sources)
        yield from _products(claim, sources)


def _close(claim: Value, made: Value) -> bool:
    """Cheap test before a full comparison: within a tenth, or nothing to compare."""
    said = claim.interval.low if claim.interval.low is not None else claim.interval.high
    number = made.interval.low
    return said is None or number is None or abs(said - number) <= abs(number) / 10


def _made(like: Value, number: Fraction, words: str, **changes: object) -> Value:
    """An exact value of the same sort as `like`, found by calculation."""
    plain = {
        "quantum": Fraction(0),
        "written": None,
        "approx": "",
        "bound": None,
        "others": (),
        "sense": "",
        "scale": "",
        "text": words,
    }
    return replace(like, interval=Interval.point(number), **{**plain, **changes})  # type: ignore[arg-type]  # field names above


def _number(value: Value) -> Fraction | None:
    """The one number an exact value states."""
    return value.interval.low if value.interval.is_point and not value.bound and not value.approx else None


def _same_sort(claim: Value, value: Value) -> bool:
    if value.kind in _PLAIN and claim.kind in _PLAIN:
        return True
    shared = not claim.currency or bool(claim.currency & value.currency)
    return claim.kind is value.kind and claim.dimension == value.dimension and shared and claim.per == value.per


def _near(left: Value, right: Value) -> bool:
    return 0 <= right.start - left.end <= _NEAR


# sums and differences


def _sums(claim: Value, sources: list[Value]) -> Iterator[tuple[Value, Derivation]]:
    """Runs of neighbouring values of the claim's sort, two or more, added up."""
    alike = [value for value in sources if _same_sort(claim, value) and _summand(value)]
    for first in range(len(alike)):
        total = Fraction(0)
        run: list[Value] = []
        for value in alike[first:]:
            if run and not _near(run[-1], value):
                break
            run.append(value)
            total += _number(value) or 0
            if len(run) > 1 and not (len(run) == 2 and claim.kind in _PLAIN and total < _SMALL):
                words = f"{' + '.join(each.text for each in run)} = {number_words(total, claim)}"
                yield _made(run[0], total, words), Derivation("sum", words, tuple(run))


def _summand(value: Value) -> bool:
    """An exact amount; a bare decimal is rather a section or a score than a part of a sum."""
    number = _number(value)
    return number is not None and (value.kind not in _PLAIN or number.denominator == 1)


def _differences(claim: Value, sources: list[Value]) -> Iterator[tuple[Value, Derivation]]:
    for left, right, first, second in _pairs(claim, sources):
        gap = abs(first - second)
        marked = (left.sense, right.sense) == ("from", "to")
        if claim.kind in _PLAIN and not marked and (gap < _SMALL or not left.noun or left.noun != right.noun):
            continue
        if claim.kind is ValueKind.PERCENT or not gap:
            continue
        big, small = (left, right) if first > second else (right, left)
        words = f"{big.text} - {small.text} = {number_words(gap, claim)}"
        yield _made(left, gap, words), Derivation("difference", words, (left, right))


def _pairs(claim: Value, sources: list[Value]) -> Iterator[tuple[Value, Value, Fraction, Fraction]]:
    alike = [value for value in sources if _same_sort(claim, value)]
    yield from _numbered(alike)


def _numbered(values: list[Value]) -> Iterator[tuple[Value, Value, Fraction, Fraction]]:
    for left, right in combinations(values, 2):
        first, second = _number(left), _number(right)
        if first is not None and second is not None and _near(left, right):
            yield left, right, first, second


# percentages


def _percentages(claim: Value, sources: list[Value]) -> Iterator[tuple[Value, Derivation]]:
    if claim.kind is ValueKind.PERCENTAGE_POINT:
        yield from _points(claim, sources)
        return
    yield from _complements(claim, sources)
    for left, right, first, second in _numbered([value for value in sources if value.kind in _AMOUNTS]):
        if first <= 0 or second <= 0:
            continue
        if claim.sense != "of" and _changed(left, right):
            words = f"from {left.text} to {right.text} = {number_words(abs(second - first) / first, claim)}"
            yield _made(claim, abs(second - first) / first, words), Derivation("change", words, (left, right))
        if claim.sense != "change" and _one_owner(left, right, exact=claim.quantum <= _FINE):
            part, whole = (left, right) if first < second else (right, left)
            share = min(first, second) / max(first, second)
            words = f"{part.text} of {whole.text} = {number_words(share, claim)}"
            yield _made(claim, share, words), Derivation("share", words, (left, right))


def _changed(left: Value, right: Value) -> bool:
    """Reads "from a to b", or two values of one thing side by side."""
    marked = (left.sense, right.sense) == ("from", "to") and left.dimension == right.dimension
    return marked or _one_owner(left, right, exact=False)


def _one_owner(left: Value, right: Value, *, exact: bool) -> bool:
    """Two amounts close together of one noun, currency or unit; of different nouns only for an `exact` percentage."""
    if right.start - left.end > _SIDE_BY_SIDE or left.per != right.per:
        return False
    if left.kind in _PLAIN and right.kind in _PLAIN:
        return exact or (bool(left.noun) and left.noun == right.noun)
    shared = not left.currency or bool(left.currency & right.currency)
    return (
        left.kind is right.kind and left.kind is not ValueKind.PERCENT and left.dimension == right.dimension and shared
    )


def _points(claim: Value, sources: list[Value]) -> Iterator[tuple[Value, Derivation]]:
    for left, right, first, second in _numbered([value for value in sources if value.kind is ValueKind.PERCENT]):
        words = f"from {left.text} to {right.text} = {number_words(abs(second - first), claim)}"
        yield _made(claim, abs(second - first), words), Derivation("points", words, (left, right))


def _complements(claim: Value, sources: list[Value]) -> Iterator[tuple[Value, Derivation]]:
    """15 % cheaper is 85 % of the price."""
    for value in sources:
        number = _number(value)
        opposite = {claim.sense, value.sense} == {"of", "change"}
        if value.kind is ValueKind.PERCENT and number is not None and opposite and 0 < number < 1:
            words = f"100% - {value.text} = {number_words(1 - number, claim)}"
            yield _made(claim, 1 - number, words), Derivation("complement", words, (value,))


# rates and products


def _rates(claim: Value, sources: list[Value]) -> Iterator[tuple[Value, Derivation]]:
    """EUR 48 a year is EUR 4 a month; EUR 5 a day for 14 days is EUR 70."""
    for value in sources:
        number, own = _number(value), _period(value.per)
        shared = not claim.currency or bool(claim.currency & value.currency)
        if number is None or own is None or value.kind is not claim.kind or not shared:
            continue
        wanted = _period(claim.per)
        if wanted and wanted.key != own.key and wanted.dimension == own.dimension:
            total = number * wanted.factor / own.factor
            words = f"{value.text} per {value.per} = {number_words(total, claim)} per {claim.per}"
            yield _made(value, total, words, per=claim.per), Derivation("rate", words, (value,))
        elif not claim.per:
            yield from _for_a_time(claim, value, number, own, sources)


def _period(per: str) -> Unit | None:
    """The stretch of time a rate is counted by; None for rates by person, piece, ..."""
    unit = units().get(per)
    return unit if unit and unit.dimension in _PERIOD_DIMENSIONS else None


def _for_a_time(
    claim: Value, rate: Value, number: Fraction, own: Unit, sources: list[Value]
) -> Iterator[tuple[Value, Derivation]]:
    for span in sources:
        length = _number(span)
        if length is not None and span.dimension == own.dimension and not span.per:
            total = number * length / own.factor
            words = f"{rate.text} per {rate.per} for {span.text} = {number_words(total, claim)}"
            yield _made(rate, total, words, per=""), Derivation("rate", words, (rate, span))


def _products(claim: Value, sources: list[Value]) -> Iterator[tuple[Value, Derivation]]:
    """Three bays at EUR 358; 20 % of EUR 50; EUR 50 less 20 %."""
    if claim.kind not in (ValueKind.MONEY, ValueKind.QUANTITY):
        return
    prices = [
        value
        for value in sources
        if value.kind is claim.kind and value.dimension == claim.dimension and _number(value) is not None
    ]
    for price in prices:
        if claim.currency and not claim.currency & price.currency:
            continue
        amount = _number(price) or Fraction(0)
        for value in sources:
            number = _number(value)
            if number is None:
                continue
            if value.kind is ValueKind.COUNT and number > 1:
                yield _product(claim, price, value, amount * number, f"{value.text} x {price.text}")
            elif value.kind is ValueKind.PERCENT and 0 < number < 1:
                if value.sense != "change":
                    yield _product(claim, price, value, amount * number, f"{value.text} of {price.text}")
                else:
                    yield _product(claim, price, value, amount * (1 - number), f"{price.text} - {value.text}")


def _product(claim: Value, price: Value, factor: Value, total: Fraction, words: str) -> tuple[Value, Derivation]:
    words = f"{words} = {number_words(total, claim)}"
    return _made(price, total, words, per=claim.per), Derivation("product", words, (price, factor))
