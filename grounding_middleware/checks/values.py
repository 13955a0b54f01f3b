"""Values (CH-1, CH-2): numbers, money, units, dates and limits, each bound to what it belongs to.

A conflict needs the claim's other words in one unit and a value of the same dimension there that cannot hold beside the
claim's. The claim's value standing anywhere else in the cited evidence, or following from it, turns it into a doubt.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.case import Case, Place, Reporter, place
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.reading.values import Comparison, Relation, Value, ValueKind, compare, derivable, find, unread
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("values")
_HALF: Final = 0.5
_ROUNDED: Final = 100  # a conversion is rounded to within one part of this
_MISREAD: Final = (Kind.UNIT, Kind.CURRENCY, Kind.SCALE)
_BESIDE: Final = 3  # characters between a value and its conversion: a space and a bracket
_DIGITS: Final = re.compile(r"\d+")
_EVERY: Final = re.compile(
    r"(?i)\s*(?:a|per|each|every|/|pro|die|par|por|a la|al|alla)\s+(?:day|week|tag|woche|jour|semaine|día|semana)\b"
)
"""Behind "seven days" or "24 hours": a way to say always."""
_MEASURED: Final = (ValueKind.MONEY, ValueKind.QUANTITY, ValueKind.DURATION, ValueKind.CALENDAR_DURATION)


def check(case: Case) -> Iterator[Finding]:
    """A match, conflict or doubt for each value of the claim; nothing for a claim without values."""
    for value in claimed(case.unit):
        yield from _one(case, value)


def claimed(unit: Unit) -> tuple[Value, ...]:
    """The values a claim asserts; names such as "Order 20931" are matched as words."""
    return tuple(value for value in unit.values if not value.is_name)


def _one(case: Case, value: Value) -> Iterator[Finding]:
    for alignment in case.anchored:
        stated = [other for other in alignment.source.values if _relation(value, other) is Relation.ENTAILED]
        if stated:
            yield from _stated(alignment, value, stated)
            return
    derivation = derivable(value, case.library.values_of(case.cited))
    if derivation is not None:
        yield _REPORT.match("value-derived", f"'{value.text}': {derivation.words}", Place((value.start, value.end)))
        return
    if case.anchored:
        yield from _conflicting(case, value)
        return
    misread = next((one for alignment in case.alignments for one in _misread(case, alignment, value)), None)
    yield from (misread,) if misread is not None else _absent(case, value)


def _misread(case: Case, alignment: Alignment, value: Value) -> Iterator[Finding]:
    """The same digits with another unit, currency or scale, where the evidence has these digits once.

    At least half of the claim's words stand there and no name is missing; the digits themselves are the rest of the
    anchor: 250 kg becomes 250 lb by mistake, not by chance.
    """
    if alignment.covered < _HALF or any(item.name or item.code for item in alignment.claim_left):
        return
    cited = case.library.values_of(case.cited)
    alike = [other for other in cited if other.kind is value.kind and other.written == value.written]
    if value.written is None or len(alike) != 1 or alike[0] not in alignment.source.values:
        return
    found = compare(value, alike[0])
    if found.relation is Relation.DISJOINT and found.kind in _MISREAD:
        message = f"source '{alike[0].text}', answer '{value.text}'"
        yield _REPORT.conflict("unit-differs", message, found.kind, place(alignment, value, alike[0]))


def _relation(value: Value, other: Value) -> Relation:
    return compare(value, other).relation


def _stated(alignment: Alignment, value: Value, stated: Sequence[Value]) -> Iterator[Finding]:
    alone = [own for own in claimed(alignment.claim) if own.kind is value.kind] == [value]
    bound = misbound(alignment, value, stated) if alone else None  # several values of a sort: which owns which is open
    if bound is None:
        yield _REPORT.match("value-stated", f"'{value.text}' is stated", place(alignment, value, stated[0]))
        return
    owner, own = bound
    message = f"source gives '{own.text}' for '{owner.text}', answer '{value.text}'"
    build = _REPORT.conflict if not alignment.claim_left else _REPORT.doubt
    yield build("value-of-another", message, Kind.BINDING, place(alignment, value, own))


def misbound(alignment: Alignment, value: Value, stated: Sequence[Value]) -> tuple[Item | Value, Value] | None:
    """The owner in the claim whose own value in the source is another one; None when nothing says so.

    Every segment of the source with a value of this sort owns what stands in no other such segment. The claim names an
    owner of a rival's segment and none of the segment that states its value: the right number for the wrong thing.
    """
    source = alignment.source
    rivals = [other for other in source.values if _relation(value, other) is Relation.DISJOINT]
    homes = {source.segment_at(other.start) for other in stated}
    whole = _of_whole_segment(alignment, homes, rivals)
    if whole is not None:
        return whole
    if any(_owned(alignment, value, home, rivals) for home in homes):
        return None
    for rival in rivals:
        segment = source.segment_at(rival.start)
        owners = _owned(alignment, value, segment, stated) if segment not in homes else []
        if owners:
            return owners[0], rival
    return None


def _of_whole_segment(
    alignment: Alignment, homes: Collection[int], rivals: Sequence[Value]
) -> tuple[Item, Value] | None:
    """The claim has every word of a rival's segment, and of the segment with its own value not even the verb.

    "The gate opens above 6 m and closes below 4 m" does not say that the gate closes above 6 m.
    """
    source = alignment.source
    if any(not _lacks(alignment, home) for home in homes):
        return None
    for rival in rivals:
        segment = source.segment_at(rival.start)
        own = [here for here, there in alignment.pairs if there.segment == segment]
        if segment not in homes and own and not _lacks(alignment, segment) and _opens(source, segment, homes):
            return own[0], rival
    return None


def _lacks(alignment: Alignment, segment: int) -> bool:
    """Words of this segment that the claim does not have."""
    return any(item.segment == segment for item in alignment.source_left)


def _opens(source: Unit, segment: int, homes: Collection[int]) -> bool:
    """A clause of its own beside the home segments, not a phrase that hangs on one of them."""
    return source.segments[segment].opener in lexicon(source.language).conjunctions and bool(homes)


def _owned(alignment: Alignment, value: Value, segment: int, others: Sequence[Value]) -> list[Item | Value]:
    """What the claim names of this segment alone: matched words, and values of another sort that stand there too."""
    source = alignment.source
    inherited = _inherited(source, segment, others)
    words: list[Item | Value] = [
        here for here, there in alignment.pairs if there.segment == segment and there.position not in inherited
    ]
    for other in source.values:
        if source.segment_at(other.start) != segment or other.kind is value.kind:
            continue
        words += [
            mine
            for mine in claimed(alignment.claim)
            if mine is not value and _relation(mine, other) is Relation.ENTAILED
        ]
    return words


def _inherited(source: Unit, segment: int, others: Sequence[Value]) -> frozenset[int]:
    """Words of this segment that a later one without a subject takes over ("25 ms in 2024 and 12 ms in 2025")."""
    later = [other for other in others if source.segment_at(other.start) > segment]
    bare = any(not _subject(source, other) for other in later)
    return frozenset(item.position for item in source.items if item.segment == segment) if bare else frozenset()


def _subject(source: Unit, value: Value) -> bool:
    place_of = source.segment_at(value.start)
    return any(item.segment == place_of and item.start < value.start for item in source.items)


def _conflicting(case: Case, value: Value) -> Iterator[Finding]:
    found_rivals = ((one, _rivals(one, value)) for one in case.anchored)
    alignment, rivals = next((pair for pair in found_rivals if pair[1]), (case.anchored[0], []))
    near = [(other, found) for other, found in rivals if alignment.source.segment_at(other.start) in alignment.touched]
    same_digits = [
        (other, found) for other, found in near if other.written is not None and other.written == value.written
    ]
    rivals = same_digits or near or rivals
    if not rivals:
        yield from _absent(case, value)
        return
    own = _own_rivals(alignment, rivals)
    other, found = (own or rivals)[0]
    message = f"source '{other.text}', answer '{value.text}'"
    at = place(alignment, value, other)
    alone = bool(own) or (alignment.tight and len(rivals) == 1)
    certain = alone and not _elsewhere(case, alignment, value)
    if certain:
        yield _REPORT.conflict("value-differs", message, found.kind or Kind.NUMBER, at)
    else:
        yield _REPORT.doubt("value-differs", message, found.kind or Kind.NUMBER, at)


def _own_rivals(alignment: Alignment, rivals: list[tuple[Value, Comparison]]) -> list[tuple[Value, Comparison]]:
    """The one rival whose clause the claim has every word of, when it lacks words of all the others' clauses.

    "The season begins on 15 May and ends on 30 June": what is said of its end is compared with 30 June.
    """
    source = alignment.source
    homes = [source.segment_at(other.start) for other, _ in rivals]
    taken = {there.segment for _, there in alignment.pairs}
    whole = [pair for pair, home in zip(rivals, homes, strict=True) if home in taken and not _lacks(alignment, home)]
    left = {item.segment for item in alignment.source_left}
    return whole if len(whole) == 1 and len(rivals) > 1 and left <= set(homes) else []


def _rivals(alignment: Alignment, value: Value) -> list[tuple[Value, Comparison]]:
    """The values of the source unit that cannot hold beside the claim's."""
    pairs = [(other, compare(value, other)) for other in alignment.source.values if _same_sort(value, other)]
    return [
        (other, found)
        for other, found in pairs
        if found.relation is Relation.DISJOINT and _written(other) != _written(value)
    ]


