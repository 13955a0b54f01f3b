"""Values (CH-1, CH-2): numbers, money, units, dates and limits, each bound to what it belongs to.

A conflict needs the claim's other words in one unit and a value of the same dimension there that cannot hold beside the
claim's. The claim's value standing anywhere else in the cited evidence, or following from it, turns it into a doubt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from grounding_middleware.checks.absence import surely_absent
from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.binding import claimed, misbound, own_rivals, relation, same_sort, states_all
from grounding_middleware.checks.case import Case, Place, Reporter, place
from grounding_middleware.checks.cells import misplaced
from grounding_middleware.checks.comparatives import opposed
from grounding_middleware.checks.contrast import rival_of
from grounding_middleware.checks.counted import counted
from grounding_middleware.checks.derivation import at_head, may_follow, premise
from grounding_middleware.checks.happenings import happenings
from grounding_middleware.checks.misreading import misread
from grounding_middleware.checks.ownership import of_another_thing
from grounding_middleware.checks.placing import exchanged
from grounding_middleware.checks.reconciling import of_a_name, rounded_down
from grounding_middleware.checks.unstated import comparable, slipped, stated_instead
from grounding_middleware.checks.worked_out import THAN, has_parts, is_result
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.values import Comparison, Relation, Value, ValueKind, compare, derivable
from grounding_middleware.reading.values.limits import phrase
from grounding_middleware.records import Finding, Kind, Outcome

_REPORT: Final = Reporter("values")
MOST_VALUES: Final = 48
"""Values of one statement that are compared; no sentence has more, and a list that lost its line breaks is a doubt."""

_FRAME: Final = 3  # tokens: a count, its noun and a preposition
_SLIPS: Final = (Kind.NUMBER, Kind.DATE)


def check(case: Case) -> Iterator[Finding]:
    """A match, conflict or doubt for each value of the claim; nothing for a claim without values."""
    values = claimed(case.unit)
    for alignment in case.anchored if len(values) > 1 else ():
        yield from _turns(alignment)
    for value in values[:MOST_VALUES]:
        yield from _one(case, value)
    if len(values) > MOST_VALUES:
        message = f"{len(values)} values in one statement; {MOST_VALUES} were compared"
        yield _REPORT.doubt("too-many-values", message, None, Place((values[MOST_VALUES].start, values[-1].end)))


def _one(case: Case, value: Value) -> Iterator[Finding]:
    astray = misplaced(case, value)
    if astray is not None:
        message = f"the table gives '{astray.own.text}' there, answer '{value.text}', which stands in another cell"
        at = Place((value.start, value.end), astray.right.span_id, (astray.own.start, astray.own.end))
        yield _REPORT.conflict("value-of-another-cell", message, Kind.BINDING, at)
        return
    for alignment in case.anchored:
        stated = [other for other in alignment.source.values if relation(value, other) is Relation.ENTAILED]
        if stated:
            yield from _stated(alignment, value, stated)
            return
    astray_from = list(of_another_thing(case, value))
    if astray_from:
        yield from astray_from
        return
    derivation = derivable(value, case.library.values_of(case.cited))
    if derivation is not None:
        yield _REPORT.match("value-derived", f"'{value.text}': {derivation.words}", Place((value.start, value.end)))
        return
    found = list(_conflicting(case, value) if case.anchored else _unanchored(case, value))
    if all(one.outcome is not Outcome.CONFLICT for one in found) and not _known(case, value):
        found = list(happenings(case, value)) or list(counted(case, value)) or found
    yield from found


def _unanchored(case: Case, value: Value) -> Iterator[Finding]:
    misread = next((one for alignment in case.alignments for one in _misread(case, alignment, value)), None)
    yield from (misread,) if misread is not None else _absent(case, value)


def _known(case: Case, value: Value) -> bool:
    """The cited evidence has this value somewhere."""
    return any(relation(value, other) is Relation.ENTAILED for other in case.library.values_of(case.cited))


def _turns(alignment: Alignment) -> Iterator[Finding]:
    """Two values changed places and every word kept its own: "Adults pay 5 euros and children pay 8 euros"."""
    pair = exchanged(alignment) if states_all(alignment) else None
    if pair is None:
        return
    first, second = pair
    message = f"source has '{second.text} … {first.text}', answer '{first.text} … {second.text}'"
    symmetric = lexicon(alignment.claim.language).symmetric
    either = any(item.keys & symmetric for item in alignment.claim.items)
    certain = not alignment.source_left and not either and _same_polarity(alignment) and not opposed(alignment)
    build = _REPORT.conflict if certain else _REPORT.doubt
    yield build("values-exchanged", message, Kind.BINDING, place(alignment, first, None))


def _misread(case: Case, alignment: Alignment, value: Value) -> Iterator[Finding]:
    found = misread(case, alignment, value)
    if found is not None:
        message = f"source '{found[0].text}', answer '{value.text}'"
        rule = "digits-differ" if found[1] in _SLIPS else "unit-differs"
        yield _REPORT.conflict(rule, message, found[1], place(alignment, value, found[0]))


def _stated(alignment: Alignment, value: Value, stated: Sequence[Value]) -> Iterator[Finding]:
    alone = [own for own in claimed(alignment.claim) if _counted(own) == _counted(value)] == [value]
    bound = misbound(alignment, value, stated) if alone else None  # several values of a sort: which owns which is open
    bound = bound or rival_of(alignment, value, stated)
    if bound is None:
        yield _REPORT.match("value-stated", f"'{value.text}' is stated", place(alignment, value, stated[0]))
        return
    owner, own = bound
    message = f"source gives '{own.text}' for '{owner.text}', answer '{value.text}'"
    certain = not alignment.claim_left and states_all(alignment)  # a new number beside it may be the other's own
    certain = certain and not (value.kind is ValueKind.DATE and all(_compared(alignment, one) for one in stated))
    certain = certain and (alignment.source.tabular or "|" not in alignment.source.text)  # rows not told apart
    build = _REPORT.conflict if certain else _REPORT.doubt
    yield build("value-of-another", message, Kind.BINDING, place(alignment, value, own))


def _compared(alignment: Alignment, stated: Value) -> bool:
    """Stands behind "than": "12 more than in 2024" says of 2024 what it says of the other year."""
    before = [token.norm for token in alignment.source.tokens if token.end <= stated.start]
    return bool(THAN & set(before[-2:]))


def _counted(value: Value) -> ValueKind:
    """Plain numbers and counts are of one sort: whether a noun follows is a matter of wording."""
    return ValueKind.COUNT if value.kind is ValueKind.NUMBER else value.kind


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
    own = own_rivals(alignment, rivals)
    other, found = (own or rivals)[0]
    alike = other.text == value.text
    message = f"source '{phrase(other) if alike else other.text}', answer '{phrase(value) if alike else value.text}'"
    at = place(alignment, value, other)
    alone = bool(own) or (alignment.tight and len(rivals) == 1)
    certain = alone and _same_polarity(alignment) and not _elsewhere(case, alignment, value)
    if _reconciled(case, alignment, value, other):
        yield _REPORT.doubt("value-derivable", f"{message}, which may follow from it", found.kind or Kind.DERIVED, at)
        return
    if not certain:
        slip = next(_misread(case, alignment, value), None)
        certain = slip is not None and not _elsewhere(case, alignment, value)
    if certain:
        yield _REPORT.conflict("value-differs", message, found.kind or Kind.NUMBER, at)
    else:
        yield _REPORT.doubt("value-differs", message, found.kind or Kind.NUMBER, at)


def _reconciled(case: Case, alignment: Alignment, value: Value, other: Value) -> bool:
    """One reading makes the claim right although its value is not the source's."""
    if _paired_otherwise(alignment, value) or _instance(alignment, value, other) or _in_part(alignment, value):
        return True
    if of_a_name(alignment, value, other) or rounded_down(value, other):
        return True
    return not _same_frame(alignment, value, other) and may_follow(case, value, alignment.source)


