"""Files, SQLite and PostgreSQL are one trail: whoever writes, one chain, and any change of it is found."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from grounding_middleware import AnswerWithheldError, Grounder, GroundingError
from grounding_middleware.audit.answers import AuditSink, Trail, report_of
from grounding_middleware.audit.jsonl import JsonlTrail
from grounding_middleware.audit.purging import purge
from grounding_middleware.audit.records import AuditRecord, Entry, RecordKind
from grounding_middleware.audit.verification import verify
from grounding_middleware.records import Report
from grounding_middleware.store import Store
from grounding_middleware.store.audit import SqlTrail

PROCESSES = Path(__file__).with_name("processes.py")
HOSTILE = (
    "nul \x00, escape \x1b[2J, override \u202e, separator \u2028, emoji \U0001f525, 'quote'; DROP TABLE audit_records"
)


@pytest.fixture(params=["files", "sqlite", "postgresql"])
def open_trail(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Trail]]:
    """Opens the same trail again and again, as other processes would."""
    if request.param == "files":
        yield lambda: JsonlTrail(tmp_path / "trail")
        return
    url = request.getfixturevalue(f"{request.param}_url")
    stores: list[Store] = []

    def opened() -> Trail:
        stores.append(Store(url))
        return SqlTrail(stores[-1])

    yield opened
    for store in stores:
        store.close()


def report(number: int = 1) -> Report:
    return Grounder().check(f"The fee is {number} EUR [S1].", evidence=["The fee is 5 EUR."], question=HOSTILE)


def kept(trail: Trail) -> list[AuditRecord]:
    return [found for _, found in trail.records() if isinstance(found, AuditRecord)]


@pytest.mark.filterwarnings("ignore:policy 'standard' expects a judge:UserWarning")
class TestEveryTrail:
    """The same promises for all three."""

    def test_an_answer_comes_back_whole(self, open_trail: Callable[[], Trail]) -> None:
        """Whatever characters it holds."""
        given = report()
        AuditSink(open_trail())(given)
        (record,) = kept(open_trail())
        assert report_of(record) == given

    def test_the_chain_goes_on_whoever_opens_it(self, open_trail: Callable[[], Trail]) -> None:
        """Records are numbered from 1 without gaps, and the chain verifies up to the tip that was acknowledged."""
        first, second = open_trail(), open_trail()
        tips = [
            trail.append(Entry(kind=RecordKind.ANSWER, subject=str(n))).tip
            for n, trail in enumerate([first, second] * 3)
        ]
        done = verify(open_trail().records(), expect=tips[-1])
        assert (done.intact, done.records, done.tip) == (True, 6, tips[-1])
        assert [record.seq for record in kept(first)] == [1, 2, 3, 4, 5, 6]

    def test_times_do_not_go_through_a_local_zone(self, open_trail: Callable[[], Trail]) -> None:
        """They are UTC, to the microsecond."""
        record = open_trail().append(Entry(kind=RecordKind.ANSWER))
        assert abs(record.time - datetime.now(UTC)) < timedelta(seconds=30)
        assert kept(open_trail())[0].time == record.time

    def test_a_purge_leaves_a_chain_that_verifies(self, open_trail: Callable[[], Trail]) -> None:
        """And takes out the contents that it was asked to, those alone."""
        trail = open_trail()
        for number in (1, 2, 3):
            AuditSink(trail)(report(number))
        gone = kept(trail)[1]
        purge(trail, subject=gone.subject)  # type: ignore[arg-type]  # all three can be purged
        assert verify(open_trail().records()).intact
        assert [record.purged for record in kept(open_trail())] == [False, True, False, False]

    def test_an_append_that_fails_withholds_the_answer(
        self, open_trail: Callable[[], Trail], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """No proof, no answer."""
        trail = open_trail()
        monkeypatch.setattr(trail, "append", lambda _: 1 / 0)
        with pytest.raises(AnswerWithheldError, match="ZeroDivisionError"):
            Grounder(sinks=[AuditSink(trail)]).check("The fee is 5 EUR.", evidence=["The fee is 5 EUR."])


def fill(url: str, count: int) -> SqlTrail:
    trail = SqlTrail(url)
    for number in range(count):
        trail.append(
            Entry(kind=RecordKind.ANSWER, subject=f"a{number}", facts={"n": number}, content={"text": HOSTILE})
        )
    return trail


def tampered(trail: SqlTrail, change: str) -> list[str]:
    """What verification finds after the owner of the database dropped the triggers and changed something."""
    with trail.store.writing() as connection:
        names = ("audit_records_no_update", "audit_records_no_delete")
        on = "" if connection.dialect.name == "sqlite" else " ON audit_records"
        for name in names:
            connection.execute(sa.text(f"DROP TRIGGER {name}{on}"))
        connection.exec_driver_sql(change)
    return [f"{fault.seq}: {fault.problem}" for fault in verify(trail.records()).faults]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (
            "UPDATE audit_records SET content = replace(content, 'nul', 'one') WHERE seq = 2",
            "2: its content was changed",
        ),
        ("UPDATE audit_records SET content = NULL WHERE seq = 2", "2: its content is gone, and no purge is on record"),
        ("UPDATE audit_records SET head = replace(head, '\"n\":1', '\"n\":7') WHERE seq = 2", "2: was changed"),
        ("UPDATE audit_records SET subject = 'b' WHERE seq = 2", "None: row 2: its columns do not say"),
        ("UPDATE audit_records SET head = '{}' WHERE seq = 2", "None: row 2 is no audit record"),
        ("DELETE FROM audit_records WHERE seq = 2", "3: record 2 is missing before it"),
        ("DELETE FROM audit_records WHERE seq = 1", "2: record 1 is missing before it"),
    ],
)
def test_any_change_is_found(database_url: str, change: str, found: str) -> None:
    """And located, even when the owner of the database takes its own guards away."""
    with fill(database_url, 3).store as store:
        assert verify(SqlTrail(store).records()).intact
        faults = tampered(SqlTrail(store), change)
    assert any(fault.startswith(found) for fault in faults), faults


def test_a_cut_off_end_is_found_by_its_anchor(database_url: str) -> None:
    """A chain cannot know its own end; whoever kept the tip elsewhere does."""
    trail = fill(database_url, 3)
    with trail.store:
        tip = kept(trail)[-1].tip
        assert tampered(trail, "DELETE FROM audit_records WHERE seq = 3") == []
        assert not verify(trail.records(), expect=tip).intact


def test_nobody_continues_a_chain_whose_end_was_changed(database_url: str) -> None:
    """The next record would vouch for it."""
    trail = fill(database_url, 2)
    with trail.store:
        tampered(trail, "UPDATE audit_records SET head = replace(head, '\"n\":1', '\"n\":7') WHERE seq = 2")
        with pytest.raises(GroundingError, match="record 2, the last one, was changed"):
            trail.append(Entry(kind=RecordKind.ANSWER))


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE audit_records SET head = 'x' WHERE seq = 1",
        "UPDATE audit_records SET content = '{}' WHERE seq = 1",
        "UPDATE audit_records SET content = NULL, subject = 'b' WHERE seq = 1",
        "DELETE FROM audit_records WHERE seq = 1",
    ],
)
def test_the_database_itself_keeps_records(database_url: str, change: str) -> None:
    """Whatever tool asks: only content may go."""
    with fill(database_url, 1).store as store:
        with pytest.raises(sa.exc.DBAPIError, match="append-only"), store.writing() as connection:
            connection.execute(sa.text(change))
        with store.writing() as connection:
            connection.execute(sa.text("UPDATE audit_records SET content = NULL WHERE seq = 1"))


def test_eight_processes_write_one_chain(database_url: str) -> None:
    """Nothing acknowledged is lost, no number is given twice."""
    done = subprocess.run(
        [sys.executable, PROCESSES, "append", database_url, "8"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert sorted(map(int, done.stdout.split())) == list(range(1, 81))
    with Store(database_url) as store:
        found = verify(SqlTrail(store).records())
    assert (found.intact, found.records) == (True, 80)