def _written(value: Value) -> tuple[str, str]:
    """The value as it stands there, with the kind of limit its words make of it; written alike, it is the same."""
    return value.text.casefold(), value.bound.sign if value.bound else ""


def _same_sort(value: Value, other: Value) -> bool:
    """Values that could stand for each other: a year is no rival of a number of visits."""
    return not other.is_name and (value.kind is ValueKind.DATE) == (other.kind is ValueKind.DATE)


def _elsewhere(case: Case, alignment: Alignment, value: Value) -> bool:
    """The value stands in another unit that may be about the same thing: no name of the claim is missing there."""
    for other in case.alignments:
        if other is alignment or any(item.name or item.code for item in other.claim_left):
            continue
        if any(_equal(value, there) for there in other.source.values):
            return True
    return False


def _equal(value: Value, other: Value) -> bool:
    """The same value, not one that merely keeps to it: "within 90 days" is not stated by "24 hours"."""
    return _relation(value, other) is Relation.ENTAILED and _relation(other, value) is Relation.ENTAILED


def _surely_absent(case: Case, value: Value, others: Sequence[Value]) -> bool:
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
    if _counted_from_a_date(value, others) or _EVERY.match(case.unit.text[value.end - case.unit.start :]):
        return False
    digits = _DIGITS.findall(value.text)
    texts = [case.question, *(case.library.span(span_id).text for span_id in sorted(case.cited))]
    written = {piece for text in texts for piece in _DIGITS.findall(text)}
    if not texts or any(piece in written for piece in digits):
        return False
    same_size = any(other.written == value.written or _as_large(value, other) for other in others)
    return not same_size and not any(unread(text, find(text, case.unit.language)) for text in texts)


