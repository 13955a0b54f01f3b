"""Whether a value may follow from the evidence by arithmetic, or is the claim's own premise: then it is no conflict.

Wider than `values.derivable`, which proves a match: here a bounded search only has to show that one reading makes the
claim right. Prices times a count of the claim, sums over two rates, parts and percentages, differences and shares.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, islice
from typing import Final

from grounding_middleware.checks.binding import claimed
from grounding_middleware.checks.case import Case
from grounding_middleware.reading.units import Unit
from grounding_middleware.reading.values import Value, ValueKind, find
from grounding_middleware.reading.values.days import interval_of
from grounding_middleware.reading.values.lexicon import lexicon
from grounding_middleware.reading.values.rounding import rounded_places

__all__ = ["at_head", "may_follow", "premise"]

_MOST: Final = 24  # values of one side that are combined
_PRODUCTS: Final = 96  # products that are added up two at a time
_PLAIN: Final = (ValueKind.COUNT, ValueKind.NUMBER)
_SHARES: Final = (ValueKind.PERCENT, ValueKind.RATIO)
_LENGTHS: Final = (ValueKind.DURATION, ValueKind.CALENDAR_DURATION, ValueKind.QUANTITY)
_NO_AMOUNTS: Final = (ValueKind.DATE, ValueKind.TIME, ValueKind.VERSION, ValueKind.ORDINAL)
_FEW: Final = 10  # numbers that enter a rule of three
_DAY: Final = 1440  # minutes
_MINUTE: Final = 60  # seconds, the unit of durations
_ROUNDED: Final = 50  # a result is rounded to within one part of this
_HEDGED: Final = 15  # and a hedged one to within one part of this
_SOME_YEAR: Final = 2001  # for days written without one
_YEAR: Final = 12  # months: "every six months" is twice a year


def may_follow(case: Case, value: Value, unit: Unit | None = None) -> bool:
    """Some calculation over the evidence, the claim's other values and the question gives the value.

    With `unit`, two values of the evidence are combined only when both stand there; a value of the claim or the
    question may be combined with any of the cited evidence.
    """
    wanted, everything = _size(value), case.library.values_of(case.cited)
    ends = bool(wanted) and any(_end(wanted, value, other) for other in (everything if unit is None else unit.values))
    if value.kind in (ValueKind.DATE, ValueKind.TIME):
        return ends or _counted_on(value, everything)
    if not wanted or ends:
        return ends
    if value.kind in _NO_AMOUNTS:
        return False
    if value.kind is ValueKind.DURATION and value.bound is None and wanted in _between(everything):
        return True
    cited = _distinct(everything)
    own = [other for other in claimed(case.unit) if other is not value]
    own += find(case.question, case.unit.language)
    near = cited if unit is None else _distinct(unit.values)
    words = list(_word_factors(case))
    made = (_combined(value, cited, _distinct(own), words), _within(value, near, words))
    if any(_same(number, wanted, value) for source in made for number in source):
        return True
    return unit is None and _scaled(value, [*_distinct(own), *cited])


def premise(case: Case, value: Value) -> bool:
    """The case the claim speaks of ("Three nights come to ...", "a five-year-old"), not what it says of it.

    It stands at the head of the claim and states no limit, or it is a length with another sort of amount behind it.
    """
    if value.bound is not None:
        return False
    if at_head(case.unit, value):
        return True
    behind = [other for other in claimed(case.unit) if other.start > value.start]
    return value.kind in _LENGTHS and any(_other_sort(value, other) for other in behind)


def at_head(unit: Unit, value: Value) -> bool:
    """The value belongs to what the claim is about: at most one word before it, more behind it."""
    before = sum(item.start < value.start for item in unit.items)
    behind = len(unit.items) - before
    return before <= 1 and behind > (value.bound is None)


def _end(wanted: Fraction | None, value: Value, other: Value) -> bool:
    """One end of a range, in whatever unit: "up to two days" of "between 48 hours and 14 days"."""
    return (
        other.interval.is_range and _sort(other) == _sort(value) and wanted in (other.interval.low, other.interval.high)
    )


def _other_sort(value: Value, other: Value) -> bool:
    return other.dimension != value.dimension and other.kind not in _NO_AMOUNTS


def _distinct(values: Iterable[Value]) -> list[Value]:
    found: dict[object, Value] = {}
    for value in values:
        if not value.is_name and value.kind not in _NO_AMOUNTS:
            found.setdefault((value.kind, value.interval, value.currency, value.dimension), value)
    return list(islice(found.values(), _MOST))


def _size(value: Value) -> Fraction | None:
    """The one number of a value, whatever limit the words around it make."""
    ends = {end for end in (value.interval.low, value.interval.high) if end is not None}
    return ends.pop() if len(ends) == 1 else None


def _same(number: Fraction, wanted: Fraction, value: Value) -> bool:
    """To the place one would round it to: hedged, the last digit that is no zero ("a good 20,000")."""
    if number == wanted:
        return True
    coarse, fine = rounded_places(value)
    reach, most = (coarse, _HEDGED) if value.approx else (fine, _ROUNDED)
    reach = reach if value.approx_side else reach / 2  # "a good 17,000" may be 17,600
    return abs(number - wanted) <= min(reach, wanted / most)


def _bases(value: Value, values: Iterable[Value]) -> list[Fraction]:
    """The amounts of the value's sort: rates count, as they are what is multiplied."""
    return [size for other in values if _sort(other) == _sort(value) and (size := _size(other)) is not None]


