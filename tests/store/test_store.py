"""A store opens or says why not, never shows a password, and what it wrote is there for other processes."""

from __future__ import annotations

import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
import sqlalchemy as sa

from grounding_middleware import ConfigError
from grounding_middleware.store import Store
from grounding_middleware.store.database import database_time
from grounding_middleware.store.tables import review_items, review_rulings

PROCESSES = Path(__file__).with_name("processes.py")
ITEM = {"id": "1", "answer_id": "a", "report_sha256": "h", "action": "ok", "reason": "", "question": "", "rank": 0}
ITEM |= {"state": "waiting", "reviewer": "", "claims": 0, "unsupported": 0, "report": "{}"}


def added(store: Store, **changes: object) -> None:
    with store.writing() as connection:
        connection.execute(review_items.insert().values(**{**ITEM, "created_at": datetime.now(UTC), **changes}))


def added_twice(store: Store) -> None:
    with store.writing() as connection:
        for _ in range(2):
            connection.execute(review_items.insert().values(created_at=datetime.now(UTC), **ITEM))


def count(store: Store) -> int:
    with store.reading() as connection:
        return connection.execute(sa.select(sa.func.count()).select_from(review_items)).scalar_one()


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("", "no database URL"),
        ("grounding.db", "no database URL"),
        ("mysql://me:secret@host/db", "'mysql', allowed are sqlite, postgresql"),
        ("postgresql+nothing://me:secret@host/db", "no driver for postgresql"),
        ("sqlite://", "in-memory"),
        ("sqlite:///:memory:", "in-memory"),
        ("sqlite:////no/such/folder/grounding.db", "unable to open database file"),
        ("postgresql+psycopg://me:secret@/db?host=/no/such/folder", "cannot be used"),
    ],
)
def test_an_unusable_url_is_refused(url: str, told: str) -> None:
    """At construction, naming the field, without the password."""
    with pytest.raises(ConfigError, match=rf"^url: .*{told}") as caught:
        Store(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), "5", None])
def test_a_wrong_timeout_is_refused(timeout: object) -> None:
    """Waiting needs an end."""
    with pytest.raises(ConfigError, match=r"^timeout: "):
        Store("sqlite:///never-made.db", timeout=timeout)  # type: ignore[arg-type]
    assert not Path("never-made.db").exists()


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    """And left as it is."""
    path = tmp_path / "notes.txt"
    path.write_text("dear diary " * 1_000, "utf-8")
    with pytest.raises(ConfigError, match="file is not a database"):
        Store(f"sqlite:///{path}")
    assert path.read_text("utf-8") == "dear diary " * 1_000


def test_a_new_file_is_its_owners_alone(tmp_path: Path) -> None:
    """It holds questions and answers; so do the files beside it."""
    with Store(f"sqlite:///{tmp_path}/g.db") as store:
        added(store)
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert set(modes) == {"g.db", "g.db-wal", "g.db-shm"}
    assert set(modes.values()) == {0o600}


def test_what_raises_leaves_nothing(database_url: str) -> None:
    """A transaction is all or nothing."""
    with Store(database_url) as store:
        with pytest.raises(sa.exc.IntegrityError):
            added_twice(store)
        assert count(store) == 0


def test_readers_do_not_wait_for_a_writer(database_url: str) -> None:
    """They see what was there before."""
    with Store(database_url, timeout=5) as store:
        added(store)
        with store.writing() as connection:
            connection.execute(review_items.delete())
            assert count(store) == 1
        assert count(store) == 0


def test_a_writer_waits_for_its_turn_and_not_for_ever(tmp_path: Path) -> None:
    """SQLite has one writer at a time: the second one gets its turn, or an error after `timeout`."""
    url = f"sqlite:///{tmp_path}/g.db"
    with Store(url, timeout=0.2) as hasty, Store(url, timeout=30) as patient:
        with hasty.writing() as connection:
            with pytest.raises(sa.exc.OperationalError, match="locked"):
                added(hasty, id="2")
            waiting = threading.Thread(target=added, args=(patient,))
            waiting.start()
            connection.execute(review_items.delete())
        waiting.join()
        assert count(patient) == 1


def test_connections_are_not_shared_with_a_forked_process(database_url: str) -> None:
    """Web servers load an application and then fork; parent and child go on with connections of their own."""
    done = subprocess.run(
        [sys.executable, PROCESSES, "inherit", database_url, "1"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["inherited 101"]), done.stderr


@pytest.mark.parametrize("hours", [-11, 0, 14])
def test_times_are_utc_whatever_came_in(database_url: str, hours: int) -> None:
    """To the microsecond."""
    moment = datetime(2026, 3, 29, 1, 30, 0, 123_456, timezone(timedelta(hours=hours)))
    with Store(database_url) as store:
        added(store, created_at=moment)
        with store.reading() as connection:
            found = connection.execute(sa.select(review_items.c.created_at)).scalar_one()
    assert (found, found.tzinfo) == (moment, UTC)


def test_a_time_without_zone_is_refused(database_url: str) -> None:
    """Nobody knows when it was."""
    with Store(database_url) as store, pytest.raises(sa.exc.StatementError, match="has no time zone"):
        added(store, created_at=datetime(2026, 1, 1))  # noqa: DTZ001  # the fault under test


def test_the_clock_of_the_database(database_url: str) -> None:
    """Now, in UTC."""
    with Store(database_url) as store, store.reading() as connection:
        assert abs(database_time(connection) - datetime.now(UTC)) < timedelta(seconds=30)
        assert database_time(connection).tzinfo is UTC


@pytest.mark.parametrize("change", ["UPDATE review_rulings SET reviewer = 'eve'", "DELETE FROM review_rulings"])
def test_the_database_itself_keeps_rulings(database_url: str, change: str) -> None:
    """Whatever tool asks: a ruling is never changed or deleted."""
    ruling = {"item_id": "1", "on_claim": 0, "ruling": "agree", "was": "ok", "reviewer": "ana", "content": "{}"}
    with Store(database_url) as store:
        added(store)
        with store.writing() as connection:
            connection.execute(review_rulings.insert().values(given_at=datetime.now(UTC), **ruling))
        with pytest.raises(sa.exc.DBAPIError, match="review_rulings is append-only"), store.writing() as connection:
            connection.execute(sa.text(change))
