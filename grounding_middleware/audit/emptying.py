"""Taking contents out of the files of a trail, line by line.

Each file is written anew beside the old one and takes its place in one step, so a crash leaves the one or the other.
Writers are held up only while the last file is rewritten.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from grounding_middleware.audit import segments
from grounding_middleware.audit.chain import dump, load
from grounding_middleware.audit.locking import locked
from grounding_middleware.records import Range

_OTHERS: Final = 3_600.0  # seconds to wait for another purge


def empty(folder: Path, ranges: Sequence[Range], lock_timeout: float) -> None:
    """Rewrite every file that holds a record in `ranges`, in order and apart, without the contents of those."""
    with locked(folder / ".purge", _OTHERS):
        files = segments.segments(folder)
        for path, following in zip(files, (*files[1:], None), strict=True):
            last = None if following is None else int(following.stem) - 1
            if _touches(int(path.stem), last, ranges):
                _empty_file(path, ranges, lock_timeout)
        segments.sync_folder(folder)


def _touches(first: int, last: int | None, ranges: Sequence[Range]) -> bool:
    return any(high >= first and (last is None or low <= last) for low, high in ranges)


def _empty_file(path: Path, ranges: Sequence[Range], lock_timeout: float) -> None:
    with locked(segments.lock_file(path.parent), lock_timeout):
        if path == segments.segments(path.parent)[-1]:
            _rewrite(path, ranges)
            return
    _rewrite(path, ranges)  # closed for good: nobody writes to it


def _rewrite(path: Path, ranges: Sequence[Range]) -> None:
    emptied = path.with_suffix(".new")
    emptied.unlink(missing_ok=True)
    descriptor = os.open(emptied, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with path.open("rb") as lines, os.fdopen(descriptor, "wb") as file:
        file.writelines(_emptied(line, ranges) for line in lines)
        file.flush()
        os.fsync(file.fileno())
    emptied.replace(path)


def _emptied(line: bytes, ranges: Sequence[Range]) -> bytes:
    if not line.endswith(b"\n"):  # torn since the purge began; its writer never acknowledged it
        return line
    record = load(line[:-1].decode("ascii"))
    if record.content is None or not _within(record.seq, ranges):
        return line
    return f"{dump(record.model_copy(update={'content': None}))}\n".encode("ascii")


def _within(seq: int, ranges: Sequence[Range]) -> bool:
    at = bisect_left(ranges, seq, key=lambda pair: pair[1])
    return at < len(ranges) and ranges[at][0] <= seq