def _sort(value: Value) -> tuple[object, ...]:
    if value.kind in _PLAIN:
        return ("count",)
    if value.kind in _SHARES:
        return ("share",)
    return (value.kind, value.dimension)


def _factors(values: Iterable[Value]) -> Iterator[Fraction]:
    """What an amount may be multiplied or divided by: counts, lengths as written, shares and what they leave."""
    for value in values:
        size = _size(value)
        if size is None or size <= 0:
            continue
        if value.kind in _SHARES:
            yield from (size, 1 + size)
            if size < 1:
                yield 1 - size
        elif value.kind is ValueKind.MULTIPLE or value.kind in _PLAIN:
            yield size
        elif value.kind in _LENGTHS:
            yield value.written or size
            if value.dimension == "months":
                yield _YEAR / size


def _word_factors(case: Case) -> Iterator[Fraction]:
    """Shares and multiples named by a word alone in the evidence ("à moitié prix"), read as a value or not."""
    for unit, _ in case.library.units_of(case.cited):
        number = lexicon(unit.language).number
        for name in ("shares", "dozens", "folds", "times"):
            yield from (Fraction(number[name][token.norm]) for token in unit.tokens if token.norm in number[name])


def _counted_on(value: Value, cited: Sequence[Value]) -> bool:
    """A day or time that another and a period give; whether the first day counts is open."""
    spans = [(size, other.dimension) for other in cited if (size := _size(other)) is not None]
    if value.kind is ValueKind.TIME:
        lengths = [size / 60 for size, dimension in spans if dimension == "time"]
        return _at_time(value, cited, [length for length in lengths if length < _DAY])
    year = next((other.date.year for other in (value, *cited) if other.date and other.date.year), _SOME_YEAR)
    wanted = _day(value, year)
    ranges = [_in_days(size, dimension) for size, dimension in spans if dimension in ("time", "months")]
    days = [day for other in cited if other.kind is value.kind and (day := _day(other, year)) is not None]
    gaps = [abs(day - wanted) for day in days if wanted is not None]
    return any(low - 1 <= gap <= high + 1 for gap in gaps if gap for low, high in ranges)


