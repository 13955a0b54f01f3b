"""Which of two passages that contradict each other prevails, as data (SPEC EV-6).

Criteria are tried in order and the first that tells the two apart decides. A criterion says nothing where an attribute
is missing or the two do not compare: a missing attribute never wins, and without a criterion nothing prevails.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, Final, Literal, NamedTuple, Self

from pydantic import AfterValidator, Field, model_validator

from grounding_middleware.policy.settings import Setting
from grounding_middleware.records import Record, Span

__all__ = [
    "ByAudience",
    "ByDate",
    "ByMetadata",
    "BySource",
    "ByVersion",
    "Criterion",
    "Precedence",
    "Requester",
    "Ruling",
    "ruling",
]

ANY_OTHER: Final = "*"
"""In an order: every other value that is there."""

_VERSION: Final = re.compile(r"v?(\d{1,9}(?:[._-]\d{1,9}){0,5})", re.IGNORECASE)
_YEARS: Final = range(1900, 2200)

Requester = Mapping[str, Any] | None

Rank = tuple[int, str, str]
"""1 when the first of a pair prevails, -1 when the other does; then both attributes in words."""


class Pair(NamedTuple):
    """Two spans that contradict each other, and who asks."""

    span: Span
    other: Span
    requester: Requester = None


def _apart(order: tuple[str, ...]) -> tuple[str, ...]:
    """A value that stands twice would prevail over itself."""
    twice = next((value for value in order if order.count(value) > 1), None)
    if twice is not None:
        raise ValueError(
            f"{twice!r} stands twice, which makes a circle; allowed is each value once, the strongest first"
        )
    return order


Name = Annotated[str, Field(min_length=1)]
Order = Annotated[tuple[Name, ...], Field(min_length=2), AfterValidator(_apart)]


class Ruling(Record):
    """Which of two spans prevails, and the criterion in words with both attributes."""

    prevails: str
    overridden: str
    rule: str


class ByVersion(Setting):
    """The higher version of the same source: 2.10 over 2.9, 2026 over 2025; other sources and names do not compare."""

    by: Literal["version"]

    @property
    def subject(self) -> str:
        """What is compared; may stand once in a precedence."""
        return "version"

    def ranks(self, pair: Pair) -> Rank | None:
        """Which of the pair prevails; None when nothing tells."""
        span, other = pair.span, pair.other
        mine, theirs = _version(span.version), _version(other.version)
        if span.source_id != other.source_id or mine is None or theirs is None:
            return None
        if (mine[0] in _YEARS) != (theirs[0] in _YEARS):  # a year and a count are two schemes
            return None
        return _compared(mine, theirs, span.version, other.version)


class ByDate(Setting):
    """The one in force from a later day on."""

    by: Literal["effective_from"]

    @property
    def subject(self) -> str:
        """What is compared; may stand once in a precedence."""
        return "effective_from"

    def ranks(self, pair: Pair) -> Rank | None:
        """As `ByVersion.ranks`."""
        mine, theirs = pair.span.effective_from, pair.other.effective_from
        if mine is None or theirs is None:
            return None
        return _compared(mine, theirs, mine.isoformat(), theirs.isoformat())


class ByAudience(Setting):
    """The one that is more closely for this requester: it names the `key`, the other does not, or names more values.

    Says nothing while the requester's own value is unknown.
    """

    by: Literal["audience"]
    key: Name

    @property
    def subject(self) -> str:
        """What is compared; may stand once in a precedence."""
        return f"audience.{self.key}"

    def ranks(self, pair: Pair) -> Rank | None:
        """As `ByVersion.ranks`."""
        if (pair.requester or {}).get(self.key) is None:
            return None
        mine, theirs = _named(pair.span, self.key), _named(pair.other, self.key)
        one, two = (", ".join(sorted(names)) or "everybody" for names in (mine, theirs))
        if _narrower(mine, theirs):
            return 1, one, two
        return (-1, one, two) if _narrower(theirs, mine) else None


class BySource(Setting):
    """The source that stands earlier in `order`, by its `source_id`; `*` stands for every source that is not listed."""

    by: Literal["source"]
    order: Order

    @property
    def subject(self) -> str:
        """What is compared; may stand once in a precedence."""
        return "source"

    def ranks(self, pair: Pair) -> Rank | None:
        """As `ByVersion.ranks`."""
        return _by_order(self.order, pair.span.source_id, pair.other.source_id)


class ByMetadata(Setting):
    """By the value under `key` in the metadata: the one earlier in `order`, or the `highest` or `lowest` number.

    `*` in `order` stands for every value that is not listed; a passage without the key is never ranked.
    """

    by: Literal["metadata"]
    key: Name
    order: Order | None = None
    prefer: Literal["highest", "lowest"] | None = None

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.order is None) == (self.prefer is None):
            raise ValueError(f"metadata {self.key!r}: allowed is exactly one of order and prefer (highest, lowest)")
        return self

    @property
    def subject(self) -> str:
        """What is compared; may stand once in a precedence."""
        return f"metadata.{self.key}"

    def ranks(self, pair: Pair) -> Rank | None:
        """As `ByVersion.ranks`."""
        mine, theirs = pair.span.metadata.get(self.key), pair.other.metadata.get(self.key)
        if self.order is not None:
            return _by_order(self.order, _plain(mine), _plain(theirs))
        one, two = _number(mine), _number(theirs)
        if one is None or two is None:
            return None
        one, two = (one, two) if self.prefer == "highest" else (-one, -two)
        return _compared(one, two, str(mine), str(theirs))


Criterion = Annotated[ByVersion | ByDate | ByAudience | BySource | ByMetadata, Field(discriminator="by")]


def _once(criteria: tuple[Criterion, ...]) -> tuple[Criterion, ...]:
    subjects = [criterion.subject for criterion in criteria]
    twice = next((one for one in subjects if subjects.count(one) > 1), None)
    if twice is not None:
        raise ValueError(f"{twice!r} is compared twice; allowed is one criterion for each attribute")
    return criteria


Precedence = Annotated[tuple[Criterion, ...], AfterValidator(_once)]


def ruling(span: Span, other: Span, precedence: Sequence[Criterion], requester: Requester = None) -> Ruling | None:
    """Which of the two prevails by the first criterion that tells; None when none does. Symmetric in the spans."""
    for criterion in precedence:
        found = criterion.ranks(Pair(span, other, requester))
        if found is None:
            continue
        sign, mine, theirs = found
        first, second = (span, other) if sign > 0 else (other, span)
        stronger, weaker = (mine, theirs) if sign > 0 else (theirs, mine)
        rule = f"{criterion.subject}: {stronger} over {weaker}"
        return Ruling(prevails=first.id, overridden=second.id, rule=rule)
    return None


def _compared(mine: Any, theirs: Any, my_words: str, their_words: str) -> Rank | None:
    return None if mine == theirs else (1 if mine > theirs else -1, my_words, their_words)


def _version(text: str) -> tuple[int, ...] | None:
    found = _VERSION.fullmatch(text.strip())
    if found is None:
        return None
    parts = [int(part) for part in re.split(r"[._-]", found[1])]
    while len(parts) > 1 and not parts[-1]:  # 2.0 is 2
        parts.pop()
    return tuple(parts)


def _named(span: Span, key: str) -> frozenset[str]:
    value = span.audience.get(key)
    values = value if isinstance(value, list | tuple | set | frozenset) else (value,)
    return frozenset(str(one) for one in values if one is not None)


def _narrower(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Names fewer values; naming none is meant for everybody."""
    return bool(mine) and (not theirs or mine < theirs)


def _by_order(order: Sequence[str], mine: str | None, theirs: str | None) -> Rank | None:
    if mine is None or theirs is None or mine == theirs:
        return None
    one, two = _place(order, mine), _place(order, theirs)
    return None if one is None or two is None else _compared(two, one, mine, theirs)


def _place(order: Sequence[str], value: str) -> int | None:
    known = value if value in order else ANY_OTHER
    return order.index(known) if known in order else None


def _plain(value: Any) -> str | None:
    return str(value) if isinstance(value, str | int | float) and str(value).strip() else None


def _number(value: Any) -> Decimal | None:
    """A number, also one that a file holds as text; a truth value, infinity and NaN are none."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
