"""The trail in files: what is acknowledged is there, whoever writes, and a crash leaves nothing half-written behind."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware import AnswerWithheldError, ConfigError, Grounder, Report
from grounding_middleware.audit import AuditSink, Entry, JsonlTrail, RecordKind, Verification, locking, verify
from grounding_middleware.audit.locking import locked
from grounding_middleware.audit.reading import read
from grounding_middleware.audit.records import AuditRecord
from grounding_middleware.errors import GroundingError, InputError

from .conftest import ANSWER, FERRY, QUIET, checked, lines

Verify = Callable[[], Verification]
ROOT = Path(__file__).parents[2]


def entry(subject: str = "a", size: int = 0) -> Entry:
    return Entry(kind=RecordKind.ANSWER, subject=subject, content={"text": "x" * size})


def subjects(trail: JsonlTrail) -> list[str]:
    return [found.subject for _, found in trail.records() if isinstance(found, AuditRecord)]


def test_records_follow_one_another(trail: JsonlTrail, verified: Verify) -> None:
    """Numbers from 1, each with the hash of the one before."""
    first, second = trail.append(entry()), trail.append(entry())
    assert (first.seq, second.seq, second.previous) == (1, 2, first.hash)
    assert verified().tip == second.tip


def test_a_trail_goes_on_where_it_stopped(trail: JsonlTrail, verified: Verify) -> None:
    """Another object, or another process, continues the chain."""
    trail.append(entry())
    JsonlTrail(trail.folder).append(entry())
    trail.append(entry())
    assert (verified().records, verified().intact) == (3, True)


def test_files_and_folder_belong_to_their_owner_alone(trail: JsonlTrail) -> None:
    """Nobody else may read what was asked and answered."""
    trail.append(entry())
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (trail.folder, *trail.folder.iterdir())}
    assert modes == {"trail": 0o700, "000000000001.jsonl": 0o600, ".lock": 0o600}


def test_the_chain_runs_across_files(tmp_path: Path) -> None:
    """A full file is closed; the next is named by its first record."""
    trail = JsonlTrail(tmp_path / "t", max_bytes=2_000)
    for number in range(9):
        trail.append(entry(str(number), 700))
    names = sorted(path.name for path in trail.folder.glob("*.jsonl"))
    assert names == [
        "000000000001.jsonl",
        "000000000003.jsonl",
        "000000000005.jsonl",
        "000000000007.jsonl",
        "000000000009.jsonl",
    ]
    result = verify(read(trail.folder))
    assert (result.intact, result.records) == (True, 9)
    assert verify(read(trail.folder / names[1]), start=None).records == 2


def test_a_missing_file_is_found(tmp_path: Path) -> None:
    """Its records are named, and where the next one stands."""
    trail = JsonlTrail(tmp_path / "t", max_bytes=2_000)
    for number in range(9):
        trail.append(entry(str(number), 700))
    (trail.folder / "000000000003.jsonl").unlink()
    (fault,) = verify(read(trail.folder)).faults
    assert "records 3 to 4 are missing" in fault.problem
    assert fault.place
    assert fault.place.file.endswith("000000000005.jsonl")


def test_a_torn_end_is_kept_aside_and_told(
    trail: JsonlTrail, verified: Verify, caplog: pytest.LogCaptureFixture
) -> None:
    """The unfinished line goes to a file of its own, the trail says so, and the chain goes on."""
    trail.append(entry("whole"))
    (path,) = trail.folder.glob("*.jsonl")
    with path.open("ab") as file:
        file.write(b'{"head":{"content_hash":"half')
    assert (verified().intact, verified().torn and verified().torn.line) == (True, 2)
    trail.append(entry("next"))
    assert [(found.kind, found.subject) for _, found in trail.records() if isinstance(found, AuditRecord)] == [
        ("answer", "whole"),
        ("torn", ""),
        ("answer", "next"),
    ]
    torn = path.with_suffix(".torn")
    assert torn.read_bytes() == b'{"head":{"content_hash":"half\n'
    assert stat.S_IMODE(torn.stat().st_mode) == 0o600
    assert "29 bytes of an unfinished record" in caplog.text
    assert (verified().intact, verified().torn) == (True, None)


@pytest.mark.parametrize("left", ["", "x", "\x00" * 5_000, '{"head":' + "9" * 200_000])
def test_a_torn_first_line_is_no_obstacle(trail: JsonlTrail, verified: Verify, left: str) -> None:
    """Also when nothing, or a lot, stands before the first line break."""
    (trail.folder / "000000000001.jsonl").write_text(left, "ascii")
    trail.append(entry())
    assert (verified().intact, verified().torn, verified().records) == (True, None, 2 if left else 1)


def test_an_empty_next_file_is_no_obstacle(trail: JsonlTrail, verified: Verify) -> None:
    """A writer that died right after it made the next file left an empty one."""
    trail.append(entry())
    (trail.folder / "000000000002.jsonl").touch()
    trail.append(entry())
    assert (verified().intact, verified().records) == (True, 2)


def test_nothing_is_linked_to_a_changed_record(trail: JsonlTrail) -> None:
    """A trail whose last record is not sound takes no further one: the answer is withheld instead."""
    trail.append(entry("first"))
    (path,) = trail.folder.glob("*.jsonl")
    path.write_text(path.read_text("ascii").replace('"subject":"first"', '"subject":"fir5t"'), "ascii")
    with pytest.raises(GroundingError, match="was changed; run `grounding audit verify`"):
        JsonlTrail(trail.folder).append(entry())
    path.write_bytes(b"no record\n")
    with pytest.raises(GroundingError, match="is no audit record; run `grounding audit verify`"):
        JsonlTrail(trail.folder).append(entry())


def test_a_failed_write_leaves_nothing(trail: JsonlTrail, verified: Verify, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk in the middle of a line: the error gets out, the file is as before, the next record fits."""
    trail.append(entry())
    before = lines(trail)
    write = os.write

    def full(descriptor: int, data: Any) -> int:
        if len(data) > 200:
            return write(descriptor, data[:200])
        raise OSError(errno.ENOSPC, "no space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", full)
        with pytest.raises(OSError, match="no space left"):
            trail.append(entry(size=450))
    assert lines(trail) == before
    trail.append(entry())
    assert (verified().intact, verified().records) == (True, 2)


