"""The audit trail in a database: the same records and the same hash chain as in files, in one table.

`AuditSink(SqlTrail("postgresql+psycopg://..."))` writes it. What the chain covers is the column `head`; the columns
beside it repeat parts of it for queries, and reading compares them. The database refuses to change or delete a record
(triggers); only content may be emptied. Whoever owns the database can drop the triggers: the chain tells, see `verify`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, insert, select, text, update

from grounding_middleware.audit.chain import canonical, dump, hash_of, link, load
from grounding_middleware.audit.records import AuditRecord, Entry, Tip
from grounding_middleware.audit.verification import Place, Placed, Unreadable
from grounding_middleware.errors import GroundingError, InputError
from grounding_middleware.records import Range
from grounding_middleware.store.database import Store, database_time
from grounding_middleware.store.tables import audit_records

__all__ = ["SqlTrail"]

_LOCK: Final = 7_238_164_906  # any number of our own: PostgreSQL's lock for whoever appends
_BATCH: Final = 200  # rows in memory while reading


class SqlTrail:
    """Appends records to the one trail of a database; any number of processes and machines write one chain.

    `store` is a `Store` or its URL. A `Trail`, so an `AuditSink` can write to it.
    """

    def __init__(self, store: Store | str) -> None:
        self.store = Store(store) if isinstance(store, str) else store

    def append(self, entry: Entry) -> AuditRecord:
        """The record of `entry`, on disk when this returns. Raises when it cannot be, and leaves nothing of it."""
        with self.store.writing() as connection:
            if connection.dialect.name == "postgresql":  # SQLite's writers exclude each other anyway
                connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})
            record = link(entry, _tip(connection), database_time(connection))
            connection.execute(insert(audit_records).values(_row(record)))
        return record

    def records(self) -> Iterator[Placed]:
        """Every record in order, as they were when reading began, a few at a time."""
        with self.store.reading() as connection:
            query = select(audit_records).order_by(audit_records.c.seq).execution_options(yield_per=_BATCH)
            for number, row in enumerate(connection.execute(query), 1):
                yield Place(file=audit_records.name, line=number), _read(row)

    def torn_before(self, moment: datetime) -> tuple[str, ...]:  # noqa: ARG002  # the interface of what can be purged
        """Nothing: a database leaves no torn lines."""
        return ()

    def empty(self, ranges: Sequence[Range], torn: Sequence[str]) -> None:  # noqa: ARG002  # as above
        """Take out the contents of records `first` to `last` of each range; `purging.purge` records it before."""
        with self.store.writing() as connection:
            for first, last in ranges:
                within = audit_records.c.seq.between(first, last)
                connection.execute(update(audit_records).where(within).values(content=None))
        self.store.forget()


def _tip(connection: Connection) -> Tip:
    """The last record; it must be sound, because the next one vouches for it."""
    query = select(audit_records.c.head).order_by(audit_records.c.seq.desc()).limit(1)
    head = connection.execute(query).scalar_one_or_none()
    if head is None:
        return Tip()
    try:
        record = load(_line(head, None))
    except InputError as error:
        raise GroundingError(f"audit: the last record {error}; verify the trail") from error
    if hash_of(record) != record.hash:
        raise GroundingError(f"audit: record {record.seq}, the last one, was changed; verify the trail")
    return record.tip


def _line(head: str, content: str | None) -> str:
    """The line of a file that has the same head and content."""
    return f'{{"head":{head},"content":{"null" if content is None else content}}}'


def _row(record: AuditRecord) -> dict[str, Any]:
    """The columns of a record."""
    whole = dump(record.model_copy(update={"content": None}))
    return {
        "seq": record.seq,
        "recorded_at": record.time,
        "kind": record.kind,
        "subject": canonical(record.subject)[1:-1],
        "head": whole.removeprefix('{"head":').removesuffix(',"content":null}'),
        "content": record.content,
    }


def _read(row: Row[Any]) -> AuditRecord | Unreadable:
    try:
        record = load(_line(row.head, row.content))
    except InputError as error:
        return Unreadable(reason=f"row {row.seq} {error}")
    if _row(record) != row._asdict():
        return Unreadable(reason=f"row {row.seq}: its columns do not say what its head says")
    return record
