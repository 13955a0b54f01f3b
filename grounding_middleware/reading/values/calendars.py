"""Dates, clock times and versions against each other: by their parts, never by rounding."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.dates import interval_of
from grounding_middleware.reading.values.limits import compare_intervals, phrase
from grounding_middleware.reading.values.model import Interval, PartialDate, Value
from grounding_middleware.reading.values.relation import Comparison, Relation, disjoint, entailed, other
from grounding_middleware.reading.values.times import offset_of
from grounding_middleware.records import Kind

_DAY: Final = 1440  # minutes
_PARTS: Final = ("year", "year_to", "quarter", "half", "month", "day", "weekday")


def compare_dates(claim: Value, source: Value) -> Comparison:
    """Every part of the claim must be present and equal; limits and ranges keep their ends."""
    if claim.date is None or source.date is None:
        return other("no date was read")
    limited = claim.bound or source.bound or claim.date_to or source.date_to
    return _limited(claim, source) if limited else _parts(claim, source)


def _parts(claim: Value, source: Value) -> Comparison:
    said, true = claim.date or PartialDate(), source.date or PartialDate()
    if said.edge or true.edge or said.year_to or true.year_to:
        return _periods(claim, source, said, true)
    missing = []
    for name in _PARTS:
        wanted, given = getattr(said, name), _part(true, name)
        if wanted is None:
            continue
        if given is None:
            missing.append(name)
        elif wanted != given:
            return disjoint(f"{claim.text} is not {source.text}: the {name} differs", Kind.DATE)
    if missing:
        return other(f"the source does not say the {' and '.join(missing)} of {claim.text}", Kind.DATE)
    if said.fiscal != true.fiscal:
        return other("fiscal and calendar years may differ", Kind.DATE)
    return entailed("the same date" if said == true else f"{claim.text} is part of {source.text}")


def _part(day: PartialDate, name: str) -> int | None:
    """A part as written, or as it follows from the others."""
    if name == "weekday" and day.weekday is None and day.complete:
        return date(day.year or 1, day.month or 1, day.day or 1).weekday() if interval_of(day).low is not None else None
    if name == "quarter" and day.quarter is None and day.month:
        return (day.month + 2) // 3
    if name == "half" and day.half is None and (day.month or day.quarter):
        return 1 if (day.month or 3 * (day.quarter or 1)) <= 6 else 2
    found = getattr(day, name)
    return found if found is None else int(found)


def _periods(claim: Value, source: Value, said: PartialDate, true: PartialDate) -> Comparison:
    """Ends of periods and spans of years, by the days they cover."""
    if said == true:
        return entailed("the same period")
    wider = replace(true, edge="")
    if said == wider:
        return entailed(f"{source.text} lies in {claim.text}")
    mine, theirs = interval_of(said), interval_of(true)
    whole = interval_of(replace(said, edge=""))
    if mine.low is None or theirs.low is None:
        return other("a year is missing", Kind.DATE)
    if not whole.meets(interval_of(wider)):
        return disjoint(f"{claim.text} is not {source.text}", Kind.DATE)
    if theirs.within(mine) and said.edge in ("", "start", "end"):
        return entailed(f"{source.text} is {claim.text}")
    if said.edge and true.edge and said.edge != true.edge:
        return disjoint(f"{claim.text} is not {source.text}", Kind.DATE)
    return other(f"{source.text} may be {claim.text}", Kind.DATE)


def _limited(claim: Value, source: Value) -> Comparison:
    """Compare by days; a year that only one side wrote is taken from the other, but then nothing is entailed by it."""
    said, true = claim.date, source.date
    if said is None or true is None:
        return other("no date was read")
    if said.weekday is not None and said.day is None or true.weekday is not None and true.day is None:
        same = (said, claim.date_to, _sign(claim)) == (true, source.date_to, _sign(source))
        return (
            entailed("the same days")
            if same
            else other("weekdays are compared only when they are written alike", Kind.DATE)
        )
    if claim.bound is None and source.bound is None and (claim.date_to or source.date_to):
        return _ranges(claim, source)
    year = true.year or said.year or 2000
    invented = said.year is not None and true.year is None
    result = compare_intervals(_in_year(claim, said.year or year), _in_year(source, true.year or year))
    if invented and result.relation is Relation.ENTAILED:
        return other("the source does not say the year", Kind.DATE)
    if result.relation is Relation.DISJOINT and not (said.day or claim.date_to) and true.day and _inside(claim, source):
        return other(f"{phrase(claim)} and {phrase(source)} name the end differently", Kind.DATE)
    return result


def _sign(value: Value) -> tuple[bool, bool]:
    return value.bound is None, value.interval.low is None


def _inside(claim: Value, source: Value) -> bool:
    """The claim names the month or year in which the source's limit lies."""
    said, true = claim.date or PartialDate(), source.date or PartialDate()
    return said.year == true.year and said.month in (None, true.month)


