"""A purge takes contents out of the queue for good, and leaves what has to be accounted for."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa

from grounding_middleware.errors import InputError
from grounding_middleware.records import Report
from grounding_middleware.review import AnswerRuling, ClaimRuling, ReviewQueue, State, golden_cases

from .conftest import Clock

Reports = Callable[..., Report]


def decided(queue: ReviewQueue, report: Report) -> str:
    """An item that was ruled on, with a note and a quote."""
    item = queue.submit(report, reason="looked odd to Zebedee")
    queue.take(item, "ana")
    wrong = ClaimRuling(claim_id="c1", ruling="overrule", label="SUPPORTED", note="Zebedee said so")
    queue.decide(item, "ana", AnswerRuling(ruling="edit", text="Zebedee's own words"), [wrong])
    return item


def test_contents_go_and_the_account_stays(queue: ReviewQueue, clock: Clock, report: Reports) -> None:
    """Older items are handed out, shown and exported no more; counts, times and who ruled are still there."""
    old, waiting = decided(queue, report()), queue.submit(report("a2"))
    clock.forward(60)
    new = decided(queue, report("a3"))
    before = queue.stats().agreement
    done = queue.purge(datetime(2026, 5, 4, 12, 0, 30, tzinfo=UTC))
    assert (done.items, done.undecided) == (2, 1)
    found = {item.id: item for item in queue.items()}
    assert {found[old].state, found[waiting].state} == {State.PURGED}
    assert (found[old].reviewer, found[old].question, found[old].reason) == ("ana", "", "")
    assert found[old].decided is not None
    assert queue.claim("bob") is None
    for gone in (old, waiting):
        with pytest.raises(InputError, match="contents were purged"):
            queue.case(gone)
        with pytest.raises(InputError, match="contents were purged"):
            queue.take(gone, "bob")
    assert {case.id.partition("-")[0] for case in golden_cases(queue.decided())} == {new}
    assert queue.stats().agreement == before
    assert (queue.stats().purged, queue.stats().decided) == (2, 1)
    assert [item.id for item in queue.items(State.PURGED)] == sorted([old, waiting], key=list(found).index)


def test_a_second_purge_and_a_second_submission_change_nothing(
    queue: ReviewQueue, clock: Clock, report: Reports
) -> None:
    """What was purged does not come back when the same report is submitted again."""
    item = queue.submit(report())
    clock.forward(1)
    assert queue.purge(clock.now).items == 1
    assert queue.purge(clock.now).items == 0
    assert queue.submit(report()) == item
    assert queue.claim("ana") is None


def test_nothing_is_left_in_the_files(tmp_path: Path, clock: Clock, report: Reports) -> None:
    """Neither in the database nor in its log, byte for byte."""
    queue = ReviewQueue(f"sqlite:///{tmp_path / 'queue.db'}", clock=clock)
    decided(queue, report(question="Where does Zebedee live?"))
    clock.forward(1)
    files = lambda: b"".join(path.read_bytes() for path in tmp_path.iterdir())  # noqa: E731  # read twice
    assert b"Zebedee" in files()
    queue.purge(clock.now)
    assert b"Zebedee" not in files()
    assert b"Refunds take" not in files()


@pytest.mark.parametrize(
    "change",
    ["content = 'other'", "content = '', reviewer = 'eve'", "content = '', ruling = 'agree'", "content = NULL"],
)
def test_the_database_allows_nothing_but_emptying(queue: ReviewQueue, report: Reports, change: str) -> None:
    """Whatever tool asks: a ruling is emptied or stays as it is."""
    decided(queue, report())
    with pytest.raises(sa.exc.DBAPIError), queue.store.writing() as connection:
        connection.execute(sa.text(f"UPDATE review_rulings SET {change}"))  # noqa: S608  # our own words


@pytest.mark.parametrize("before", [None, "2026-01-01", datetime(2026, 1, 1)])  # noqa: DTZ001  # the fault under test
def test_a_moment_has_a_zone(queue: ReviewQueue, before: object) -> None:
    """Anything else is refused, and nothing is purged."""
    with pytest.raises(InputError, match="before: "):
        queue.purge(before)  # type: ignore[arg-type]
