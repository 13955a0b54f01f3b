"""Dates in force (EV-6): "has applied since ..." against the day a source says it took effect.

The day stands beside the text, not in it: a claim may state it rightly without any sentence that does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.binding import claimed
from grounding_middleware.checks.case import Case, Place, Reporter
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Unit
from grounding_middleware.reading.values import Value, ValueKind
from grounding_middleware.records import Finding, Kind, Span

_REPORT: Final = Reporter("validity")
_BEGINS: Final = (">=", ">")


def check(case: Case) -> Iterator[Finding]:
    """Conflict where the claim dates the beginning of a rule otherwise than its only cited source is in force."""
    day = _beginning(case.unit)
    spans = [case.library.span(span_id) for span_id in case.cited]
    if day is None or len(spans) != 1 or spans[0].effective_from is None or _told(case, spans[0]):
        return
    begins = spans[0].effective_from
    if day.interval.low != begins.toordinal():
        message = f"the source is in force from {begins}, answer '{day.text}'"
        yield _REPORT.conflict("effective-date-differs", message, Kind.DATE, Place((day.start, day.end), spans[0].id))


def _beginning(unit: Unit) -> Value | None:
    """The one complete date of a claim that something applies since then."""
    words = lexicon(unit.language)
    if not any(item.keys & words.in_force for item in unit.items) or unit.of("negation"):
        return None
    days = [value for value in claimed(unit) if value.kind is ValueKind.DATE and value.date and value.date.complete]
    if len(days) != 1 or days[0].interval.low is None:
        return None
    since = any(cue.name == "time.since" and cue.start < days[0].start for cue in unit.cues)
    return days[0] if since or (days[0].bound is not None and days[0].bound.sign in _BEGINS) else None


def _told(case: Case, span: Span) -> bool:
    """The text states dates of its own: then those count, and the other checks compare them."""
    return any(value.kind is ValueKind.DATE for value in case.library.values_of((span.id,)))
