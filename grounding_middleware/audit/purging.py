"""Taking contents out of a trail so that the chain still verifies (SPEC AU-2).

First the purge is recorded, then the contents go: a crash in between leaves contents that a second purge takes out, and
never a content that is gone without a record of why. Writers are held up only while the last file is rewritten.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from grounding_middleware.audit import segments
from grounding_middleware.audit.chain import dump, is_sound, load
from grounding_middleware.audit.jsonl import JsonlTrail
from grounding_middleware.audit.locking import locked
from grounding_middleware.audit.reading import read
from grounding_middleware.audit.records import AuditRecord, Entry, RecordKind
from grounding_middleware.errors import InputError
from grounding_middleware.records import Range, Record

_OTHER_PURGES: Final = 3_600.0  # seconds to wait for another purge


class Purge(Record):
    """What a purge did: how many contents it took out, of which records, and which files of torn lines it deleted."""

    contents: int = 0
    ranges: tuple[Range, ...] = ()
    torn_files: tuple[str, ...] = ()


def purge(trail: JsonlTrail, *, before: datetime | None = None, subject: str | None = None) -> Purge:
    """Take out the contents of all records written before a moment, or of all about one answer, or both at once.

    Hashes, labels, counts, source names and versions stay. Files of torn lines older than `before` are deleted, too.
    Raises `InputError` when nothing is selected, and for a record that was changed: its content is evidence.
    """
    if before is None and subject is None:
        raise InputError("purge: nothing is selected; allowed are a date, an answer, or both")

    def selected(record: AuditRecord) -> bool:
        in_time = before is None or record.time < before
        return in_time and subject in (None, record.subject)

    with locked(trail.folder / ".purge", _OTHER_PURGES):
        contents, ranges = _found(trail.folder, selected)
        torn = _old_torn(trail.folder, before) if before and subject is None else ()
        done = Purge(contents=contents, ranges=ranges, torn_files=tuple(path.name for path in torn))
        if not (ranges or torn):
            return done
        trail.append(Entry(kind=RecordKind.PURGE, subject=subject or "", facts=_facts(done, before)))
        for path in segments.segments(trail.folder):
            _empty(trail, path, ranges)
        for path in torn:
            path.unlink()
        segments.sync_folder(trail.folder)
    return done


def _facts(done: Purge, before: datetime | None) -> dict[str, Any]:
    moment = {"before": before.astimezone(UTC).isoformat()} if before else {}
    return {"purged": [list(pair) for pair in done.ranges], "torn_files": list(done.torn_files), **moment}


def _found(folder: Path, selected: Callable[[AuditRecord], bool]) -> tuple[int, tuple[Range, ...]]:
    """How many contents to take out, and the numbers of their records as ranges `(first, last)`.

    A range runs on over records that are selected and have no content, so that there are few of them.
    """
    contents, ranges, open_ended = 0, list[Range](), False
    for place, found in read(folder):
        if not isinstance(found, AuditRecord):
            if found.torn:
                continue
            raise InputError(f"purge: {place} {found.reason}; run `grounding audit verify`, nothing was purged")
        if not selected(found):
            open_ended = False
        elif found.content is not None:
            if not is_sound(found):
                raise InputError(f"purge: record {found.seq} ({place}) was changed; nothing was purged")
            contents += 1
            first = ranges.pop()[0] if open_ended else found.seq
            ranges.append((first, found.seq))
            open_ended = True
    return contents, tuple(ranges)


def _old_torn(folder: Path, before: datetime) -> tuple[Path, ...]:
    files = sorted(folder.glob(f"*{segments.TORN}"))
    return tuple(path for path in files if path.stat().st_mtime < before.timestamp())


def _empty(trail: JsonlTrail, path: Path, ranges: tuple[Range, ...]) -> None:
    """Rewrite one file without the contents in `ranges`; the file that is written to only while nobody writes."""
    first = int(path.stem)
    if not any(last >= first for _, last in ranges):
        return
    with locked(segments.lock_file(trail.folder), trail.lock_timeout):
        if path == segments.segments(trail.folder)[-1]:
            _rewrite(path, ranges)
            return
    _rewrite(path, ranges)


def _rewrite(path: Path, ranges: tuple[Range, ...]) -> None:
    emptied = path.with_suffix(".new")
    emptied.unlink(missing_ok=True)
    descriptor = os.open(emptied, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    changed = False
    with path.open("rb") as lines, os.fdopen(descriptor, "wb") as file:
        for line in lines:
            kept = _emptied(line, ranges)
            changed = changed or kept is not line
            file.write(kept)
        file.flush()
        os.fsync(file.fileno())
    if changed:
        emptied.replace(path)
    else:
        emptied.unlink()


def _emptied(line: bytes, ranges: tuple[Range, ...]) -> bytes:
    if not line.endswith(b"\n"):  # torn since the purge began; its writer never acknowledged it
        return line
    record = load(line[:-1].decode("ascii"))
    if record.content is None or not _within(record.seq, ranges):
        return line
    return f"{dump(record.model_copy(update={'content': None}))}\n".encode("ascii")


def _within(seq: int, ranges: tuple[Range, ...]) -> bool:
    return any(first <= seq <= last for first, last in _nearby(seq, ranges))


def _nearby(seq: int, ranges: tuple[Range, ...]) -> Iterator[Range]:
    """The one range that may hold `seq`, found by bisection: a purge by answer can have many."""
    low, high = 0, len(ranges)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if ranges[middle][1] < seq else (low, middle)
    yield from ranges[low : low + 1]