def _as_large(value: Value, other: Value) -> bool:
    """The same amount, converted and rounded, whatever limit the words around make of either: 551 lb and 250 kg."""
    mine, theirs = _size(value), _size(other)
    if mine is None or theirs is None or value.dimension != other.dimension or not theirs:
        return False
    return abs(mine - theirs) <= abs(theirs) / _ROUNDED


def _size(value: Value) -> Fraction | None:
    ends = {end for end in (value.interval.low, value.interval.high) if end is not None}
    return ends.pop() if len(ends) == 1 else None


def _counted_from_a_date(value: Value, others: Sequence[Value]) -> bool:
    """A number of years beside a year of the evidence: how long something has lasted depends on today."""
    years = value.kind is ValueKind.CALENDAR_DURATION
    return years and any(other.date is not None and other.date.year for other in others)


def _converted(value: Value, unit: Unit) -> bool:
    """The same amount stands beside it in another unit, "350 °F (175 °C)": the claim's own conversion, rounded."""
    beside = [other for other in unit.values if other is not value and other.dimension == value.dimension != ""]
    return any(abs(other.start - value.end) <= _BESIDE or abs(value.start - other.end) <= _BESIDE for other in beside)


def _within(value: Value, other: Value) -> bool:
    """A limit of the source that the value keeps to: EUR 62 under "orders of EUR 50 or more"."""
    return not other.interval.is_point and value.interval.within(other.interval) and value.dimension == other.dimension


def _absent(case: Case, value: Value) -> Iterator[Finding]:
    """The value is nowhere in the evidence. A finding for the judge; a verdict only when everything there was read."""
    others = case.library.values_of(case.cited)
    if any(_relation(value, other) is Relation.ENTAILED for other in others):
        return
    message = f"'{value.text}' is nowhere in the cited evidence"
    if _surely_absent(case, value, others):
        yield _REPORT.conflict("value-unstated", message, Kind.ADDED_DETAIL, Place((value.start, value.end)))
        return
    yield _REPORT.doubt("value-absent", message, Kind.ADDED_DETAIL, Place((value.start, value.end)))
