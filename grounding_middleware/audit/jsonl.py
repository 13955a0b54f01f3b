"""A trail in files: append-only JSON lines, one chain whoever writes, nothing acknowledged is lost.

`append` returns when the whole line is in the file (with `fsync="always"`: on the disk). A writer that dies in the
middle of a line leaves a torn end; the next one moves it to a `.torn` file, and then says so in the trail.
"""

from __future__ import annotations

import hashlib
import logging
import os
import time
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final, Literal, NamedTuple, get_args

from grounding_middleware.audit import emptying, segments
from grounding_middleware.audit.chain import dump, link
from grounding_middleware.audit.locking import locked, require_locks
from grounding_middleware.audit.reading import read
from grounding_middleware.audit.records import AuditRecord, Entry, RecordKind, Tip, now
from grounding_middleware.audit.verification import Placed
from grounding_middleware.errors import ConfigError
from grounding_middleware.records import Range

Fsync = Literal["always", "interval", "never"]
"""When a record is forced to the disk: before `append` returns, once in a while, or when the system likes.

Whatever it is, a killed process loses nothing acknowledged. A power failure may lose what was not forced.
"""

_APPEND: Final = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
_log = logging.getLogger(__name__)


class _Seen(NamedTuple):
    """The state of the last file when this object last looked; whoever else wrote since changed it."""

    path: Path
    inode: int
    size: int
    tip: Tip


class JsonlTrail:
    """Appends records to the trail in `folder`, which is made when it is not there.

    A file that reached `max_bytes` is closed and the chain goes on in the next one. `fsync_seconds` is the interval of
    `fsync="interval"`; the last records are forced at the next append, or by `close`. `lock_timeout` is how many
    seconds to wait for other writers. May be shared by threads and survive a fork. Raises `ConfigError` for a wrong
    setting, and on systems without POSIX locks.
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        max_bytes: int = 100_000_000,
        fsync: Fsync = "always",
        fsync_seconds: float = 1.0,
        lock_timeout: float = 30.0,
    ) -> None:
        require_locks()
        if fsync not in get_args(Fsync):
            raise ConfigError(f"JsonlTrail: fsync is {fsync!r}, allowed are {', '.join(get_args(Fsync))}")
        for name, value in (("max_bytes", max_bytes), ("fsync_seconds", fsync_seconds), ("lock_timeout", lock_timeout)):
            if not (isinstance(value, int | float) and value > 0):
                raise ConfigError(f"JsonlTrail: {name} is {value!r}, allowed is a positive number")
        self.folder = Path(folder)
        self._lock_timeout = lock_timeout
        self._max_bytes = max_bytes
        self._fsync = fsync
        self._fsync_seconds = fsync_seconds
        self._synced = time.monotonic()
        self._unsynced: Path | None = None
        self._seen: _Seen | None = None
        if self.folder.exists() and not self.folder.is_dir():
            raise ConfigError(f"JsonlTrail: {self.folder} is a file, allowed is a folder")
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def append(self, entry: Entry) -> AuditRecord:
        """The record of `entry`, safely written. Raises `OSError` when it cannot be; then nothing of it is left."""
        with locked(segments.lock_file(self.folder), self._lock_timeout):
            path, size, tip = self._end()
            record = link(entry, tip, now())
            if size >= self._max_bytes:
                self._sync(path, due=self._fsync != "never")
                path, size = segments.segment(self.folder, record.seq), 0
            self._write(path, f"{dump(record)}\n".encode("ascii"), size, record.tip)
        return record

    def records(self) -> Iterator[Placed]:
        """Every line of the trail, in order, one at a time."""
        return read(self.folder)

    def torn_before(self, moment: datetime) -> tuple[str, ...]:
        """Names of the files of torn lines last written to before `moment`."""
        files = sorted(self.folder.glob(f"*{segments.TORN}"))
        return tuple(path.name for path in files if path.stat().st_mtime < moment.timestamp())

    def empty(self, ranges: Sequence[Range], torn: Sequence[str]) -> None:
        """Take out the contents of records `first` to `last` of each range, and delete files of torn lines."""
        for name in torn:
            (self.folder / Path(name).name).unlink(missing_ok=True)
        emptying.empty(self.folder, ranges, self._lock_timeout)

    def close(self) -> None:
        """Force what the interval has not forced yet. The trail stays usable."""
        if self._unsynced:
            self._sync(self._unsynced, due=True)

    def _end(self) -> tuple[Path, int, Tip]:
        """The file to write to, its size and the tip of the chain, after torn lines were kept aside."""
        files = segments.segments(self.folder)
        if not files:
            return segments.segment(self.folder, 1), 0, Tip()
        path, state = files[-1], files[-1].stat()
        if self._seen and self._seen[:3] == (path, state.st_ino, state.st_size):
            return path, state.st_size, self._seen.tip
        if cut := segments.unfinished(path):
            return self._keep_aside(path, state.st_size - cut)
        return path, state.st_size, _tip(files)

    def _keep_aside(self, path: Path, whole: int) -> tuple[Path, int, Tip]:
        """Move what stands behind the first `whole` bytes to the torn file, and record that."""
        with path.open("r+b") as file:
            file.seek(whole)
            piece = file.read()
            _append_bytes(segments.torn_file(path), piece + b"\n", force=True)
            segments.sync_folder(self.folder)
            file.truncate(whole)
            os.fsync(file.fileno())
        _log.warning("audit: %d bytes of an unfinished record were moved to %s", len(piece), segments.torn_file(path))
        facts = {"file": path.name, "bytes": len(piece), "sha256": hashlib.sha256(piece).hexdigest()}
        record = link(Entry(kind=RecordKind.TORN, facts=facts), _tip(segments.segments(self.folder)), now())
        self._write(path, f"{dump(record)}\n".encode("ascii"), whole, record.tip)
        return path, path.stat().st_size, record.tip

    def _write(self, path: Path, line: bytes, size: int, tip: Tip) -> None:
        due = self._fsync == "always" or (
            self._fsync == "interval" and time.monotonic() - self._synced >= self._fsync_seconds
        )
        if size == 0 and self._fsync != "never":
            path.touch(0o600)
            segments.sync_folder(self.folder)
        inode = _append_bytes(path, line, force=due)
        self._seen = _Seen(path, inode, size + len(line), tip)
        self._unsynced = None if due else path
        self._synced = time.monotonic() if due else self._synced

    def _sync(self, path: Path, *, due: bool) -> None:
        if due and path.exists():
            with path.open("rb") as file:
                os.fsync(file.fileno())
        self._unsynced = None


def _tip(files: list[Path]) -> Tip:
    """The tip of the chain: the last record of the last file that has one."""
    for path in reversed(files):
        record = segments.last_record(path)
        if record:
            return record.tip
    return Tip()


def _append_bytes(path: Path, data: bytes, *, force: bool) -> int:
    """Write all of `data` to the end of the file, or leave it as it was; returns the file's inode."""
    descriptor = os.open(path, _APPEND, 0o600)
    try:
        before = os.fstat(descriptor)
        try:
            left = memoryview(data)
            while left:
                left = left[os.write(descriptor, left) :]
            if force:
                os.fsync(descriptor)
        except BaseException:  # an interrupt, too, must leave no half line; it goes on to the caller
            os.ftruncate(descriptor, before.st_size)
            raise
        return before.st_ino
    finally:
        os.close(descriptor)
