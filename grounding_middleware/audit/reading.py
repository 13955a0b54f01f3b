"""Reading a trail line by line: memory stays flat however long it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, Final

from grounding_middleware.audit import segments
from grounding_middleware.audit.chain import load
from grounding_middleware.audit.locking import locked
from grounding_middleware.audit.records import AuditRecord
from grounding_middleware.audit.verification import Place, Placed, Unreadable
from grounding_middleware.errors import ConfigError, InputError

_LOCK_TIMEOUT: Final = 30.0


def read(path: Path) -> Iterator[Placed]:
    """Every line of a trail, a folder, or of one of its files, as it was when reading began.

    Raises `InputError` when there is no trail.
    """
    files = [path] if path.is_file() else segments.segments(path)
    if not files:
        raise InputError(f"{path}: holds no audit trail; allowed is its folder, or one of its files")
    with ExitStack() as opened:
        last, size = _opened_last(files[-1], opened)
        for file in files[:-1]:
            with file.open("rb") as lines:
                yield from _lines(file, lines, None)
        yield from _lines(files[-1], last, size)


def _opened_last(path: Path, opened: ExitStack) -> tuple[IO[bytes], int]:
    """The last file and its size while nobody writes, so that no half-written line is taken for a torn one."""
    with ExitStack() as held:
        with suppress(OSError, ConfigError):  # a copy of a trail has no lock file, some systems have no locks
            held.enter_context(locked(segments.lock_file(path.parent), _LOCK_TIMEOUT, shared=True))
        file = opened.enter_context(path.open("rb"))
        return file, path.stat().st_size


def _lines(path: Path, lines: IO[bytes], size: int | None) -> Iterator[Placed]:
    """The lines of one file; only the last file has a `size`, and only its end may be torn."""
    read_bytes = 0
    for number, line in enumerate(lines, 1):
        if size is not None and read_bytes >= size:
            return
        read_bytes += len(line)
        yield Place(file=str(path), line=number), _parsed(line, torn=size is not None)


def _parsed(line: bytes, *, torn: bool) -> AuditRecord | Unreadable:
    if not line.endswith(b"\n"):
        return Unreadable(reason="the line is unfinished", torn=torn)
    try:
        return load(line[:-1].decode("ascii"))
    except (InputError, UnicodeDecodeError) as error:
        return Unreadable(reason=str(error) if isinstance(error, InputError) else "holds bytes that no record has")
