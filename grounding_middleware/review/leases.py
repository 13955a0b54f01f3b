"""Who holds an item: reading a row so that nobody else changes it, and what may be done to it then."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from difflib import get_close_matches
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, insert, select, update

from grounding_middleware.audit.chain import canonical
from grounding_middleware.errors import InputError
from grounding_middleware.printable import one_line
from grounding_middleware.records import Report
from grounding_middleware.review.rows import loaded
from grounding_middleware.review.rulings import AnswerRuling, ClaimRuling
from grounding_middleware.store.tables import review_items as items
from grounding_middleware.store.tables import review_rulings as rulings

__all__ = ["LEASE_SECONDS", "append", "change", "checked_name", "lease", "live", "locked", "read"]

LEASE_SECONDS: Final = 900.0
_LONGEST: Final = 7 * 24 * 3_600
_NAME: Final = 200
_NEWEST: Final = 1_000  # ids among which a mistyped one is looked for
_LONGEST_ID: Final = 32


def checked_name(reviewer: str) -> str:
    """The name of a reviewer, if a database can hold it and a terminal show it."""
    if not (isinstance(reviewer, str) and 0 < len(reviewer) <= _NAME and one_line(reviewer) == reviewer):
        raise InputError(f"reviewer: {reviewer!r:.80} is wrong, allowed are 1 to {_NAME} printable characters")
    return reviewer


def lease(seconds: float) -> timedelta:
    """The length of a lease."""
    if not (isinstance(seconds, int | float) and 0 < seconds <= _LONGEST):
        raise InputError(f"lease_seconds: {seconds!r} is wrong, allowed are numbers above 0, at most {_LONGEST}")
    return timedelta(seconds=seconds)


def locked(connection: Connection, item_id: str) -> Row[Any]:
    """The row, which no other transaction changes until this one ends."""
    return _found(connection, item_id, select(items).with_for_update())


def read(connection: Connection, item_id: str) -> Row[Any]:
    """The row, for reading."""
    return _found(connection, item_id, select(items))


def _found(connection: Connection, item_id: str, query: Select[Any]) -> Row[Any]:
    known = isinstance(item_id, str) and item_id.isascii() and item_id.isalnum()
    row = connection.execute(query.where(items.c.id == item_id)).one_or_none() if known else None
    if row is None:
        raise InputError(f"item: there is no {item_id!r:.80} in the queue; {_nearest(connection, item_id)}")
    return row


def _nearest(connection: Connection, item_id: object) -> str:
    """What may have been meant: ids that begin so or nearly look so, among the newest of the queue."""
    newest = select(items.c.id).order_by(items.c.created_at.desc()).limit(_NEWEST)
    ids = list(connection.execute(newest).scalars())
    given = str(item_id).strip().casefold()[:_LONGEST_ID]
    near = [one for one in ids if given and one.startswith(given)] or get_close_matches(given, ids, n=3, cutoff=0.7)
    return f"did you mean {' or '.join(near[:3])}?" if near else "`grounding review list` prints the ids"


def live(row: Row[Any], now: datetime) -> bool:
    """Whether somebody holds it at `now`."""
    return row.leased_until is not None and row.leased_until > now


def change(connection: Connection, item_id: str, **values: Any) -> None:
    """Change the row; its report never is."""
    connection.execute(update(items).where(items.c.id == item_id).values(**values))


def append(connection: Connection, row: Row[Any], now: datetime, given: Sequence[ClaimRuling | AnswerRuling]) -> None:
    """Add rulings of the row's holder, in order; raises `InputError` for a claim or quote its report does not have."""
    report = loaded(row)
    for each in given:
        on_claim = isinstance(each, ClaimRuling)
        added = {
            "item_id": row.id,
            "on_claim": int(on_claim),
            "ruling": each.ruling,
            "was": _was(report, each) if isinstance(each, ClaimRuling) else report.action,
            "reviewer": row.reviewer,
            "given_at": now,
            "content": canonical(each.model_dump(mode="json")),
        }
        connection.execute(insert(rulings).values(added))


def _was(report: Report, given: ClaimRuling) -> str:
    """The label of the claim that is ruled on, after a look whether the ruling fits the report."""
    verdict = next((verdict for verdict in report.claims if verdict.id == given.claim_id), None)
    if verdict is None:
        allowed = ", ".join(verdict.id for verdict in report.claims)
        raise InputError(f"claim_id: {given.claim_id!r:.80} is no claim of this answer, allowed are {allowed}")
    if given.label is verdict.label and given.kind is verdict.kind:
        raise InputError(f"label: {given.label} is what the claim already has; then agree")
    if given.quote is not None:
        span = report.evidence.span(given.quote.span_id)
        if span is None or span.text[given.quote.start : given.quote.end] != given.quote.text or not given.quote.text:
            raise InputError(
                f"quote: {given.quote.text!r:.80} is not at this place of span {given.quote.span_id!r:.80}"
            )
    return verdict.label
