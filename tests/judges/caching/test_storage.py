"""Verdicts at rest: kept as they were, bounded, invalidated by what they rest on, shared by threads and processes."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware import ConfigError, Label
from grounding_middleware.judges import Opinion
from grounding_middleware.judges.caching import (
    CachedVerdict,
    MemoryCache,
    SqliteCache,
    Stale,
    VerdictCache,
)
from grounding_middleware.judges.caching.verdicts import SourceState
from grounding_middleware.records import Quote

DAY = datetime(2026, 5, 4, 12, tzinfo=UTC)


def entry(source: str = "s", version: str = "1", **more: Any) -> CachedVerdict:
    state = {name: more.pop(name) for name in ("effective_to", "audience") if name in more}
    quote = Quote(span_id="S1", start=0, end=4, text="Dogs")
    opinion = Opinion(claim_id="x", label=Label.SUPPORTED, quotes=(quote,), reason="because")
    sources = (SourceState(source_id="always"), SourceState(source_id=source, version=version, **state))
    return CachedVerdict(opinion=opinion, judged=more.pop("judged", DAY), sources=sources, **more)


@pytest.mark.parametrize(
    ("stale", "gone"),
    [
        ({"source_id": "s"}, "ab"),
        ({"source_id": "s", "version": "2"}, "b"),
        ({"version": "2"}, "b"),
        ({"source_id": "t"}, "cd"),
        ({"source_id": "always"}, "abcd"),
        ({"source_id": "nowhere"}, ""),
        ({"access": {"user": "ann"}}, "ac"),
        ({"access": {"user": ["bob", "ann"]}}, "abc"),
        ({"access": {"tenant": "acme"}}, "d"),
        ({"expired_on": date(2026, 6, 1)}, "c"),
        ({"expired_on": date(2026, 5, 31)}, ""),
        ({"judged_before": DAY}, "d"),
        ({"source_id": "s", "access": {"user": "ann"}}, "a"),
        ({"source_id": "s", "expired_on": date(2026, 6, 1)}, ""),
        ({"source_id": "t", "judged_before": DAY}, "d"),
    ],
    ids=str,
)
def test_entries_are_invalidated_by_source_version_access_and_date(
    cache: VerdictCache, stale: dict[str, Any], gone: str
) -> None:
    """Exactly those that fit everything that is given."""
    entries = {
        "a": entry(requester={"user": "ann"}),
        "b": entry(version="2", requester={"user": ["bob", "eve"]}),
        "c": entry("t", effective_to=date(2026, 5, 31), requester={"user": "ann"}),
        "d": entry("t", audience={"tenant": ["acme"]}, judged=DAY - timedelta(days=1)),
    }
    cache.store(entries)
    assert cache.invalidate(Stale(**stale)) == len(gone)
    assert set(cache.load(entries)) == set(entries) - set(gone)


def test_an_invalidation_of_everything_must_be_said() -> None:
    """Nothing given is an error, not everything."""
    with pytest.raises(ConfigError, match="nothing is given"):
        Stale()


def test_what_is_kept_comes_back_as_it_was(cache: VerdictCache) -> None:
    """Every field; a key kept twice has the later entry."""
    kept = entry(requester={"user": "ann"}, as_of=date(2026, 5, 4))
    cache.store({"k": entry("old")})
    cache.store({"k": kept})
    assert cache.load(["k", "unknown"]) == {"k": kept}


@pytest.mark.parametrize("make", [MemoryCache, SqliteCache])
def test_a_cache_is_bounded(make: Any, tmp_path: Path) -> None:
    """The oldest entries go first."""
    cache = MemoryCache(3) if make is MemoryCache else SqliteCache(tmp_path / "v.db", 3)
    for name in "abcde":
        cache.store({name: entry()})
    assert len(cache) == 3
    assert set(cache.load("abcde")) == set("cde")
    with pytest.raises(ConfigError, match="max_entries is 0"):
        make(*((0,) if make is MemoryCache else (tmp_path / "v.db", 0)))


def test_what_is_used_stays_in_memory() -> None:
    """The least recently used goes first."""
    cache = MemoryCache(2)
    cache.store({"a": entry(), "b": entry()})
    cache.load(["a"])
    cache.store({"c": entry()})
    assert set(cache.load("abc")) == {"a", "c"}


def test_entries_survive_a_restart_in_a_file_of_ones_own(tmp_path: Path) -> None:
    """Another object finds them; nobody else may read the file."""
    path = tmp_path / "v.db"
    first = SqliteCache(path)
    first.store({"k": entry()})
    first.close()
    assert set(SqliteCache(path).load(["k"])) == {"k"}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_an_unreadable_entry_is_none(tmp_path: Path) -> None:
    """A file of a later version, or a damaged one, gives no verdict; it goes with the next invalidation."""
    cache = SqliteCache(tmp_path / "v.db")
    cache.store({"k": entry()})
    with sqlite3.connect(tmp_path / "v.db") as other:
        other.execute("UPDATE verdicts SET entry = '{}'")
    other.close()
    assert cache.load(["k"]) == {}
    assert cache.invalidate(Stale(judged_before=DAY)) == 1


def test_a_file_that_is_no_cache_is_refused(tmp_path: Path) -> None:
    """At construction, not at the first answer."""
    (tmp_path / "v.db").write_text("no database, but long enough to look like one " * 30)
    with pytest.raises(sqlite3.DatabaseError):
        SqliteCache(tmp_path / "v.db")


def test_processes_and_forks_share_a_file(tmp_path: Path) -> None:
    """Parent and child write at once with one object, and nothing is lost."""
    code = (
        "import os, sys\n"
        "from grounding_middleware.judges.caching import SqliteCache\n"
        "from grounding_middleware.judges.caching.verdicts import CachedVerdict\n"
        "from pathlib import Path\n"
        "entry = CachedVerdict.model_validate_json(sys.argv[2])\n"
        "cache = SqliteCache(sys.argv[1])\n"
        "child = os.fork()\n"
        "for number in range(50): cache.store({f'{bool(child)}{number}': entry})\n"
        "failed = child and os.waitpid(child, 0)[1]\n"
        "print(len(cache)) if child else os._exit(0)\n"
        "sys.exit(bool(failed))\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "v.db"), entry().model_dump_json()]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)
    assert (done.returncode, done.stdout) == (0, "100\n"), done.stderr


def test_threads_share_a_cache(cache: VerdictCache) -> None:
    """Eight threads read, write and invalidate at once; nothing breaks, and what stays is right."""
    errors: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for each in range(20):
                cache.store({f"{number}-{each}": entry(f"s{number}")})
                assert cache.load([f"{number}-{each}"])
            cache.invalidate(Stale(source_id=f"s{number}")) if number % 2 else None
        except BaseException as error:  # noqa: BLE001  # handed to the test
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert len(cache) == 80  # type: ignore[arg-type]