def test_short_writes_are_continued(trail: JsonlTrail, verified: Verify, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system may take a line in pieces."""
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:7]))
    trail.append(entry(size=500))
    assert (verified().intact, verified().records) == (True, 1)


def test_an_answer_that_cannot_be_recorded_is_withheld(trail: JsonlTrail, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sink raises, so the reader gets nothing."""
    monkeypatch.setattr(os, "write", lambda *_: (_ for _ in ()).throw(OSError(errno.EROFS, "read-only file system")))
    with pytest.raises(AnswerWithheldError, match="read-only file system"):
        checked(sinks=(AuditSink(trail),))


@pytest.mark.parametrize(("policy", "forced"), [("always", 3), ("never", 0)])
def test_records_are_forced_to_the_disk_as_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, policy: Any, forced: int
) -> None:
    """`always`: before each append returns; `never`: not at all."""
    trail = JsonlTrail(tmp_path / "t", fsync=policy)
    synced = _count_syncs(monkeypatch)
    for _ in range(3):
        trail.append(entry())
    assert synced["file"] == forced
    assert synced["folder"] == (1 if forced else 0)


def test_an_interval_forces_now_and_then_and_at_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not before the interval is over; `close` forces the rest, once."""
    trail = JsonlTrail(tmp_path / "t", fsync="interval", fsync_seconds=3_600)
    synced = _count_syncs(monkeypatch)
    for _ in range(3):
        trail.append(entry())
    assert synced["file"] == 0
    trail.close()
    trail.close()
    assert synced["file"] == 1
    eager = JsonlTrail(tmp_path / "u", fsync="interval", fsync_seconds=1e-9)
    eager.append(entry())
    assert synced["file"] == 2


def _count_syncs(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    counts: Counter[str] = Counter()
    fsync = os.fsync

    def counted(descriptor: int) -> None:
        counts["folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file"] += 1
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", counted)
    return counts


def test_threads_write_one_chain(tmp_path: Path) -> None:
    """Eight threads, two objects, one chain, nothing lost."""
    trails = [JsonlTrail(tmp_path / "t", max_bytes=20_000, fsync="never") for _ in range(2)]
    start = threading.Barrier(8)

    def work(number: int) -> None:
        start.wait()
        for each in range(25):
            trails[number % 2].append(entry(f"{number}-{each}", 300))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Counter(subjects(trails[0])) == Counter(f"{number}-{each}" for number in range(8) for each in range(25))
    assert verify(read(tmp_path / "t")).intact


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (("--only", "crash", "--kills", "20"), "0 acknowledged lost, 0 faults"),
        (("--only", "writers", "--each", "40"), "0 lost, 0 doubled, 0 faults"),
    ],
)
def test_killed_and_crowding_processes_lose_nothing(part: tuple[str, ...], said: str) -> None:
    """Kill -9 at random moments and within lines; eight processes at once. The benchmark does it 200 times."""
    command = (sys.executable, str(ROOT / "benchmarks" / "bench_8_audit.py"), *part)
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, said in done.stdout) == (0, True), done.stdout + done.stderr


def test_waiting_for_others_ends(trail: JsonlTrail) -> None:
    """A writer that hangs costs the others their patience, not their answers' proof: they fail."""
    patient = JsonlTrail(trail.folder, lock_timeout=0.05)
    with locked(trail.folder / ".lock", 1.0), pytest.raises(TimeoutError, match="locked by others for"):
        patient.append(entry())
    assert patient.append(entry()).seq == 1


