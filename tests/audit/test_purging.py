"""Purging: contents go for good, the chain still verifies, and nothing else is excused by it (AU-2)."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grounding_middleware import Report
from grounding_middleware.audit import (
    AuditSink,
    Entry,
    JsonlTrail,
    RecordKind,
    Verification,
    emptying,
    jsonl,
    purge,
    verify,
)
from grounding_middleware.audit.reading import read
from grounding_middleware.audit.records import AuditRecord
from grounding_middleware.errors import InputError

from .conftest import lines

Verify = Callable[[], Verification]
DAY = datetime(2026, 5, 4, tzinfo=UTC)


@pytest.fixture
def aged(tmp_path: Path, report: Report, monkeypatch: pytest.MonkeyPatch) -> JsonlTrail:
    """Ten answers, one a day, in several files."""
    trail = JsonlTrail(tmp_path / "trail", max_bytes=9_000, fsync="never")
    sink = AuditSink(trail)
    for day in range(10):
        monkeypatch.setattr(jsonl, "now", lambda day=day: DAY + timedelta(days=day))
        sink(report.model_copy(update={"answer_id": f"answer-{day}"}))
    return trail


def contents(trail: JsonlTrail) -> list[int]:
    return [one.seq for _, one in trail.records() if isinstance(one, AuditRecord) and one.content is not None]


def test_old_contents_go_and_the_chain_stays(aged: JsonlTrail) -> None:
    """Everything before the date loses its content, the rest keeps it; hashes, facts and numbers stay."""
    before = {one.seq: one for _, one in aged.records() if isinstance(one, AuditRecord)}
    done = purge(aged, before=DAY + timedelta(days=6))
    assert (done.contents, done.ranges) == (6, ((1, 6),))
    assert contents(aged) == [7, 8, 9, 10]
    result = verify(read(aged.folder), expect=before[10].tip)
    assert (result.intact, result.records, result.purged) == (True, 11, 6)
    for _, one in aged.records():
        assert isinstance(one, AuditRecord)
        if one.seq in before:
            assert one.replace(content=before[one.seq].content) == before[one.seq]


def test_nothing_of_a_purged_content_is_left(aged: JsonlTrail) -> None:
    """Not in any file of the folder."""
    purge(aged, before=DAY + timedelta(days=99))
    left = b"".join(path.read_bytes() for path in aged.folder.iterdir())
    assert b"ferry" not in left
    assert b"salt" not in left


def test_the_purge_is_on_record(aged: JsonlTrail) -> None:
    """Which records, by which date."""
    purge(aged, before=DAY + timedelta(days=6))
    last = [one for _, one in aged.records() if isinstance(one, AuditRecord)][-1]
    assert last.kind is RecordKind.PURGE
    assert last.facts["purged"] == [[1, 6]]
    assert last.facts["before"] == "2026-05-10T00:00:00+00:00"


def test_one_answer_can_be_purged(aged: JsonlTrail) -> None:
    """All records about it, whenever they were written, and no other."""
    aged.append(Entry(kind=RecordKind.ADJUDICATION, subject="answer-3", content={"note": "wrong"}))
    assert purge(aged, subject="answer-3").ranges == ((4, 4), (11, 11))
    assert contents(aged) == [1, 2, 3, 5, 6, 7, 8, 9, 10]
    assert verify(read(aged.folder)).intact


def test_purging_twice_does_nothing_twice(aged: JsonlTrail) -> None:
    """A second purge finds nothing, and writes nothing."""
    purge(aged, before=DAY + timedelta(days=6))
    count = len(lines(aged))
    assert purge(aged, before=DAY + timedelta(days=6)).contents == 0
    assert len(lines(aged)) == count


def test_something_must_be_selected(aged: JsonlTrail) -> None:
    """Without date and answer nothing is purged."""
    with pytest.raises(InputError, match="nothing is selected"):
        purge(aged)


def test_writing_goes_on_after_a_purge(aged: JsonlTrail) -> None:
    """Also by an object that was there before it, in the file that was rewritten."""
    aged.append(Entry(kind=RecordKind.ANSWER))
    purge(aged, before=DAY + timedelta(days=99))
    aged.append(Entry(kind=RecordKind.ANSWER, subject="after"))
    result = verify(read(aged.folder))
    assert (result.intact, result.records) == (True, 13)


def test_a_crash_between_record_and_purge_loses_nothing(aged: JsonlTrail, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is on record as purged and still there is sound; the next purge takes it out."""
    rewrite = emptying._rewrite
    calls: list[Path] = []

    def dying(path: Path, ranges: Any) -> None:
        calls.append(path)
        if len(calls) == 2:
            raise KeyboardInterrupt
        rewrite(path, ranges)

    with monkeypatch.context() as patched:
        patched.setattr(emptying, "_rewrite", dying)
        with pytest.raises(KeyboardInterrupt):
            purge(aged, before=DAY + timedelta(days=99))
    assert verify(read(aged.folder)).intact
    assert contents(aged)
    purge(aged, before=DAY + timedelta(days=99))
    assert contents(aged) == []
    assert verify(read(aged.folder)).intact


