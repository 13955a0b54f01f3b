"""A value while it is being read: mutable, by tokens; `finish` turns it into the frozen record."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from grounding_middleware.reading.values.digits import Reading
from grounding_middleware.reading.values.model import Bound, Interval, PartialDate, Value, ValueKind
from grounding_middleware.reading.values.tables import Unit


@dataclass(slots=True, eq=False, repr=False)
class Draft:
    """Tokens `first` to `last`, text `start` to `end`.

    `raw` is the number with its scale word and sign, before the unit was applied; None once it is no plain number.
    """

    first: int
    last: int
    start: int
    end: int
    kind: ValueKind
    interval: Interval
    written: Fraction | None = None
    raw: Fraction | None = None
    quantum: Fraction = Fraction(1)
    unit: Unit | None = None
    unit_text: str = ""
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
    phrase_from: int | None = None
    phrase_start: int = 0
    phrase_end: int = 0
    readings: tuple[Reading, ...] = ()
    others: list[Draft] = field(default_factory=list)

    @property
    def dimension(self) -> str:
        """What the amount measures; "money" for amounts of money."""
        if self.currency:
            return "money"
        if self.unit:
            return self.unit.dimension
        return "ratio" if self.kind is ValueKind.RATIO else ""

    def convert(self, number: Fraction) -> Fraction:
        """`number`, as written, in the base unit."""
        if self.unit is None:
            return number
        converted = number * self.unit.factor
        return converted + self.unit.offset if self.unit.offset else converted

    def finish(self, text: str) -> Value:
        """The frozen value."""
        return Value(
            start=self.start,
            end=self.end,
            text=text[self.start : self.end],
            kind=self.kind,
            interval=self.interval,
            dimension=self.dimension,
            unit=self.unit_text,
            unit_key=self.unit.key if self.unit else "",
            written=self.written,
            quantum=self.quantum,
            currency=self.currency,
            per=self.per,
            noun=self.noun,
            approx=self.approx,
            approx_side=self.approx_side,
            bound=self.bound,
            sense=self.sense,
            negative_notation=self.negative_notation,
            date=self.date,
            date_to=self.date_to,
            zone=self.zone,
            version=self.version,
            is_name=self.is_name,
            spelled=self.spelled,
            scale=self.scale,
            phrase=(min(self.start, self.phrase_start), max(self.end, self.phrase_end)),
            others=tuple(other.finish(text) for other in self.others),
        )