def _in_part(alignment: Alignment, value: Value) -> bool:
    """A date the source writes in part, "began on 2 August 1777 and ended on 22 August", or a year that is a name.

    "Runner 2049" is a title: what stands right behind a name may belong to it.
    """
    if value.kind is not ValueKind.DATE:
        return False
    dates = [other for other in alignment.source.values if other.kind is ValueKind.DATE]
    open_ = any(compare(value, other).relation is Relation.OTHER and not other.bound for other in dates)
    before = next((item for item in reversed(alignment.claim.items) if item.end <= value.start), None)
    named = before is not None and before.name and value.start - before.end == 1 and value.text.isdigit()
    return named or (open_ and value.date is not None and value.date.complete)


def _same_frame(alignment: Alignment, value: Value, other: Value) -> bool:
    """The same count of the same stands right before both values: "two feeds of 32 A" is not twice 16 A."""
    mine = [token for token in alignment.claim.tokens if token.end <= value.start][-_FRAME:]
    theirs = [token for token in alignment.source.tokens if token.end <= other.start][-_FRAME:]
    counted = any(own.start <= token.start < own.end for own in claimed(alignment.claim) for token in mine)
    return counted and [token.norm for token in mine] == [token.norm for token in theirs]


def _paired_otherwise(alignment: Alignment, value: Value) -> bool:
    """Which value is to be compared with which is open: another new one of its sort, or its number without a unit."""
    stated = alignment.source.values
    if any(_day_of(value, other) or _day_of(other, value) for other in stated):
        return True
    if value.kind in (ValueKind.DATE, ValueKind.TIME):
        return False
    new = [
        own
        for own in claimed(alignment.claim)
        if own.kind is value.kind and all(relation(own, other) is not Relation.ENTAILED for other in stated)
    ]
    return len(new) > 1 or any(
        other.written == value.written and _bare(other) != _bare(value)
        for other in stated
        if other.written and not other.is_name
    )


