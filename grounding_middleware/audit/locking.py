"""One writer at a time, across threads and processes.

`flock` on a file of its own: 2 µs when nobody else writes, released by the kernel when a process dies, and each opening
of the file excludes every other, also of the same process and of forked ones. filelock was measured: 260 µs a lock and
110 ms to import. `flock` is POSIX; elsewhere the trail in files refuses to be made, and the one in a database works.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from grounding_middleware.errors import ConfigError

try:
    import fcntl
except ModuleNotFoundError:  # Windows
    fcntl = None  # type: ignore[assignment]

_FIRST_WAIT: Final = 0.0002  # seconds; a record is written in less
_LONGEST_WAIT: Final = 0.005


def require_locks() -> None:
    """Raise `ConfigError` where there is no `flock`."""
    if fcntl is None:
        raise ConfigError("audit: this system has no flock; allowed here is a trail in a database")


@contextmanager
def locked(path: Path, timeout: float, *, shared: bool = False) -> Iterator[None]:
    """Hold the lock file `path`; `TimeoutError` when others hold it for `timeout` seconds. Readers share it."""
    require_locks()
    flags = os.O_RDONLY if shared else os.O_RDWR | os.O_CREAT
    descriptor = os.open(path, flags | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        _acquire(descriptor, fcntl.LOCK_SH if shared else fcntl.LOCK_EX, path, timeout)
        yield
    finally:
        os.close(descriptor)  # releases the lock


def _acquire(descriptor: int, mode: int, path: Path, timeout: float) -> None:
    deadline = time.monotonic() + timeout
    wait = _FIRST_WAIT
    while True:
        try:
            fcntl.flock(descriptor, mode | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise TimeoutError(f"audit: {path} was locked by others for {timeout:g} seconds") from None
            time.sleep(wait)
            wait = min(wait * 2, _LONGEST_WAIT)
        else:
            return
