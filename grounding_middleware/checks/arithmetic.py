"""Arithmetic (CH-2): sums, changes, ranges over several values and deadlines that do not come out.

The counterpart of `values.derivable`: where the claim says that it worked something out (a total, a change, "all
between", a date to act by) and the aligned unit holds exactly the operands, another result is a conflict, shown with
the arithmetic.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.binding import claimed
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.checks.derivation import may_follow
from grounding_middleware.checks.values import MOST_VALUES
from grounding_middleware.checks.worked_out import said_of_two
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.values import (
    Derivation,
    Relation,
    Value,
    ValueKind,
    compare,
    derivable,
    find,
    results,
)
from grounding_middleware.reading.values.days import interval_of
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("arithmetic")
_CHANGES: Final = frozenset({"change", "points", "difference"})
_MOVED: Final = (("from", "to"), ("to", "from"))
_HALF: Final = 0.5
_FEWEST: Final = 2  # amounts that can differ
_MOST: Final = 8  # more of them and some difference comes out by chance
_FEW: Final = 20
_DIGITS: Final = re.compile(r"\d+")
_SPANS: Final = (ValueKind.DURATION, ValueKind.CALENDAR_DURATION)


def check(case: Case) -> Iterator[Finding]:
    """A conflict for each value of the claim that was worked out wrongly; nothing where it was not worked out."""
    cited = case.library.values_of(case.cited)
    for value in claimed(case.unit)[:MOST_VALUES]:
        yield from (one for alignment in case.anchored for one in _range(alignment, value))
        found = next((one for alignment in case.alignments for one in _wrong(case, alignment, value)), None)
        if found is None or value.approx:
            found = next(_difference(case, value), None)
        if found is None or _given(value, cited) or derivable(value, cited) is not None:
            continue
        yield found


def _given(value: Value, sources: Sequence[Value]) -> bool:
    return any(compare(value, other).relation is Relation.ENTAILED for other in sources)


def _wrong(case: Case, alignment: Alignment, value: Value) -> Iterator[Finding]:
    totals = lexicon(alignment.claim.language).totals
    said = [item for item in alignment.claim.items if item.keys & totals]
    if all(item.keys & totals for item in alignment.claim_left) and alignment.pairs and said:
        yield from _sum(alignment, value)
    if alignment.anchored:
        yield from _change(alignment, value)
        yield from _deadline(case, alignment, value)


def _sum(alignment: Alignment, value: Value) -> Iterator[Finding]:
    """A total of all the values of its sort in one unit, each said of something else."""
    parts = [other for other in claimed(alignment.source) if _alike(value, other)]
    homes = {alignment.source.segment_at(other.start) for other in parts}
    if len(parts) > 1 and len(homes) == len(parts) and homes <= alignment.touched:
        wanted = [one for one in results(value, parts) if one[1].rule == "sum" and len(one[1].sources) == len(parts)]
        yield from _differing(alignment, value, wanted, Kind.DERIVED)


def _change(alignment: Alignment, value: Value) -> Iterator[Finding]:
    """A change "by x" over a unit that says from where to where."""
    ends = [other for other in claimed(alignment.source) if other.sense in ("from", "to")]
    if value.sense != "change" or tuple(other.sense for other in ends) not in _MOVED:
        return
    wanted = [one for one in results(value, ends) if one[1].rule in _CHANGES]
    yield from _differing(alignment, value, wanted, Kind.DERIVED)


def _difference(case: Case, value: Value) -> Iterator[Finding]:
    """Said to be by how much two amounts differ, and no two amounts of its sort in the evidence differ so."""
    alignment = case.alignments[0] if case.alignments else None
    if alignment is None or alignment.covered < _HALF or not said_of_two(case.unit, value) or value.bound:
        return
    cited = case.library.values_of(case.cited)
    alike = [other for other in cited if _comparable(value, other)]
    written = {piece for span_id in case.cited for piece in _DIGITS.findall(case.library.span(span_id).text)}
    if not _FEWEST <= len(alike) <= _MOST or may_follow(case, value) or set(_DIGITS.findall(value.text)) <= written:
        return
    one, two = alike[:_FEWEST]
    message = f"no two amounts of the source differ by '{value.text}': '{one.text}', '{two.text}'"
    yield _REPORT.conflict("difference-differs", message, Kind.DERIVED, place(alignment, value, None))


def _comparable(value: Value, other: Value) -> bool:
    """Exact amounts of its kind, unit and currency; of counted things only large ones: small ones are told in words."""
    if other.is_name or other.approx or not other.interval.is_point or value.scale or (value.interval.low or 0) < _FEW:
        return False
    counts = (ValueKind.COUNT, ValueKind.NUMBER)
    if value.kind in counts:
        return other.kind in counts and (other.interval.low or 0) >= _FEW
    shared = not value.currency or bool(value.currency & other.currency)
    return value.kind in (ValueKind.MONEY, ValueKind.QUANTITY) and _alike(value, other) and shared


def _range(alignment: Alignment, value: Value) -> Iterator[Finding]:
    """All are said to lie within a range, and one of the values that stand there does not."""
    everything = any(cue.name == "quantity.all" for cue in alignment.claim.cues)
    members = [other for other in claimed(alignment.source) if _alike(value, other) and other.interval.is_point]
    if not (everything and value.interval.is_range and len(members) > 1):
        return
    outside = next((other for other in members if not other.interval.within(value.interval)), None)
    if outside is not None:
        message = f"answer: all within '{value.text}', source '{outside.text}'"
        yield _REPORT.conflict("outside-range", message, Kind.RANGE, place(alignment, value, outside))


def _deadline(case: Case, alignment: Alignment, value: Value) -> Iterator[Finding]:
    """A date to act by, where the source gives a period for it and there is one day it can count from."""
    spans = [other for other in claimed(alignment.source) if other.kind in _SPANS]
    if value.kind is not ValueKind.DATE or not value.date or not value.date.complete or len(spans) != 1:
        return
    asked = find(case.question, alignment.claim.language)
    days = {
        other.interval: other
        for other in (*case.library.values_of(case.cited), *asked)
        if other.kind is ValueKind.DATE and other.date and other.date.complete and not other.date_to
    }
    if len(days) != 1 or any(other.kind is ValueKind.DATE for other in alignment.source.values):
        return
    wanted = [one for one in results(value, [*days.values(), *spans]) if one[1].rule == "date-after"]
    close = [made for made, _ in wanted if _within_a_day(made, value)]
    if not close:  # whether the first day counts is a matter of law, not of arithmetic
        day = replace(value, bound=None, interval=interval_of(value.date))
        yield from _differing(alignment, day, wanted, Kind.DEADLINE)


def _within_a_day(made: Value, value: Value) -> bool:
    day, said = made.interval.low, value.interval.high or value.interval.low
    return day is not None and said is not None and abs(day - said) <= 1


def _differing(
    alignment: Alignment, value: Value, wanted: Sequence[tuple[Value, Derivation]], kind: Kind
) -> Iterator[Finding]:
    """A conflict when every way to work it out gives something else."""
    if not wanted or any(compare(value, made).relation is not Relation.DISJOINT for made, _ in wanted):
        return
    message = f"source: {wanted[0][1].words}, answer '{value.text}'"
    yield _REPORT.conflict("result-differs", message, kind, place(alignment, value, wanted[0][1].sources[-1]))


def _alike(value: Value, other: Value) -> bool:
    return value.kind is other.kind and value.dimension == other.dimension and value.per == other.per