def _day_of(value: Value, other: Value) -> bool:
    """A number that is the day of a date told with another: "on 5 and 8 March"."""
    return other.date is not None and other.date.month is not None and _bare(value) and value.written == other.date.day


def _instance(alignment: Alignment, value: Value, other: Value) -> bool:
    """The case the claim speaks of, not what it says of it: inside a limit of the source, or with its own result.

    "Orders over 60 euros are free" follows from "orders of 50 euros or more"; "two hours cost 6 euros" may follow from
    a price "per half hour".
    """
    if not at_head(alignment.claim, value):
        return False
    inside = value.interval != other.interval and value.bound is not None and value.interval.within(other.interval)
    results = [own for own in claimed(alignment.claim) if own.start > value.start and own.kind is not ValueKind.DATE]
    new = any(
        all(relation(own, there) is not Relation.ENTAILED for there in alignment.source.values) for own in results
    )
    return inside or new


def _bare(value: Value) -> bool:
    """A number without unit or noun: "oak in fourteen", after "pine dries in six weeks"."""
    return value.kind is ValueKind.NUMBER and not value.dimension and not value.noun


def _same_polarity(alignment: Alignment) -> bool:
    """Another value under a negation on one side only may hold as well: 16 are reserved, 48 are not."""
    theirs = [cue for cue in alignment.source.of("negation") if cue.segment in alignment.touched]
    return bool(alignment.claim.of("negation")) == bool(theirs)


def _rivals(alignment: Alignment, value: Value) -> list[tuple[Value, Comparison]]:
    """The values of the source unit that cannot hold beside the claim's."""
    others = [own for own in claimed(alignment.claim) if own is not value]
    free = [one for one in alignment.source.values if same_sort(value, one) and not any(_equal(one, o) for o in others)]
    pairs = [(other, _limited(value, other, compare(value, other))) for other in free]
    return [
        (other, found)
        for other, found in pairs
        if found.relation is Relation.DISJOINT and _written(other) != _written(value)
    ]


def _limited(value: Value, other: Value, found: Comparison) -> Comparison:
    """A limit set strictly inside a range conflicts with its end: "at least 3" is not what "2 to 30" sets."""
    if value.bound is None or _counted(value) != _counted(other) or value.dimension != other.dimension:
        return found
    if value.kind in (ValueKind.DATE, ValueKind.TIME):
        return found
    inner, outer = value.interval, other.interval
    if not outer.is_range or value.per != other.per or inner.is_range:
        return found
    ends = [end for end in (inner.low, inner.high) if end is not None]
    if len(ends) == 1 and outer.low is not None and outer.high is not None and outer.low < ends[0] < outer.high:
        return replace(found, relation=Relation.DISJOINT, kind=Kind.RANGE)
    return found


def _written(value: Value) -> tuple[str, str]:
    """The value as it stands there, with the kind of limit its words make of it; written alike, it is the same."""
    return value.text.casefold(), value.bound.sign if value.bound else ""


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
    return relation(value, other) is Relation.ENTAILED and relation(other, value) is Relation.ENTAILED


def _absent(case: Case, value: Value) -> Iterator[Finding]:
    """The value is nowhere in the evidence. A finding for the judge; a verdict only when everything there was read."""
    if _known(case, value):
        return
    others = case.library.values_of(case.cited)
    message = f"'{value.text}' is nowhere in the cited evidence"
    at = Place((value.start, value.end))
    if not surely_absent(case, value, others) or premise(case, value) or may_follow(case, value):
        yield _REPORT.doubt("value-absent", message, Kind.ADDED_DETAIL, at)
        return
    if is_result(case.unit, value) and has_parts(case, value) and not slipped(case, value):
        yield _REPORT.doubt("value-absent", f"{message}; it may be worked out", Kind.DERIVED, at)
        return
    instead = stated_instead(case, value)
    if instead is not None:
        alignment, other, kind = instead
        message = f"source '{other.text}', answer '{value.text}'"
        yield _REPORT.conflict("value-instead", message, kind, place(alignment, value, other))
    elif slipped(case, value):
        yield _REPORT.conflict("decimal-slip", f"{message}; with its decimal point elsewhere it is", Kind.SCALE, at)
    elif comparable(case, value):
        yield _REPORT.doubt("value-absent", message, Kind.ADDED_DETAIL, at)
    else:
        yield _REPORT.conflict("value-unstated", message, Kind.ADDED_DETAIL, at)
