"""Verdicts in a file, shared by processes and kept over restarts.

SQLite of the standard library: one file, safe for many processes, nothing to install. diskcache was the alternative; it
pickles what it keeps, so who can write the file can run code, and it has no queries to invalidate by source.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from grounding_middleware.errors import ConfigError
from grounding_middleware.judges.caching.verdicts import CachedVerdict, Stale

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS verdicts (
  number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, entry TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS sources (
  source_id TEXT NOT NULL, number INTEGER NOT NULL REFERENCES verdicts ON DELETE CASCADE,
  PRIMARY KEY (source_id, number)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS sources_of ON sources (number);
"""
_SETTINGS: Final = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;"
_BUSY: Final = 5.0  # seconds to wait for another process


class SqliteCache:
    """At most `max_entries` verdicts in the file `path`; the oldest go first. The file is its owner's alone.

    May be shared by threads and survives a fork. Raises `ConfigError` for a wrong setting, `sqlite3.Error` for a file
    that cannot be used.
    """

    name = "verdicts in SQLite"

    def __init__(self, path: str | Path, max_entries: int = 100_000) -> None:
        if max_entries < 1:
            raise ConfigError(f"SqliteCache: max_entries is {max_entries!r}, allowed is a positive number")
        self._path = Path(path)
        self._max_entries = max_entries
        self._lock = threading.Lock()
        self._process = 0
        self._connection: sqlite3.Connection | None = None
        os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
        with self._opened():
            pass  # makes the tables: a file that cannot be used is found out here

    def __len__(self) -> int:
        with self._opened() as connection:
            return int(connection.execute("SELECT count(*) FROM verdicts").fetchone()[0])

    def close(self) -> None:
        """Close the file; it is opened again when needed."""
        with self._lock:
            if self._connection and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    def load(self, keys: Iterable[str]) -> dict[str, CachedVerdict]:
        """The entries there are for `keys`; what cannot be read is as if it were not there."""
        with self._opened() as connection:
            query = "SELECT key, entry FROM verdicts WHERE key = ?"
            rows = [row for key in keys for row in connection.execute(query, (key,))]
        return {key: entry for key, text in rows if (entry := _entry(text))}

    def store(self, verdicts: Mapping[str, CachedVerdict]) -> None:
        """Keep `verdicts`."""
        with self._opened() as connection:
            for key, verdict in verdicts.items():
                connection.execute("DELETE FROM verdicts WHERE key = ?", (key,))
                cursor = connection.execute(
                    "INSERT INTO verdicts (key, entry) VALUES (?, ?)", (key, verdict.model_dump_json())
                )
                ids = {source.source_id for source in verdict.sources}
                connection.executemany("INSERT INTO sources VALUES (?, ?)", [(one, cursor.lastrowid) for one in ids])
            oldest = "SELECT number FROM verdicts ORDER BY number DESC LIMIT -1 OFFSET ?"
            connection.execute(f"DELETE FROM verdicts WHERE number IN ({oldest})", (self._max_entries,))  # noqa: S608  # our own text

    def invalidate(self, stale: Stale) -> int:
        """Remove the entries that fit `stale`, and those that cannot be read; how many those were."""
        with self._opened() as connection:
            gone = [(number,) for number, text in _candidates(connection, stale) if _fits(text, stale)]
            connection.executemany("DELETE FROM verdicts WHERE number = ?", gone)
        return len(gone)

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """The connection, in a transaction that is undone when something fails."""
        with self._lock:
            if self._connection is None or self._process != os.getpid():  # a connection must not cross a fork
                self._connection = sqlite3.connect(self._path, timeout=_BUSY, check_same_thread=False)
                self._process = os.getpid()
                self._connection.executescript(_SETTINGS + _SCHEMA)
            with self._connection:
                yield self._connection


def _candidates(connection: sqlite3.Connection, stale: Stale) -> Iterable[tuple[int, str]]:
    if stale.source_id is None:
        return connection.execute("SELECT number, entry FROM verdicts")
    query = "SELECT number, entry FROM verdicts JOIN sources USING (number) WHERE source_id = ?"
    return connection.execute(query, (stale.source_id,))


def _entry(text: str) -> CachedVerdict | None:
    try:
        return CachedVerdict.model_validate_json(text)
    except ValueError:
        return None


def _fits(text: str, stale: Stale) -> bool:
    entry = _entry(text)
    return entry is None or stale.fits(entry)