def _at_time(value: Value, cited: Sequence[Value], lengths: Sequence[Fraction]) -> bool:
    wanted = _size(value)
    starts = [size for other in cited if other.kind is ValueKind.TIME and (size := _size(other)) is not None]
    return wanted is not None and any(
        (start + sign * length - wanted) % _DAY == 0 for start in starts for length in lengths for sign in (1, -1)
    )


def _day(value: Value, year: int) -> Fraction | None:
    """The day as a number, in `year` where none was written."""
    if value.date is None or value.date.year or value.date.day is None:
        return _size(value)
    return interval_of(replace(value.date, year=year)).low


def _in_days(size: Fraction, dimension: str) -> tuple[Fraction, Fraction]:
    """The fewest and the most days of a period; a month has 28 to 31."""
    return (size * 28, size * 31) if dimension == "months" else (size / _DAY / 60, size / _DAY / 60)


def _between(cited: Sequence[Value]) -> set[Fraction]:
    """How long it is from one time of day of the evidence to another, in the unit of durations."""
    times = {end for other in cited if other.kind is ValueKind.TIME for end in _ends(other)}
    return {(later - earlier) * _MINUTE for earlier, later in combinations(sorted(times), 2)}


def _ends(value: Value) -> list[Fraction]:
    return [end for end in (value.interval.low, value.interval.high) if end is not None]


def _scaled(value: Value, values: Sequence[Value]) -> bool:
    """By rule of three, whatever the units: 48 litres at 6 litres per 100 km are 800 km."""
    numbers = {Fraction(1), *(other.written for other in values[:_FEW] if other.written)}
    return any(
        one * two == value.written * three
        for one, two in combinations(numbers, 2)
        for three in numbers
        if value.written
    )


def _against(own: Sequence[Value], cited: Sequence[Value]) -> Iterator[Fraction]:
    """The claim's case beside a limit or a step: 25 kg where 23 kg are free are 2 kg to pay for."""
    for mine in own:
        for other in cited:
            if mine.unit_key == other.unit_key and mine.written and other.written:
                yield abs(mine.written - other.written)
            one, two = _size(mine), _size(other)
            if mine.kind in _LENGTHS and mine.dimension == other.dimension and one and two:
                yield one / two


def _combined(
    value: Value, cited: Sequence[Value], own: Sequence[Value], words: Sequence[Fraction]
) -> Iterator[Fraction]:
    """Amounts of the evidence with a value of the claim: its counts and shares, and two such products added up."""
    bases = _bases(value, cited)
    factors = [one for one in (*_factors(own), *_against(own, cited), *(words if own else ())) if one]
    products = [base * factor for base in bases for factor in (*factors, Fraction(1))]
    yield from (base * factor for base in bases for factor in factors)
    yield from (base / factor for base in bases for factor in factors)
    if factors:
        yield from (one + two for one, two in combinations(products[:_PRODUCTS], 2))
    for mine in _bases(value, own):
        for base in bases:
            yield from (mine + base, abs(mine - base))
        yield from (mine * factor for factor in _factors(cited))


def _within(value: Value, values: Sequence[Value], words: Sequence[Fraction]) -> Iterator[Fraction]:
    """Two values of the evidence: sums, differences, shares and products."""
    bases = _bases(value, values)
    for one, two in combinations(bases, 2):
        yield from (one + two, abs(one - two))
    if value.kind in _SHARES:
        yield from (1 - base for base in bases)
        yield from _proportions([size for other in values if other.kind in _PLAIN and (size := _size(other))])
        return
    factors = [factor for factor in (*_factors(values), *words) if factor != 1]
    yield from (base * factor for base in bases for factor in factors)
    yield from (base / factor for base in bases for factor in factors)


def _proportions(counts: Sequence[Fraction]) -> Iterator[Fraction]:
    """What one count is of another, and by how much it differs."""
    for one, two in combinations(counts, 2):
        yield from (one / two, two / one, abs(one - two) / one, abs(one - two) / two)
