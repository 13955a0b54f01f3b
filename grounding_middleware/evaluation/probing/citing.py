"""True words with a wrong source: another passage, an invented one, one not delivered, not in force, superseded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Final

from grounding_middleware.citations import resolve
from grounding_middleware.errors import InputError
from grounding_middleware.evaluation.probing.ground import Subject, shared
from grounding_middleware.evaluation.probing.statements import Change
from grounding_middleware.evidence import build
from grounding_middleware.records import Citation, Span

__all__ = [
    "expired",
    "invented_citation",
    "irrelevant_citation",
    "marker_of",
    "not_yet_in_force",
    "superseded",
    "undelivered",
    "wrong_paragraph",
]

_SILENT: Final = 0.34
"""Share of a statement's words below which a passage does not state it."""
_ELSEWHERE: Final = 0.5
_APART: Final = 2  # passages between the right and the wrong one: the neighbour may be read with it
_BEHIND: Final = 3  # characters between a statement and its marker
_DAYS: Final = timedelta(days=90)


def irrelevant_citation(subject: Subject) -> Iterator[Change]:
    """A real passage of another source, which does not state it."""
    yield from _cited(subject, same_source=False)


def wrong_paragraph(subject: Subject) -> Iterator[Change]:
    """Another paragraph of the same document, which does not state it."""
    yield from _cited(subject, same_source=True)


def invented_citation(subject: Subject) -> Iterator[Change]:
    """A citation that nobody gave the model."""
    marker = marker_of(subject)
    if marker is not None:
        number = re.search(r"\d+(?=\D*$)", marker.ref)
        known = {span.id for span in subject.statement.attempt.evidence}
        new = f"{marker.ref[: number.start()]}{int(number[0]) + 977}" if number else f"{marker.ref}-annex"
        if new not in known:
            yield _with_marker(subject, marker, new)


def superseded(subject: Subject) -> Iterator[Change]:
    """The source was superseded by a newer version."""
    yield from _with_home(subject, None, lambda span: {"superseded_by": f"{span.source_id}@next", "effective_to": None})


def expired(subject: Subject) -> Iterator[Change]:
    """The right quotation on a day after the source ended."""
    day = _day(subject)
    yield from _with_home(
        subject, day, lambda _: {"effective_from": None, "effective_to": day - _DAYS, "superseded_by": None}
    )


def not_yet_in_force(subject: Subject) -> Iterator[Change]:
    """The right quotation on a day before the source begins to count."""
    day = _day(subject)
    yield from _with_home(
        subject, day, lambda _: {"effective_from": day + _DAYS, "effective_to": None, "superseded_by": None}
    )


def undelivered(subject: Subject) -> Iterator[Change]:
    """The source was retrieved, but the model never saw it."""
    yield from _with_home(
        subject, subject.statement.attempt.as_of, lambda _: {"delivered": False, "delivered_ranges": None}
    )


def marker_of(subject: Subject) -> Citation | None:
    """The only marker of the statement, when it names a span that states it."""
    statement = subject.statement
    try:
        evidence = build(
            statement.attempt.evidence, as_of=statement.attempt.as_of, requester=statement.attempt.requester
        )
    except InputError:
        return None
    found = [
        one for one in resolve(subject.answer, evidence) if statement.start <= one.start <= statement.end + _BEHIND
    ]
    if len(found) != 1 or not found[0].valid or found[0].marker.count(found[0].ref) != 1:
        return None
    return found[0] if set(found[0].span_ids) <= set(statement.home) else None


def _cited(subject: Subject, *, same_source: bool) -> Iterator[Change]:
    marker = marker_of(subject)
    if marker is None:
        return
    spans = subject.statement.attempt.evidence
    places = {span.id: number for number, span in enumerate(spans)}
    homes = [span for span in spans if span.id in marker.span_ids]
    others = [span for span in spans if span.id not in subject.statement.home]
    subject.chance.shuffle(others)
    for span in others:
        same = any(span.source_id == home.source_id and span.version == home.version for home in homes)
        near = any(abs(places[span.id] - places[home.id]) < _APART for home in homes)
        if same is same_source and not (same and near) and _silent(subject, span):
            yield _with_marker(subject, marker, span.id)
            return


def _silent(subject: Subject, span: Span) -> bool:
    """No unit of the passage has a third of the words, none has a value of the statement."""
    units = [unit for unit, span_id in subject.units if span_id == span.id]
    values = {value.interval for value in subject.values}
    return all(
        shared(subject.unit.items, unit) < _SILENT and not values & {one.interval for one in unit.values}
        for unit in units
    )


def _with_marker(subject: Subject, marker: Citation, ref: str) -> Change:
    at = marker.start + marker.marker.index(marker.ref)
    answer = subject.answer
    changed = f"{answer[:at]}{ref}{answer[at + len(marker.ref) :]}"
    return Change((), f"cites {ref} instead of {marker.ref}", replace(subject.statement.attempt, answer=changed))


def _day(subject: Subject) -> date:
    """The day of the question; else one on which the source is in force."""
    starts = [span.effective_from for span in subject.statement.attempt.evidence if span.effective_from]
    return subject.statement.attempt.as_of or max(starts, default=date(2025, 1, 1)) + timedelta(days=30)


def _with_home(subject: Subject, day: date | None, change: Any) -> Iterator[Change]:
    """The spans that state it with other facts about them, when no other span might state it."""
    home = set(subject.statement.home)
    if not home or _elsewhere(subject, subject.statement.home) or marker_of(subject) is None:
        return
    attempt = subject.statement.attempt
    spans = tuple(span.replace(**change(span)) if span.id in home else span for span in attempt.evidence)
    told = ", ".join(sorted(home))
    facts = ", ".join(f"{name} {value}" for name, value in change(attempt.evidence[0]).items() if value is not None)
    yield Change(
        (), f"{told}: {facts or 'not delivered'}", replace(attempt, evidence=spans, as_of=day or attempt.as_of)
    )


def _elsewhere(subject: Subject, home: Sequence[str]) -> bool:
    return any(shared(subject.unit.items, unit) >= _ELSEWHERE for unit, span_id in subject.units if span_id not in home)