def test_a_reader_waits_for_the_line_that_is_being_written(trail: JsonlTrail) -> None:
    """While somebody writes, half a line is not taken for a torn one."""
    trail.append(entry("one"))
    (path,) = trail.folder.glob("*.jsonl")
    whole = path.read_bytes()
    seen: list[Verification] = []
    reader = threading.Thread(target=lambda: seen.append(verify(read(trail.folder))))
    with locked(trail.folder / ".lock", 1.0):
        path.write_bytes(whole[:50])
        reader.start()
        reader.join(0.05)
        assert not seen
        path.write_bytes(whole)
    reader.join()
    assert (seen[0].intact, seen[0].torn) == (True, None)


def test_what_is_written_while_reading_is_not_read(trail: JsonlTrail) -> None:
    """A reader sees the trail as it was when it began, so a recheck that appends comes to an end."""
    for _ in range(3):
        trail.append(entry())
    count = 0
    for _ in trail.records():
        trail.append(entry())
        count += 1
    assert count == 3


def test_an_object_survives_a_fork(trail: JsonlTrail) -> None:
    """Parent and child append to the same trail with the same object."""
    code = (
        "import os, sys\n"
        "from grounding_middleware.audit import Entry, JsonlTrail, RecordKind\n"
        "trail = JsonlTrail(sys.argv[1])\n"
        "trail.append(Entry(kind=RecordKind.ANSWER))\n"
        "child = os.fork()\n"
        "for _ in range(20): trail.append(Entry(kind=RecordKind.ANSWER))\n"
        "child and os.waitpid(child, 0)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(trail.folder)], check=True)
    result = verify(read(trail.folder))
    assert (result.intact, result.records) == (True, 41)


def test_there_is_nothing_to_read_where_no_trail_is(tmp_path: Path) -> None:
    """A folder without a trail is an error, not an intact trail."""
    with pytest.raises(InputError, match="holds no audit trail"):
        list(read(tmp_path))


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ({"fsync": "sometimes"}, "fsync is 'sometimes', allowed are always, interval, never"),
        ({"max_bytes": 0}, "max_bytes is 0, allowed is a positive number"),
        ({"fsync_seconds": -1}, "fsync_seconds is -1"),
        ({"lock_timeout": float("nan")}, "lock_timeout is nan"),
    ],
)
def test_wrong_settings_die_at_construction(tmp_path: Path, setting: dict[str, Any], said: str) -> None:
    """Field, value and what is allowed are named."""
    with pytest.raises(ConfigError, match=said):
        JsonlTrail(tmp_path, **setting)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    """A path that is a file is refused before anything is written."""
    (tmp_path / "t").touch()
    with pytest.raises(ConfigError, match="is a file, allowed is a folder"):
        JsonlTrail(tmp_path / "t")


def test_systems_without_locks_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where two writers could not be kept apart, there is no trail in files, and the message says what is allowed."""
    monkeypatch.setattr(locking, "fcntl", None)
    with pytest.raises(ConfigError, match="no flock; allowed here is a trail in a database"):
        JsonlTrail(tmp_path)


def test_a_copy_can_be_read_where_there_are_no_locks(trail: JsonlTrail, monkeypatch: pytest.MonkeyPatch) -> None:
    """Verifying writes nothing and needs no lock."""
    trail.append(entry())
    monkeypatch.setattr(locking, "fcntl", None)
    assert verify(read(trail.folder)).intact


def test_a_trail_whose_folder_is_gone_withholds_answers(trail: JsonlTrail) -> None:
    """It is not made anew behind the operator's back."""
    shutil.rmtree(trail.folder)
    with pytest.raises(AnswerWithheldError, match="No such file"):
        checked(sinks=(AuditSink(trail),))


def test_an_answer_is_recorded_before_it_is_shown(trail: JsonlTrail) -> None:
    """`check` returns after the record is there, with the report in it."""
    report = checked(sinks=(AuditSink(trail),))
    ((_, found),) = trail.records()
    assert isinstance(found, AuditRecord)
    assert Report.model_validate(found.data()["report"]) == report


async def test_recording_does_not_block_the_event_loop(trail: JsonlTrail) -> None:
    """`acheck` writes in a worker thread; the record is there when it returns."""
    threads: list[int] = []
    sink = AuditSink(trail)

    def watched(report: Report) -> None:
        threads.append(threading.get_ident())
        sink(report)

    await Grounder(policy=QUIET, sinks=[watched]).acheck(ANSWER, evidence=[FERRY])
    assert len(lines(trail)) == 1
    assert threads != [threading.get_ident()]
