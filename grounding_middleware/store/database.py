"""`Store`: one migrated database and its two kinds of transactions."""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from typing import Self

from sqlalchemy import Connection, Engine, exc, text

from grounding_middleware.errors import ConfigError
from grounding_middleware.store.engines import WRITING, engine_for
from grounding_middleware.store.migrating import pending, upgrade

__all__ = ["Store"]


class Store:
    """A database whose tables are those of this version; threads, forked processes and other machines may share it.

    `url` is `sqlite:///FILE` or a PostgreSQL URL. With `migrate` its tables are brought to the newest revision first;
    without, a database that is behind is refused (for teams that migrate by hand). `timeout`: seconds to wait for a
    lock of others. Raises `ConfigError` for an unusable URL, and for a database that is newer than this code.
    """

    def __init__(self, url: str, *, migrate: bool = True, timeout: float = 30.0) -> None:
        if not (isinstance(timeout, int | float) and 0 < timeout <= 3_600):
            raise ConfigError(f"timeout: {timeout!r} is wrong, allowed are seconds from 0 to 3600")
        self.engine = engine_for(url, timeout)
        with ExitStack() as undo:
            undo.callback(self.engine.dispose)
            _prepare(self.engine, migrate=migrate)
            undo.pop_all()
        self._process = os.getpid()
        weakref.finalize(self, _closed, self.engine, self._process)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that only reads; on SQLite it waits for nobody."""
        with self._own_engine().connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that writes: when the block ends it is on disk, when it raises nothing happened."""
        with self._own_engine().execution_options(**WRITING).begin() as connection:
            yield connection

    def forget(self) -> None:
        """After a purge: what was overwritten is not left in SQLite's log. A server's own housekeeping does the same.

        While others read, the log stays until the next one.
        """
        if self.engine.dialect.name == "sqlite":
            with closing(self._own_engine().raw_connection()) as connection:
                connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close all connections; the store opens new ones when it is used again."""
        self.engine.dispose()

    def _own_engine(self) -> Engine:
        """The engine; a forked process (a web server's worker) first forgets the connections of its parent."""
        if self._process != os.getpid():
            self.engine.dispose(close=False)
            self._process = os.getpid()
        return self.engine

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _closed(engine: Engine, process: int) -> None:
    """Close what a forgotten store left open, in the process that opened it."""
    if os.getpid() == process:
        engine.dispose()


def _prepare(engine: Engine, *, migrate: bool) -> None:
    try:
        if migrate:
            upgrade(engine)
        elif missing := pending(engine):
            raise ConfigError(f"url: the database lacks revision {', '.join(missing)}; migrate=True adds it")
    except exc.DBAPIError as error:
        raise ConfigError(f"url: {engine.url!r} cannot be used: {str(error.orig).strip()}") from error


def database_time(connection: Connection) -> datetime:
    """Now, in UTC: the server's clock, so that leases of several machines agree; SQLite's users share one machine."""
    if connection.dialect.name == "sqlite":
        return datetime.now(UTC)
    moment: datetime = connection.execute(text("SELECT clock_timestamp()")).scalar_one()
    return moment.astimezone(UTC)