def _ranges(claim: Value, source: Value) -> Comparison:
    if claim.date_to and source.date_to:
        first = _parts(replace(claim, date_to=None), replace(source, date_to=None))
        last = _parts(
            replace(claim, date=claim.date_to, date_to=None), replace(source, date=source.date_to, date_to=None)
        )
        worst = first if first.relation is not Relation.ENTAILED else last
        return replace(worst, kind=Kind.DATE) if worst.relation is Relation.DISJOINT else worst
    mine, theirs = claim.interval, source.interval
    if None in (mine.low, theirs.low):
        return other("a year is missing", Kind.DATE)
    if claim.date_to:
        return entailed(f"{source.text} lies in {claim.text}") if theirs.within(mine) else _apart(claim, source)
    return (
        other(f"{claim.text} is only part of {source.text}", Kind.DATE) if mine.meets(theirs) else _apart(claim, source)
    )


def _apart(claim: Value, source: Value) -> Comparison:
    if claim.interval.meets(source.interval):
        return other(f"{claim.text} and {source.text} overlap", Kind.DATE)
    return disjoint(f"{claim.text} is not {source.text}", Kind.DATE)


def _in_year(value: Value, year: int) -> Value:
    """The value with its year filled in and its interval computed anew."""
    if value.date is None or value.date.year is not None and value.interval != Interval(None, None):
        return value
    first = interval_of(replace(value.date, year=value.date.year or year))
    last = interval_of(replace(value.date_to, year=value.date_to.year or year)) if value.date_to else first
    whole = Interval(first.low, last.high)
    if value.bound:
        whole = _bounded(whole, value)
    return replace(value, interval=whole)


def _bounded(whole: Interval, value: Value) -> Interval:
    """The half-line of the limit word; which end it is was kept in the open flags of the empty interval."""
    upper = value.interval.high_open or not value.interval.low_open and _upper_words(value)
    if upper:
        return Interval(None, whole.low if value.interval.high_open else whole.high, high_open=value.interval.high_open)
    return Interval(whole.high if value.interval.low_open else whole.low, None, low_open=value.interval.low_open)


def _upper_words(value: Value) -> bool:
    words = value.bound.words.lower() if value.bound else ""
    return not words.startswith(
        (
            "from",
            "since",
            "ab",
            "seit",
            "starting",
            "on or after",
            "as from",
            "with effect",
            "effective",
            "à partir",
            "à compter",
            "dès",
            "depuis",
            "desde",
            "a partir",
            "od",
            "vanaf",
            "sinds",
            "dal",
            "frühestens",
            "not before",
            "no earlier",
            "not earlier",
            "at the earliest",
            "onward",
            "beginning",
            "no sooner",
        )
    )