def test_a_half_written_file_of_a_crashed_purge_is_no_part_of_the_trail(aged: JsonlTrail) -> None:
    """It is ignored by readers and replaced by the next purge."""
    (aged.folder / "000000000001.new").write_text("half a line")
    assert verify(read(aged.folder)).intact
    purge(aged, before=DAY + timedelta(days=99))
    assert not list(aged.folder.glob("*.new"))


def test_a_changed_content_is_not_purged(aged: JsonlTrail) -> None:
    """It is the evidence of the change; the purge stops before it did anything."""
    path = sorted(aged.folder.glob("*.jsonl"))[1]
    path.write_text(path.read_text("ascii").replace("ferry", "furry", 1), "ascii")
    count = len(lines(aged))
    with pytest.raises(InputError, match=r"was changed; nothing was purged"):
        purge(aged, before=DAY + timedelta(days=99))
    assert len(lines(aged)) == count
    assert len(contents(aged)) == 10


def test_an_unreadable_line_stops_a_purge(aged: JsonlTrail) -> None:
    """As above, for what is no record at all."""
    path = min(aged.folder.glob("*.jsonl"))
    path.write_text("no record\n" + path.read_text("ascii"), "ascii")
    with pytest.raises(InputError, match=r"000000000001.jsonl:1 is no audit record.*nothing was purged"):
        purge(aged, before=DAY + timedelta(days=99))


def test_torn_lines_are_contents_too(aged: JsonlTrail) -> None:
    """Old files of torn lines are deleted with the contents of their time, and the record names them."""
    old, young = aged.folder / "000000000001.torn", aged.folder / "000000000002.torn"
    for path, day in ((old, 1), (young, 8)):
        path.write_text("half an answer")
        os.utime(path, ((DAY + timedelta(days=day)).timestamp(),) * 2)
    assert purge(aged, before=DAY + timedelta(days=6)).torn == (old.name,)
    assert (old.exists(), young.exists()) == (False, True)


def test_rewritten_files_still_belong_to_their_owner_alone(aged: JsonlTrail) -> None:
    """The new file has the rights of the old one."""
    purge(aged, before=DAY + timedelta(days=99))
    assert {stat.S_IMODE(path.stat().st_mode) for path in aged.folder.glob("*.jsonl")} == {0o600}


@pytest.fixture(scope="module")
def purged(tmp_path_factory: pytest.TempPathFactory, report: Report) -> tuple[JsonlTrail, bytes]:
    """Six answers in one file, the third and fourth purged."""
    trail = JsonlTrail(tmp_path_factory.mktemp("purged"), fsync="never")
    for number in range(6):
        AuditSink(trail)(report.model_copy(update={"answer_id": f"answer-{number // 2}"}))
    purge(trail, subject="answer-1")
    return trail, (trail.folder / "000000000001.jsonl").read_bytes()


@given(place=st.floats(0, 1, exclude_max=True), byte=st.integers(0, 255))
def test_a_changed_byte_is_found_after_a_purge(purged: tuple[JsonlTrail, bytes], place: float, byte: int) -> None:
    """In purged records, in others, and in the record of the purge itself."""
    trail, data = purged
    at = int(place * len(data))
    if data[at] == byte:
        return
    line = data.count(b"\n", 0, at) + 1
    (trail.folder / "000000000001.jsonl").write_bytes(data[:at] + bytes((byte,)) + data[at + 1 :])
    result = verify(read(trail.folder))
    places = [*(fault.place for fault in result.faults), result.torn]
    assert line in {spot.line for spot in places if spot}


def test_contents_may_not_go_beyond_what_is_on_record(purged: tuple[JsonlTrail, bytes]) -> None:
    """Who empties one record more than the purge names is found out."""
    trail, data = purged
    path = trail.folder / "000000000001.jsonl"
    rows = data.decode("ascii").splitlines()
    rows[4] = rows[2].replace(rows[2], rows[4].partition(',"content":')[0] + ',"content":null}')
    path.write_text("".join(f"{row}\n" for row in rows), "ascii")
    (fault,) = verify(read(trail.folder)).faults
    assert (fault.seq, "no purge is on record" in fault.problem) == (5, True)
    path.write_bytes(data)
