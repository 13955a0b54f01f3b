"""`ReviewQueue`: answers wait for a person; nobody gets what another one holds, and nothing acknowledged is lost.

queue = ReviewQueue("sqlite:///grounding.db")
grounder = Grounder(sinks=(when({"review", "escalate", "blocked"}, queue.submit), sampled(0.02, queue.submit)))
case = queue.claim("ana")
queue.decide(case.item.id, "ana", AnswerRuling(ruling="agree"))
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, select
from sqlalchemy.dialects import postgresql, sqlite

from grounding_middleware.audit.answers import Trail
from grounding_middleware.audit.records import Entry, RecordKind
from grounding_middleware.errors import InputError
from grounding_middleware.records import Report
from grounding_middleware.review import rows
from grounding_middleware.review.items import Case, Item, State
from grounding_middleware.review.leases import LEASE_SECONDS, append, change, checked_name, lease, live, locked, read
from grounding_middleware.review.purging import QueuePurge, purge
from grounding_middleware.review.rulings import AnswerRuling, ClaimRuling
from grounding_middleware.review.stats import Stats, statistics
from grounding_middleware.store import Store
from grounding_middleware.store.database import database_time
from grounding_middleware.store.tables import review_items as items
from grounding_middleware.store.tables import review_rulings as rulings

__all__ = ["ReviewQueue"]

_INSERT: Final[dict[str, Callable[..., Any]]] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}
_MOST_URGENT: Final = (items.c.rank, items.c.created_at, items.c.id)


class ReviewQueue:
    """A durable queue in a database; any number of processes may submit, claim and decide at once.

    `store` is a `Store` or its URL. Only `reviewers` may hold items, when given (SPEC ES-5). Rulings go into the audit
    trail, too, when given (AU-1): after they are kept, so a trail that fails raises and loses none. `clock` tells the
    time for leases; the default is the database's own. Methods raise `InputError` for bad input, naming the field.
    """

    def __init__(
        self,
        store: Store | str,
        *,
        reviewers: Collection[str] | None = None,
        trail: Trail | None = None,
        clock: Callable[[Connection], datetime] = database_time,
    ) -> None:
        self.store = Store(store) if isinstance(store, str) else store
        self._trail = trail
        self._reviewers = None if reviewers is None else frozenset(map(checked_name, reviewers))
        self._clock = clock

    def submit(self, report: Report, *, reason: str = "") -> str:
        """Queue `report` and return the item's id; when it returns, the item is on disk. A sink for `Grounder`.

        The same report again (measured times aside) is the same item and changes nothing, decided or not. `reason`:
        why a person should look; the decision of the policy when not given.
        """
        new = rows.new(report, reason)
        with self.store.writing() as connection:
            insert = _INSERT[connection.dialect.name](items).values(created_at=self._clock(connection), **new)
            connection.execute(insert.on_conflict_do_nothing(index_elements=["answer_id", "report_sha256"]))
        return str(new["id"])

    def claim(self, reviewer: str, lease_seconds: float = LEASE_SECONDS) -> Case | None:
        """The most urgent waiting case, leased to `reviewer` alone for that time; None when nothing waits."""
        name, length = self._allowed(reviewer), lease(lease_seconds)
        with self.store.writing() as connection:
            now = self._clock(connection)
            first = select(items.c.id).where(rows.in_state(State.WAITING, now)).order_by(*_MOST_URGENT).limit(1)
            found = connection.execute(first.with_for_update(skip_locked=True)).scalar_one_or_none()
            if found is None:
                return None
            change(connection, found, reviewer=name, leased_until=now + length)
            return self._case(connection, found)

    def take(self, item_id: str, reviewer: str, lease_seconds: float = LEASE_SECONDS) -> Case:
        """This very case, leased to `reviewer`, even a decided one: to look again and rule anew.

        A decided case stays decided meanwhile and is never handed out by `claim`. Raises `InputError` while somebody
        else holds it.
        """
        name, length = self._allowed(reviewer), lease(lease_seconds)
        with self.store.writing() as connection:
            row = locked(connection, item_id)
            now = self._clock(connection)
            if live(row, now) and row.reviewer != name:
                raise InputError(f"item: {item_id} is leased to {row.reviewer!r} until {row.leased_until.isoformat()}")
            change(connection, item_id, reviewer=name, leased_until=now + length)
            return self._case(connection, item_id)

    def extend(self, item_id: str, reviewer: str, lease_seconds: float = LEASE_SECONDS) -> datetime:
        """The new end of a live lease, that time from now (a heartbeat)."""
        length = lease(lease_seconds)
        with self._holding(item_id, reviewer) as (connection, _, now):
            change(connection, item_id, leased_until=now + length)
        return now + length

    def release(self, item_id: str, reviewer: str) -> None:
        """Give the case back: it waits for anybody again, and keeps the rulings given so far."""
        with self._holding(item_id, reviewer) as (connection, _, _now):
            change(connection, item_id, leased_until=None)

    def adjudicate(self, item_id: str, reviewer: str, *given: ClaimRuling) -> None:
        """Keep rulings on claims of a case that `reviewer` holds; the newest on a claim counts, none is changed."""
        with self._holding(item_id, reviewer) as (connection, row, now):
            append(connection, row, now, given)
        self._record(row, now, given)

    def decide(self, item_id: str, reviewer: str, answer: AnswerRuling, claims: Iterable[ClaimRuling] = ()) -> None:
        """Close a case that `reviewer` holds, with all of `claims` or nothing; decided cases never come back."""
        given: tuple[ClaimRuling | AnswerRuling, ...] = (*claims, answer)
        with self._holding(item_id, reviewer) as (connection, row, now):
            append(connection, row, now, given)
            change(connection, item_id, state=State.DECIDED, decided_at=now, leased_until=None)
        self._record(row, now, given)

    def case(self, item_id: str) -> Case:
        """The whole case, whoever holds it."""
        with self.store.reading() as connection:
            return self._case(connection, item_id)

    def items(
        self, state: State | str | None = None, *, reviewer: str = "", limit: int = 50, offset: int = 0
    ) -> tuple[Item, ...]:
        """Items without reports, most urgent first: of one state, and held or decided by one reviewer, if given."""
        query = select(*rows.LISTED).order_by(*_MOST_URGENT).limit(_count("limit", limit))
        with self.store.reading() as connection:
            now = self._clock(connection)
            if state is not None:
                query = query.where(rows.in_state(_state(state), now))
            if reviewer:
                query = query.where(items.c.reviewer == checked_name(reviewer), ~rows.in_state(State.WAITING, now))
            found = connection.execute(query.offset(_count("offset", offset)))
            return tuple(rows.item(row, now) for row in found)

    def decided(self, since: datetime | None = None) -> Iterator[Case]:
        """Every case decided from `since` on, or ever, oldest decision first; one in memory at a time."""
        query = select(items.c.id).where(items.c.state == State.DECIDED).order_by(items.c.decided_at, items.c.id)
        if since is not None:
            query = query.where(items.c.decided_at >= _moment("since", since))
        with self.store.reading() as connection:
            identifiers = connection.execute(query).scalars().all()
        for identifier in identifiers:
            yield self.case(identifier)

    def purge(self, before: datetime) -> QueuePurge:
        """Take the contents of everything queued before that moment out for good; see `purging.purge`."""
        return purge(self.store, _moment("before", before))

    def stats(self) -> Stats:
        """Counts of items by state and of rulings by label."""
        with self.store.reading() as connection:
            return statistics(connection, self._clock(connection))

    def _record(self, row: Row[Any], now: datetime, given: Sequence[ClaimRuling | AnswerRuling]) -> None:
        if self._trail is None or not given:
            return
        facts = {"item": row.id, "rulings": [each.ruling for each in given]}
        content = {
            "reviewer": row.reviewer,
            "at": now.isoformat(),
            "rulings": [each.model_dump(mode="json") for each in given],
        }
        self._trail.append(Entry.salted(RecordKind.ADJUDICATION, row.answer_id, facts, content))

    def _allowed(self, reviewer: str) -> str:
        name = checked_name(reviewer)
        if self._reviewers is not None and name not in self._reviewers:
            raise InputError(
                f"reviewer: {name!r} may not review here, allowed are {', '.join(sorted(self._reviewers))}"
            )
        return name

    @contextmanager
    def _holding(self, item_id: str, reviewer: str) -> Iterator[tuple[Connection, Row[Any], datetime]]:
        """A transaction on an item that `reviewer` holds with a live lease; `InputError` otherwise."""
        name = self._allowed(reviewer)
        with self.store.writing() as connection:
            row = locked(connection, item_id)
            now = self._clock(connection)
            if not live(row, now) or row.reviewer != name:
                raise InputError(f"reviewer: {name!r} holds no live lease of item {item_id}; claim or take it first")
            yield connection, row, now

    def _case(self, connection: Connection, item_id: str) -> Case:
        row = read(connection, item_id)
        given = select(rulings).where(rulings.c.item_id == item_id).order_by(rulings.c.number)
        return rows.case(row, connection.execute(given), self._clock(connection))


def _state(state: State | str) -> State:
    try:
        return State(state)
    except ValueError:
        raise InputError(f"state: {state!r:.80} is wrong, allowed are {', '.join(State)}") from None


def _moment(field: str, value: datetime) -> datetime:
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise InputError(f"{field}: {value!r:.80} is wrong, allowed is a datetime with a time zone")
    return value


def _count(field: str, value: int) -> int:
    if not isinstance(value, int) or not 0 <= value <= 1_000_000:
        raise InputError(f"{field}: {value!r:.80} is wrong, allowed are whole numbers from 0 to 1000000")
    return value