def compare_times(claim: Value, source: Value) -> Comparison:
    """Minutes after midnight, brought to one zone where both zones are fixed."""
    if claim.zone != source.zone and claim.zone:
        if not source.zone:
            same = compare_times(replace(claim, zone=""), source)
            return same if same.relation is Relation.DISJOINT else other("the source names no time zone", Kind.TIME)
        mine, theirs = offset_of(claim.zone), offset_of(source.zone)
        if mine is None or theirs is None or not (claim.interval.is_point and source.interval.is_point):
            return other(f"the zones {claim.zone} and {source.zone} cannot be compared here", Kind.TIME)
        moved = ((claim.interval.low or Fraction(0)) - mine + theirs) % _DAY
        claim = replace(claim, interval=Interval.point(moved), zone=source.zone)
    if claim.interval.is_point and source.interval.is_point:
        return _moments(claim, source)
    return compare_intervals(claim, source)


def _moments(claim: Value, source: Value) -> Comparison:
    said, true = claim.interval.low or Fraction(0), source.interval.low or Fraction(0)
    gap = abs(said % _DAY - true % _DAY)
    if not gap:
        return (
            other(f"the source says {source.approx!r}", Kind.TIME)
            if source.approx and not claim.approx
            else entailed("the same time")
        )
    if (claim.approx or source.approx) and gap <= 30:
        return other(f"{claim.text} is near {source.text}", Kind.TIME)
    return disjoint(f"{claim.text} is not {source.text}", Kind.TIME)


def compare_versions(claim: Value, source: Value) -> Comparison:
    """Part by part, numbers as numbers; "or newer" is a lower limit, a bare number satisfies it or not."""
    said, true = claim.version or tuple(claim.text.split(".")), source.version or tuple(source.text.split("."))
    if claim.bound is None and source.bound is None:
        if said == true:
            return entailed("the same version")
        if len(said) < len(true) and true[: len(said)] == said:
            return entailed(f"{source.text} is a {claim.text} version")
        if len(said) > len(true) and said[: len(true)] == true:
            return other(f"the source only says {source.text}", Kind.VERSION)
        return disjoint(f"{claim.text} is not {source.text}", Kind.VERSION)
    if claim.bound and source.bound:
        same = said == true and _upper(claim) == _upper(source)
        return (
            entailed("the same versions")
            if same
            else disjoint(f"{phrase(claim)} is not {phrase(source)}", Kind.VERSION)
        )
    if source.bound:
        met = _meets(said, true, source)
        return (
            entailed(f"{claim.text} is {phrase(source)}")
            if met
            else disjoint(f"{claim.text} is not {phrase(source)}", Kind.VERSION)
        )
    return (
        other(f"the source names {source.text} only", Kind.VERSION)
        if _meets(true, said, claim)
        else disjoint(f"{source.text} is not {phrase(claim)}", Kind.VERSION)
    )


def _upper(value: Value) -> bool:
    return value.interval.high_open or _sign_of(value) == "<="


def _sign_of(value: Value) -> str:
    words = value.bound.words.lower() if value.bound else ""
    older = (
        "older",
        "earlier",
        "lower",
        "below",
        "up to",
        "until",
        "before",
        "under",
        "less",
        "at most",
        "no later",
        "älter",
        "früher",
        "antérieur",
        "bis",
        "max",
        "≤",
        "<",
        "through",
        "no newer",
    )
    return "<=" if any(word in words for word in older) else ">="


def _meets(version: tuple[str, ...], limit: tuple[str, ...], bound: Value) -> bool:
    mine, theirs = _key(version, len(limit)), _key(limit, len(version))
    if _sign_of(bound) == "<=":
        return mine < theirs if bound.interval.high_open else mine <= theirs
    return mine > theirs if bound.interval.low_open else mine >= theirs


def _key(version: tuple[str, ...], width: int) -> tuple[tuple[int, int, str], ...]:
    """Numbers before words of a pre-release; missing parts count as zero."""
    parts = [*version, *["0"] * max(0, width - len(version))]
    return tuple((1, int(part), "") if part.isdigit() else (0, 0, part) for part in parts)
