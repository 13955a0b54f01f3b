"""Between rows of the database and records: what is written for a report, and what a row says at a given moment."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError
from sqlalchemy import ColumnElement, Row, and_, or_

from grounding_middleware.audit.chain import canonical, digest
from grounding_middleware.errors import InputError
from grounding_middleware.printable import one_line
from grounding_middleware.records import Report
from grounding_middleware.review.items import Case, Item, State
from grounding_middleware.review.priority import priority
from grounding_middleware.review.rulings import Adjudication, AnswerRuling, ClaimRuling
from grounding_middleware.store.tables import review_items as items
from grounding_middleware.validation import first_fault

__all__ = ["LISTED", "case", "in_state", "item", "loaded", "new", "stored"]

LISTED = tuple(column for column in items.c if column is not items.c.report)
"""What lists read: every column but the big one."""

_QUESTION = 200  # characters of the question kept for lists
_ANSWER_ID = 200  # longest answer id, as the column has it


def stored(report: Report) -> tuple[str, str]:
    """The report as ASCII JSON, and the hash of all of it but measured times: the same check again is the same hash."""
    try:
        data = json.loads(report.model_dump_json())
    except PydanticSerializationError as error:
        raise InputError(f"report: {error}; allowed in metadata and attributes is plain JSON") from error
    text = canonical(data)
    data.pop("elapsed_ms", None)
    for call in data["calls"]:
        call.pop("latency_ms", None)
        call.pop("started_ms", None)
    return text, digest(canonical(data))


def new(report: Report, reason: str) -> dict[str, Any]:
    """The row of a report that is not in the queue yet, all but its time.

    Its id is 16 hex digits that follow from answer id and hash, the same in every database.
    """
    text, sha256 = stored(report)
    return {
        "id": digest(canonical([report.answer_id, sha256]))[:16],
        "answer_id": _answer_id(report),
        "report_sha256": sha256,
        "action": report.action,
        "reason": one_line(reason or f"{report.action}: {report.decision.reason}"),
        "question": _excerpt(report.question),
        "rank": -priority(report),
        "state": State.WAITING,
        "reviewer": "",
        "claims": report.decision.claims,
        "unsupported": report.decision.unsupported,
        "report": text,
    }


def _answer_id(report: Report) -> str:
    value = report.answer_id
    if not 0 < len(value) <= _ANSWER_ID or one_line(value) != value:
        raise InputError(f"answer_id: {value!r:.80} is wrong, allowed are 1 to {_ANSWER_ID} printable characters")
    return value


def _excerpt(question: str) -> str:
    line = one_line(question)
    return line if len(line) <= _QUESTION else f"{line[: _QUESTION - 1]}…"


def in_state(state: State, now: datetime) -> ColumnElement[bool]:
    """The condition for items that are in `state` at `now`; an expired lease is no lease."""
    if state in (State.DECIDED, State.PURGED):
        return items.c.state == state
    free = or_(items.c.leased_until.is_(None), items.c.leased_until <= now)
    return and_(items.c.state == State.WAITING, free if state is State.WAITING else ~free)


def item(row: Row[Any], now: datetime) -> Item:
    """The item of a row that has the listed columns."""
    leased = row.leased_until is not None and row.leased_until > now
    state = State(row.state)
    return Item(
        id=row.id,
        answer_id=row.answer_id,
        action=row.action,
        reason=row.reason,
        question=row.question,
        priority=-row.rank,
        state=State.LEASED if state is State.WAITING and leased else state,
        reviewer=row.reviewer if leased or state in (State.DECIDED, State.PURGED) else "",
        until=row.leased_until if leased else None,
        created=row.created_at,
        decided=row.decided_at,
        claims=row.claims,
        unsupported=row.unsupported,
    )


def loaded(row: Row[Any]) -> Report:
    """The report of a row; `InputError` when another version wrote fields that this one does not know."""
    if row.state == State.PURGED:
        raise InputError(f"item {row.id}: its contents were purged")
    try:
        return Report.model_validate_json(row.report)
    except ValidationError as error:
        problem = first_fault(error, "report")
        raise InputError(f"item {row.id}: its report cannot be read by this version: {problem}") from error


def case(row: Row[Any], rulings: Iterable[Row[Any]], now: datetime) -> Case:
    """The whole case of a row with its rulings, oldest first."""
    return Case(item=item(row, now), report=loaded(row), adjudications=tuple(map(_adjudication, rulings)))


def _adjudication(row: Row[Any]) -> Adjudication:
    data = json.loads(row.content)
    given = ClaimRuling(**data) if row.on_claim else AnswerRuling(**data)
    return Adjudication(number=row.number, reviewer=row.reviewer, at=row.given_at, was=row.was, given=given)
