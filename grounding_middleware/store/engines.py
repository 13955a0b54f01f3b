"""An engine from a URL: durable, and with write transactions that exclude each other on SQLite, too."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import ExitStack, closing, suppress
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event, exc, make_url

from grounding_middleware.errors import ConfigError

__all__ = ["WRITING", "engine_for"]

WRITING: Final = {"sqlite_begin": "BEGIN IMMEDIATE"}
"""Execution options of a transaction that writes: on SQLite it waits for its turn at the start, not in the middle."""

_DRIVERS: Final = {"sqlite": "", "postgresql": 'pip install "psycopg[binary]" and write postgresql+psycopg://...'}
_RETRY_SECONDS: Final = 0.02


def engine_for(url: str, timeout: float) -> Engine:
    """The engine of `url`; waits at most `timeout` seconds for a lock that another process holds.

    Raises `ConfigError` for a URL that cannot be used; a password in it is never part of the message.
    """
    parsed = _parsed(url)
    sqlite = parsed.get_backend_name() == "sqlite"
    try:
        engine = create_engine(parsed, pool_pre_ping=not sqlite, connect_args={"timeout": timeout} if sqlite else {})
    except (ModuleNotFoundError, exc.NoSuchModuleError) as error:
        raise ConfigError(f"url: no driver for {_shown(parsed)}: {error}; {_DRIVERS['postgresql']}") from error
    event.listen(engine, "connect", _Opening(timeout, sqlite=sqlite))
    if sqlite:
        event.listen(engine, "begin", _begin)
        _private(parsed.database or "")
    return engine


def _private(file: str) -> None:
    """Make a new file readable by its owner alone; SQLite gives the files beside it the same rights."""
    with suppress(OSError):  # what keeps it from being made, SQLite will tell
        os.close(os.open(file, os.O_CREAT | os.O_RDWR | getattr(os, "O_CLOEXEC", 0), 0o600))


def _parsed(url: str) -> URL:
    try:
        parsed = make_url(url)
    except (exc.ArgumentError, ValueError, AttributeError):
        raise ConfigError("url: no database URL; allowed is sqlite:///FILE or postgresql+psycopg://...") from None
    backend = parsed.get_backend_name()
    if backend not in _DRIVERS:
        raise ConfigError(f"url: database is {backend!r}, allowed are {', '.join(_DRIVERS)}")
    if backend == "sqlite" and (parsed.database or ":memory:") == ":memory:":
        raise ConfigError("url: an in-memory database is lost with its process; allowed is sqlite:///FILE")
    return parsed


def _shown(url: URL) -> str:
    return url.render_as_string(hide_password=True)


class _Opening:
    """Sets up each new connection: SQLite for several processes and for power cuts, PostgreSQL to wait in bounds."""

    def __init__(self, timeout: float, *, sqlite: bool) -> None:
        self._timeout = timeout
        self._sqlite = sqlite

    def __call__(self, connection: Any, _: Any) -> None:
        with ExitStack() as undo:
            undo.callback(connection.close)
            with closing(connection.cursor()) as cursor:
                (self._sqlite_session if self._sqlite else self._server_session)(connection, cursor)
            undo.pop_all()

    def _sqlite_session(self, connection: Any, cursor: Any) -> None:
        connection.isolation_level = None  # the driver starts no transactions of its own; `_begin` does
        _write_ahead(cursor, self._timeout)
        cursor.execute("PRAGMA synchronous=FULL")  # what was acknowledged survives a power cut
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.execute("PRAGMA secure_delete=ON")  # what was purged is not left behind in the file

    def _server_session(self, connection: Any, cursor: Any) -> None:
        cursor.execute(f"SET lock_timeout = {max(1, int(self._timeout * 1_000))}")
        connection.commit()


def _write_ahead(cursor: sqlite3.Cursor, timeout: float) -> None:
    """Switch to a write-ahead log. SQLite refuses that at once while others open the same new file, so try again."""
    end = time.monotonic() + timeout
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > end:
                raise
            time.sleep(_RETRY_SECONDS)
        else:
            return


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get("sqlite_begin", "BEGIN"))
