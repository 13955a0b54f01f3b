"""When something happened (CH-2): "founded in 2009" against "founded in 2011", said of the same thing by the same verb.

The date is bound to the word it follows, so the rest of the sentence may say more than the claim does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.checks.naming import by_part_of_name
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.reading.values import Relation, Value, ValueKind, compare
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("values")
_JOINS: Final = frozenset({"and", "or", "to", "until", "through", "/", ",", "-", "--", "–", "—"})
_BOUND: Final = ("negation", "condition", "modality", "certainty")


def happenings(case: Case, value: Value) -> Iterator[Finding]:
    """A conflict where the verb before the claim's date has one other date in a sentence about the same thing."""
    if value.kind is not ValueKind.DATE or value.bound is not None:
        return
    for alignment in filter(None, map(by_part_of_name, case.alignments)):
        rival = None if _bound(alignment) else _rival(alignment, value)
        if rival is not None:
            governor, other = rival
            message = f"source '{governor.text} {other.text}', answer '{value.text}'"
            yield _REPORT.conflict("date-of-event", message, Kind.DATE, place(alignment, value, other))
            return


def _bound(alignment: Alignment) -> bool:
    source = (cue for cue in alignment.source.cues if cue.segment in alignment.touched)
    return any(cue.table in _BOUND or cue.name == "quantity.only" for cue in (*alignment.claim.cues, *source))


def _rival(alignment: Alignment, value: Value) -> tuple[Item, Value] | None:
    """The word both dates follow at once, with the source's date; None unless it has one and it is another."""
    mine = _governor(alignment.claim, value)
    theirs = alignment.partner(mine) if mine else None
    if mine is None or theirs is None:
        return None
    source = alignment.source
    dates = [other for other in source.values if other.kind is ValueKind.DATE and not other.is_name]
    own = [other for other in dates if _governor(source, other) is theirs]
    own = own or [other for other in dates if len(dates) == 1 and _governor(source, other, bare=True) is theirs]
    if len(own) != 1 or own[0].bound is not None or _run_on(source, own[0], dates):
        return None
    return (mine, own[0]) if compare(value, own[0]).relation is Relation.DISJOINT else None


def _governor(unit: Unit, value: Value, *, bare: bool = False) -> Item | None:
    """The last content word before the date in its segment, if no other value stands between.

    `bare` skips phrases with a preposition: "was filed in Lyon on 3 May".
    """
    before = [item for item in unit.items if item.end <= value.start and not (bare and item.prep)]
    if not before or unit.segment_at(before[-1].start) != unit.segment_at(value.start):
        return None
    last = before[-1]
    between = (one for one in unit.values if not one.is_name and last.end <= one.start < value.start)
    return None if any(between) else last


def _run_on(unit: Unit, value: Value, dates: list[Value]) -> bool:
    """Another date is joined to this one: "in 2009 and 2011", "2009 to 2011"."""
    before = [token.norm for token in unit.tokens if token.end <= value.start][-1:]
    after = [token.norm for token in unit.tokens if token.start >= value.end][:1]
    near = [o for o in dates if o is not value and (0 <= o.start - value.end < 12 or 0 <= value.start - o.end < 12)]
    return bool(near) and bool(_JOINS & {*before, *after})
