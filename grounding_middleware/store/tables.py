"""The tables, as the newest revision under `migrations/` leaves them; a test compares the two.

JSON is kept as text written by ourselves: what goes in comes out byte for byte, and characters that a database refuses
in text (U+0000 in PostgreSQL) are escaped by JSON. Times are UTC.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)

__all__ = ["UtcTime", "audit_records", "metadata", "review_items", "review_rulings"]

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class UtcTime(TypeDecorator[datetime]):
    """A moment with time zone; SQLite, which knows none, gets UTC and hands out UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """To UTC; a time without zone is refused, because nobody knows when it was."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """As UTC, whatever the session's zone."""
        if value is None:
            return None
        moment: datetime = value.replace(tzinfo=UTC) if dialect.name == "sqlite" else value.astimezone(UTC)
        return moment


Serial = BigInteger().with_variant(Integer, "sqlite")  # SQLite numbers rows only for its own INTEGER

review_items = Table(
    "review_items",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("answer_id", String(200), nullable=False),
    Column("report_sha256", String(64), nullable=False),
    Column("action", String(20), nullable=False),
    Column("reason", Text, nullable=False),
    Column("question", Text, nullable=False),
    Column("rank", SmallInteger, nullable=False),  # the most urgent has the lowest: the index is read forwards
    Column("state", String(10), nullable=False),
    Column("reviewer", String(200), nullable=False),
    Column("leased_until", UtcTime, nullable=True),
    Column("created_at", UtcTime, nullable=False),
    Column("decided_at", UtcTime, nullable=True),
    Column("claims", Integer, nullable=False),
    Column("unsupported", Integer, nullable=False),
    Column("report", Text, nullable=False),  # last: SQLite reads the columns before it without its pages
    UniqueConstraint("answer_id", "report_sha256"),
    Index("ix_review_items_all", "rank", "created_at", "id"),
    Index("ix_review_items_next", "state", "rank", "created_at", "id", "leased_until"),
)

review_rulings = Table(
    "review_rulings",
    metadata,
    Column("number", Serial, primary_key=True, autoincrement=True),
    Column("item_id", String(16), ForeignKey("review_items.id"), nullable=False),
    Column("on_claim", SmallInteger, nullable=False),
    Column("ruling", String(10), nullable=False),
    Column("was", String(30), nullable=False),
    Column("reviewer", String(200), nullable=False),
    Column("given_at", UtcTime, nullable=False),
    Column("content", Text, nullable=False),
    Index("ix_review_rulings_item", "item_id", "number"),
)

audit_records = Table(
    "audit_records",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("recorded_at", UtcTime, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("subject", Text, nullable=False),  # as in JSON, without the quotes
    Column("head", Text, nullable=False),
    Column("content", Text, nullable=True),
    Index("ix_audit_records_subject", "subject"),
    Index("ix_audit_records_recorded_at", "recorded_at"),
)
