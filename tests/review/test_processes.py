"""Many processes at once, and processes that die at any moment: nothing twice, nothing acknowledged lost."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import sqlalchemy as sa

from grounding_middleware.review import ReviewQueue, State
from grounding_middleware.store import Store
from grounding_middleware.store.tables import review_items

PROCESSES = Path(__file__).parents[1] / "store" / "processes.py"
KILLED = 100  # on each of the two databases


def run(scenario: str, url: str, count: int) -> list[str]:
    """Every line that was said, by whoever said it."""
    done = subprocess.run(
        [sys.executable, PROCESSES, scenario, url, str(count)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_eight_reviewers_never_take_the_same_item(database_url: str, report: object) -> None:
    """Each of 60 items is given out once, while half of the reviewers also decide."""
    with Store(database_url) as store:
        queue = ReviewQueue(store)
        ids = {queue.submit(report(f"a{number}")) for number in range(60)}  # type: ignore[operator]
        given = run("claim", database_url, 8)
        assert Counter(given) == Counter(ids)
        assert queue.claim("late") is None


def test_killed_processes_lose_nothing_acknowledged(database_url: str) -> None:
    """Writers die by kill -9, again and again: what they had acknowledged is there, and nothing is half there."""
    said: dict[str, list[str]] = {"submitted": [], "ruled": [], "decided": []}
    for line in run("killed", database_url, KILLED):
        what, item_id = line.split()
        said[what].append(item_id)
    with Store(database_url) as store:
        queue = ReviewQueue(store)
        cases = {item.id: queue.case(item.id) for item in queue.items(limit=1_000_000)}
        assert len(said["decided"]) > KILLED / 4  # they really worked
        assert set(said["submitted"]) <= cases.keys()
        assert all(cases[item_id].of_claim("1") for item_id in said["ruled"])
        assert {cases[item_id].item.state for item_id in said["decided"]} == {State.DECIDED}
        for case in cases.values():
            assert (case.item.state is State.DECIDED) == (case.of_answer is not None)
        if store.engine.dialect.name == "sqlite":
            with store.reading() as connection:
                assert connection.execute(sa.text("PRAGMA integrity_check")).scalar_one() == "ok"
        _everything_comes_back(queue)


def _everything_comes_back(queue: ReviewQueue) -> None:
    """What the dead held is given out again when their leases are over, once."""
    with queue.store.writing() as connection:
        connection.execute(review_items.update().values(leased_until=review_items.c.created_at))
    waiting = {item.id for item in queue.items("waiting", limit=1_000_000)}
    given = [case.item.id for case in iter(lambda: queue.claim("heir"), None)]
    assert Counter(given) == Counter(waiting)
