"""Ten thousand items: the next one and the first page are read through an index, whatever else there is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from grounding_middleware.records import Report
from grounding_middleware.review import ReviewQueue, State
from grounding_middleware.review.rows import in_state, new
from grounding_middleware.store import Store
from grounding_middleware.store.tables import review_items as items

ITEMS = 10_000
NOW = datetime(2026, 5, 4, tzinfo=UTC)
ORDER = (items.c.rank, items.c.created_at, items.c.id)


@pytest.fixture
def full(database_url: str, report: Callable[..., Report]) -> Iterator[ReviewQueue]:
    """A thousand decided, a thousand leased at the top, the rest waiting."""
    row = new(report(notices=("n" * 2_000,)), "")
    states = {number: {"state": State.DECIDED} for number in range(1_000)}
    states |= {number: {"leased_until": NOW + timedelta(days=9_999), "rank": -9} for number in range(1_000, 2_000)}
    rows = [
        {
            **row,
            "id": f"{number:016}",
            "answer_id": f"a{number}",
            "leased_until": None,
            "created_at": NOW + timedelta(seconds=number * 7919 % ITEMS),
            **states.get(number, {}),
        }
        for number in range(ITEMS)
    ]
    with Store(database_url) as store:
        with store.writing() as connection:
            connection.execute(items.insert(), rows)
            connection.execute(sa.text("ANALYZE review_items"))
        yield ReviewQueue(store)


def plan(queue: ReviewQueue, query: sa.Select[tuple[str]]) -> str:
    """How the database would answer, in its own words."""
    with queue.store.reading() as connection:
        dialect = connection.dialect
        words = "EXPLAIN QUERY PLAN" if dialect.name == "sqlite" else "EXPLAIN"
        text = query.compile(dialect=dialect, compile_kwargs={"literal_binds": True})
        return "\n".join(str(row) for row in connection.exec_driver_sql(f"{words} {text}".replace("%%", "%")))


def processor_seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def test_the_next_item_and_the_first_page_come_from_the_index(full: ReviewQueue) -> None:
    """No scan of all items, no sorting."""
    first = sa.select(items.c.id).where(in_state(State.WAITING, NOW)).order_by(*ORDER).limit(1)
    page = sa.select(items.c.id).where(items.c.state == State.DECIDED).order_by(*ORDER).limit(50)
    anything = sa.select(items.c.id).order_by(*ORDER).limit(50)
    for query, index in ((first, "next"), (page, "next"), (anything, "all")):
        told = plan(full, query)
        assert f"ix_review_items_{index}" in told, told
        assert "B-TREE" not in told, told
        assert "Sort" not in told, told


def test_claims_and_lists_take_little_work(full: ReviewQueue) -> None:
    """Twenty claims, pages and figures: well under what reading ten thousand reports would take."""
    reading_all = processor_seconds(lambda: [full.case(item.id) for item in full.items(limit=100)]) * ITEMS / 100
    assert processor_seconds(lambda: [full.claim("ana") for _ in range(20)]) < reading_all / 20
    assert processor_seconds(lambda: [full.items(limit=50) for _ in range(20)]) < reading_all / 20
    assert processor_seconds(lambda: [full.stats() for _ in range(20)]) < reading_all / 20
