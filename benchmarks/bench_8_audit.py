"""The audit trail under stress: killed writers, many writers, 100,000 records, changed bytes.

Prints figures; exits 1 when anything acknowledged is lost, or a change is not found.

    python benchmarks/bench_8_audit.py                       # all of it, some minutes
    python benchmarks/bench_8_audit.py --only crash --kills 20

Times are given twice, as wall clock and as processor time: on a busy machine only the second means something.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import logging
import os
import random
import resource
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import NoReturn

from grounding_middleware import Grounder, Policy, Report
from grounding_middleware.audit import AuditSink, Entry, JsonlTrail, RecordKind, purge, verify
from grounding_middleware.audit.reading import read
from grounding_middleware.audit.recheck import SourceChange, recheck
from grounding_middleware.audit.records import AuditRecord, now
from grounding_middleware.audit.replay import Skipped, policy_of, replay
from grounding_middleware.sources import read_sources

POLICY = Path(__file__).parents[1] / "examples" / "documents" / "contractor-expense-policy-2026.md"
ANSWER = (
    "Claims are submitted through the contractor portal [contractor-expense-policy#2]. A claim must be submitted "
    "within 45 days of the date on the receipt [contractor-expense-policy#3]. Alcohol is reimbursed "
    "[contractor-expense-policy#13]."
)
CITED = {"2", "3", "4", "7", "11", "13"}


def main() -> None:
    """Run what is asked for; the exit code is 1 when a promise was broken."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", choices=("crash", "writers", "volume", "changes"), action="append")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--each", type=int, default=250, help="records of each of eight writers")
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--changes", type=int, default=2_000)
    asked = parser.parse_args()
    parts: dict[str, Callable[[Path], bool]] = {
        "crash": lambda folder: crash(folder, asked.kills),
        "writers": lambda folder: writers(folder, 8, asked.each),
        "volume": lambda folder: volume(folder, asked.records),
        "changes": lambda folder: changes(folder, asked.changes),
    }
    logging.disable(logging.WARNING)  # one line for each torn end
    kept = True
    for name in asked.only or parts:
        with tempfile.TemporaryDirectory() as folder:
            kept = parts[name](Path(folder) / "trail") and kept
    sys.exit(0 if kept else 1)


def crash(folder: Path, kills: int) -> bool:
    """Kill a writer at work, again and again, on one trail; every acknowledged record must be there.

    Every second one is killed after a random time, the others behind a random byte of a line they are writing.
    """
    chance = random.Random(8)  # noqa: S311  # when to kill
    acknowledged: dict[int, str] = {}
    for number in range(kills):
        acknowledged |= killed_writer(folder, chance.uniform(0.01, 0.08), chance.random() if number % 2 else None)
    JsonlTrail(folder).append(Entry(kind=RecordKind.ANSWER, subject="after all crashes"))
    stored = {one.seq: one.hash for _, one in read(folder) if isinstance(one, AuditRecord)}
    lost = [seq for seq, digest in acknowledged.items() if stored.get(seq) != digest]
    result = verify(read(folder))
    torn = sum(path.read_bytes().count(b"\n") for path in folder.glob("*.torn"))
    print(
        f"crash: {kills} kills, {kills // 2} of them within a line; {len(acknowledged)} records acknowledged, "
        f"{len(stored)} stored, {torn} torn ends kept aside; {len(lost)} acknowledged lost, {result.fault_count} faults"
    )
    return not lost and result.intact and result.torn is None and torn >= kills // 2


