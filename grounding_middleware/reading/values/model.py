"""What a value is: one frozen record with exact offsets and an exact interval.

Nothing here reads text. Magnitudes are `Fraction`s in the base unit of their dimension, so conversions never round.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class ValueKind(StrEnum):
    """What sort of value a piece of text is."""

    NUMBER = "number"
    COUNT = "count"
    ORDINAL = "ordinal"
    RATIO = "ratio"
    MULTIPLE = "multiple"
    PERCENT = "percent"
    PERCENTAGE_POINT = "percentage_point"
    MONEY = "money"
    QUANTITY = "quantity"
    DURATION = "duration"
    CALENDAR_DURATION = "calendar_duration"
    DATE = "date"
    TIME = "time"
    VERSION = "version"


@dataclass(frozen=True, slots=True)
class Interval:
    """The set of numbers a value allows; `None` is an end nobody stated, `*_open` excludes the end itself."""

    low: Fraction | None
    high: Fraction | None
    low_open: bool = False
    high_open: bool = False

    @classmethod
    def point(cls, number: Fraction) -> Interval:
        """The interval that holds `number` only."""
        return cls(number, number)

    @property
    def is_point(self) -> bool:
        """True when exactly one number is allowed."""
        same = self.low is self.high or self.low == self.high  # fractions are slow to compare
        return self.low is not None and same and not (self.low_open or self.high_open)

    @property
    def is_range(self) -> bool:
        """True when both ends are stated and differ."""
        if self.low is None or self.high is None or self.low is self.high:
            return False
        return self.low != self.high

    def __contains__(self, number: Fraction) -> bool:
        above = self.low is None or (number > self.low if self.low_open else number >= self.low)
        below = self.high is None or (number < self.high if self.high_open else number <= self.high)
        return above and below

    def within(self, other: Interval) -> bool:
        """True when every number of this interval is in `other`."""
        return other._reaches_low(self) and other._reaches_high(self)

    def _reaches_low(self, inner: Interval) -> bool:
        if self.low is None:
            return True
        if inner.low is None or inner.low < self.low:
            return False
        return inner.low > self.low or not self.low_open or inner.low_open

    def _reaches_high(self, inner: Interval) -> bool:
        if self.high is None:
            return True
        if inner.high is None or inner.high > self.high:
            return False
        return inner.high < self.high or not self.high_open or inner.high_open

    def meets(self, other: Interval) -> bool:
        """True when some number is in both."""
        return not (_apart(self, other) or _apart(other, self))

    def limited(self, sign: str) -> Interval:
        """The half-line that limit `sign` makes of a number or a period: "after March" begins where March ends."""
        if sign == ">=":
            return Interval(self.low, None)
        if sign == ">":
            return Interval(self.high, None, low_open=True)
        if sign == "<=":
            return Interval(None, self.high)
        return Interval(None, self.low, high_open=True)

    def map(self, factor: Fraction, offset: Fraction = Fraction(0)) -> Interval:
        """Both ends times `factor` plus `offset`; `factor` is positive."""
        low = None if self.low is None else self.low * factor + offset
        high = None if self.high is None else self.high * factor + offset
        return Interval(low, high, self.low_open, self.high_open)


def _apart(left: Interval, right: Interval) -> bool:
    """True when `left` ends before `right` begins."""
    if left.high is None or right.low is None:
        return False
    return left.high < right.low or (left.high == right.low and (left.high_open or right.low_open))


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A date with only the parts that were written; `edge` is "start", "middle" or "end" of that period.

    `weekday` counts from Monday 0. `year_to` ends a span of years written as one (2024/25, the 1990s).
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    quarter: int | None = None
    half: int | None = None
    weekday: int | None = None
    year_to: int | None = None
    edge: str = ""
    fiscal: bool = False

    @property
    def complete(self) -> bool:
        """True when it names one calendar day."""
        return None not in (self.year, self.month, self.day)


@dataclass(frozen=True, slots=True)
class Bound:
    """The words that turn a number into a limit, and what kind of limit they make.

    `sign` is one of >= > <= <. `normative` is True for words that state a rule (at most, within, or more), False for a
    comparison (over, under). `ends_period` marks within, until, by: words that name the end of a period.
    """

    words: str
    start: int
    end: int
    sign: str
    normative: bool
    ends_period: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class Value:
    """One value of a text: `text_it_came_from[start:end] == text` always holds.

    `interval` is in the base unit of `dimension`; for dates it counts days (ordinals) and for times minutes after
    midnight. `quantum` is the last place that was written (85.19 -> 0.01, 2.4 bn -> 0.1e9), in the same unit.
    `written` is the number as written, before the unit was applied: 500 for "500 mg", 2.4 for "2.4 bn".
    `currency` holds every ISO code the sign may mean. `per` is the unit or noun a rate is counted by.
    `others` are readings of the same characters that are possible too (1.234, 03/04/2026, 250 pounds).
    `phrase` is the range with bound, approximation and rate words. `sense` tells a share ("of") from a change
    ("change") for percentages. `date_to` ends a range of dates.
    """

    start: int
    end: int
    text: str
    kind: ValueKind
    interval: Interval
    dimension: str = ""
    unit: str = ""
    unit_key: str = ""
    written: Fraction | None = None
    quantum: Fraction = Fraction(1)
    currency: frozenset[str] = frozenset()
    per: str = ""
    noun: str = ""
    approx: str = ""
    approx_side: str = ""
    bound: Bound | None = None
    sense: str = ""
    negative_notation: bool = False
    date: PartialDate | None = None
    date_to: PartialDate | None = None
    zone: str = ""
    version: tuple[str, ...] = ()
    is_name: bool = False
    spelled: bool = False
    scale: str = ""
    phrase: tuple[int, int] = (0, 0)
    others: tuple[Value, ...] = ()

    def __repr__(self) -> str:
        """Short, for messages of tests; generating one for so many fields costs milliseconds at import."""
        return f"Value({self.start}, {self.end}, {self.text!r}, {self.kind.value}, {self.interval})"

    @property
    def low(self) -> Fraction | None:
        """Lower end in the base unit; None when unbounded."""
        return self.interval.low

    @property
    def high(self) -> Fraction | None:
        """Upper end in the base unit; None when unbounded."""
        return self.interval.high

    @property
    def exact(self) -> Fraction | None:
        """The number when exactly one is allowed and nothing says "about"; else None."""
        return self.interval.low if self.interval.is_point and not self.approx else None


@dataclass(frozen=True, slots=True)
class Masked:
    """A range that holds digits but no value, and why: url, email, identifier, reference, list_number, ..."""

    start: int
    end: int
    why: str
