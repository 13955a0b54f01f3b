"""The files of a trail: a folder with one file for each stretch of records, named by the number of its first.

    trail/000000000001.jsonl  trail/000000004812.jsonl  trail/.lock  trail/000000004812.torn

The last file is written to, the others are closed. No file is ever renamed to another number, so a name says what
should stand in it. Files and folder are readable by their owner alone.
"""

from __future__ import annotations

import os
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from grounding_middleware.audit.chain import is_sound, load
from grounding_middleware.audit.records import AuditRecord
from grounding_middleware.errors import GroundingError, InputError

SUFFIX: Final = ".jsonl"
TORN: Final = ".torn"
_DIGITS: Final = 12
_BLOCK: Final = 65_536  # bytes read at a time when looking for the last line


def segments(folder: Path) -> list[Path]:
    """The files of the trail, in the order of their records."""
    with suppress(FileNotFoundError):
        names = (name for name in os.listdir(folder) if name.endswith(SUFFIX))  # noqa: PTH208  # once a record: names only
        return [folder / name for name in sorted(names) if name.removesuffix(SUFFIX).isdecimal()]
    return []


def segment(folder: Path, seq: int) -> Path:
    """The file that begins with record `seq`."""
    return folder / f"{seq:0{_DIGITS}}{SUFFIX}"


def lock_file(folder: Path) -> Path:
    """What writers of the trail hold."""
    return folder / ".lock"


def torn_file(path: Path) -> Path:
    """Where unfinished lines of `path` are kept."""
    return path.with_suffix(TORN)


def last_record(path: Path) -> AuditRecord | None:
    """The last record of a file that ends with a whole line; None when the file is empty.

    Raises `GroundingError` when that line is no record, or not as it was written: nothing may be linked to it.
    """
    line = _last_line(path)
    if not line:
        return None
    try:
        record = load(line.decode("ascii"))
    except (InputError, UnicodeDecodeError) as error:
        raise GroundingError(f"audit: the last line of {path} {error}; run `grounding audit verify`") from error
    if not is_sound(record):
        raise GroundingError(f"audit: the last record of {path} was changed; run `grounding audit verify`")
    return record


def unfinished(path: Path) -> int:
    """How many bytes stand behind the last line break: an unfinished line, as a crash leaves it."""
    with path.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        return end - _line_start(file.fileno(), end)


def sync_folder(folder: Path) -> None:
    """Make the names in `folder` survive a power failure."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _last_line(path: Path) -> bytes:
    with closing(path.open("rb")) as file:
        end = file.seek(0, os.SEEK_END) - 1  # without the line break at the end
        start = _line_start(file.fileno(), end)
        return os.pread(file.fileno(), max(0, end - start), start)


def _line_start(descriptor: int, end: int) -> int:
    """The offset behind the last line break before `end`."""
    while end > 0:
        begin = max(0, end - _BLOCK)
        at = os.pread(descriptor, end - begin, begin).rfind(b"\n")
        if at >= 0:
            return begin + at + 1
        end = begin
    return 0