def killed_writer(folder: Path, seconds: float, share: float | None) -> dict[int, str]:
    """Number and hash of every record a child acknowledged before it was killed; its records have 3 kB to 300 kB.

    With `share` it kills itself when so much of its third line is written, else it is killed after `seconds`.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        write_until_killed(JsonlTrail(folder, max_bytes=3_000_000, fsync="never"), writing, share)
    os.close(writing)
    if share is None:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
    with os.fdopen(reading) as pipe:
        whole = [line.split() for line in pipe.read().splitlines(keepends=True) if line.endswith("\n")]
    os.waitpid(child, 0)
    return {int(seq): digest for seq, digest in whole}


def write_until_killed(trail: JsonlTrail, acknowledgements: int, share: float | None) -> NoReturn:
    """Append records for ever, telling of each one that is safely written."""
    write = os.write

    def dying(descriptor: int, data: bytes) -> int:
        write(descriptor, data[: max(1, int(len(data) * (share or 1)))])
        os.kill(os.getpid(), signal.SIGKILL)
        return 0

    for number in itertools.count():
        if share is not None and number == 2:
            os.write = dying  # type: ignore[assignment]  # called with bytes alone
        size = 300_000 if number % 2 else 3_000
        record = trail.append(Entry.salted(RecordKind.ANSWER, f"{os.getpid()}-{number}", {}, {"text": "x" * size}))
        write(acknowledgements, f"{record.seq} {record.hash}\n".encode())
    raise AssertionError


def writers(folder: Path, processes: int, each: int) -> bool:
    """Many processes write at once, with small files so that they rotate; one chain must come out, with all of it."""
    begun = time.perf_counter()
    children = []
    for _ in range(processes):
        child = os.fork()
        if child == 0:
            trail = JsonlTrail(folder, max_bytes=100_000)
            for number in range(each):
                trail.append(Entry(kind=RecordKind.ANSWER, subject=f"{os.getpid()}-{number}"))
            os._exit(0)
        children.append(child)
    failed = [child for child in children if os.waitpid(child, 0)[1]]
    seconds = time.perf_counter() - begun
    result = verify(read(folder))
    subjects = [one.subject for _, one in read(folder) if isinstance(one, AuditRecord)]
    wanted = {f"{child}-{number}" for child in children for number in range(each)}
    print(
        f"writers: {processes} processes, {len(subjects)} records in {len(list(folder.glob('*.jsonl')))} files, each "
        f"forced to the disk, {len(subjects) / seconds:.0f} a second; {len(wanted - set(subjects))} lost, "
        f"{len(subjects) - len(set(subjects))} doubled, {result.fault_count} faults"
    )
    return not failed and result.intact and set(subjects) == wanted and len(subjects) == len(wanted)


def volume(folder: Path, count: int) -> bool:
    """Write rate, verification, replay, recheck and purge of many records, with the memory each of them takes."""
    report = sample()
    trail = JsonlTrail(folder, fsync="interval")
    sink = AuditSink(trail)
    with measured("write", count):
        for number in range(count):
            sink(report.model_copy(update={"answer_id": f"{number:016x}"}))
    size = sum(path.stat().st_size for path in folder.glob("*.jsonl"))
    print(f"  {size / 1e6:.0f} MB in {len(list(folder.glob('*.jsonl')))} files, {size / count / 1e3:.1f} kB a record")
    with measured("verify", count):
        result = verify(trail.records())
    strict = Policy.preset("high")
    with measured("replay under another policy", count):
        changed, relabelled = replayed(trail, strict)
    sampled = SourceChange(source_id="another-source", withdrawn=True)
    with measured("recheck of a source nothing rests on", count):
        resting = sum(1 for _ in recheck(trail, sampled, quiet()))
    half = sorted_times(folder)[count // 2]
    with measured("purge of the older half", count):
        done = purge(trail, before=half)
    with measured("verify after the purge", count):
        after = verify(trail.records())
    with measured("purge of the rest", count):
        rest = purge(trail, before=now())
    last = verify(trail.records(), expect=result.tip)
    left = sum(path.stat().st_size for path in folder.glob("*.jsonl"))
    print(
        f"  replay: {changed} answers change, {relabelled} verdicts; recheck: {resting}; purged {done.contents} + "
        f"{rest.contents}, {left / 1e6:.0f} MB left; {result.fault_count + after.fault_count + last.fault_count} faults"
    )
    return (
        result.intact and after.intact and last.intact and last.purged == count and changed == count and not relabelled
    )


def replayed(trail: JsonlTrail, policy: Policy) -> tuple[int, int]:
    """How many answers come out differently, and how many verdicts."""
    changed = relabelled = 0
    records = (one for _, one in trail.records() if isinstance(one, AuditRecord))
    for result in replay(records, policy_of(policy)):
        if not isinstance(result, Skipped):
            changed += result.changed
            relabelled += sum(claim.relabelled for claim in result.claims)
    return changed, relabelled


def sorted_times(folder: Path) -> list[datetime]:
    """When the records were written."""
    return sorted(one.time for _, one in read(folder) if isinstance(one, AuditRecord))


def changes(folder: Path, count: int) -> bool:
    """Change one byte of a trail in two files, again and again; the fault must name its file and line."""
    trail = JsonlTrail(folder, max_bytes=60_000)
    sink = AuditSink(trail)
    report = sample()
    for number in range(12):
        sink(report.model_copy(update={"answer_id": f"{number:016x}"}))
    purge(trail, subject=f"{3:016x}")
    files = sorted(folder.glob("*.jsonl"))
    originals = {path: path.read_bytes() for path in files}
    chance = random.Random(3)  # noqa: S311  # what to change
    missed = 0
    for _ in range(count):
        path = chance.choice(files)
        data = originals[path]
        at = chance.randrange(len(data))
        byte = chance.choice([one for one in range(256) if one != data[at]])
        path.write_bytes(data[:at] + bytes((byte,)) + data[at + 1 :])
        result = verify(read(folder))
        spots = {(spot.file, spot.line) for spot in [*(fault.place for fault in result.faults), result.torn] if spot}
        missed += (str(path), data.count(b"\n", 0, at) + 1) not in spots
        path.write_bytes(data)
    print(f"changes: {count} bytes changed in {len(files)} files, {missed} not found in their line")
    return missed == 0 and verify(read(folder)).intact


def sample() -> Report:
    """An ordinary answer on six passages: three claims, one of them wrong."""
    spans = [span for span in read_sources([str(POLICY)]) if span.id.partition("#")[2] in CITED]
    return quiet().check(ANSWER, evidence=spans, question="How are expenses claimed?")


def quiet() -> Grounder:
    """A grounder without a judge."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return Grounder()


@contextmanager
def measured(what: str, count: int) -> Iterator[None]:
    """Print seconds, rate and the growth of the highest memory use."""
    gc.collect()
    memory, wall, cpu = highest_memory(), time.perf_counter(), time.process_time()
    yield
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    grown = highest_memory() - memory
    print(
        f"  {what:<38}{wall:>8.1f} s clock{cpu:>8.1f} s processor{count / wall:>9.0f} a second"
        f"{cpu / count * 1e6:>7.0f} µs each, +{grown:.1f} MB of {highest_memory():.0f}"
    )


def highest_memory() -> float:
    """The most memory this process ever had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1_024 if sys.platform != "darwin" else 1_048_576)


if __name__ == "__main__":
    main()
