"""Files as text, or one clear line about why not."""

from __future__ import annotations

import glob
from collections.abc import Iterable
from pathlib import Path

from grounding_middleware.errors import InputError

MAX_ANSWER_BYTES = 1_000_000
MAX_SOURCE_BYTES = 10_000_000


def read_text(path: Path, limit: int) -> str:
    """The file's text, newlines untouched; raises `InputError` unless it is UTF-8 text of at most `limit` bytes."""
    try:
        if path.is_dir():
            raise InputError(f"{path}: is a folder; name its files, for example '{path}/*.md'")
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise InputError(f"{path!s:.80}: {error.strerror or error}") from error
    return decode(data, str(path), limit)


def decode(data: bytes, name: str, limit: int) -> str:
    """UTF-8 bytes as text, a byte order mark dropped; raises `InputError` naming `name`."""
    if len(data) > limit:
        raise InputError(f"{name}: is larger than {limit:,} bytes, the most that is read")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{name}: is UTF-16; save it as UTF-8")
    if b"\0" in data:
        raise InputError(f"{name}: is a binary file; allowed is UTF-8 text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        byte = f"byte 0x{data[error.start]:02x} at {error.start}"
        raise InputError(f"{name}: is not UTF-8 ({byte}); save it as UTF-8") from error


def exists(name: str) -> bool:
    """Whether there is a file or folder of this name; a name that cannot be one is none."""
    try:
        return Path(name).exists()
    except (OSError, ValueError):  # too long, in a folder that may not be read, with a NUL
        return False


def find_files(patterns: Iterable[str]) -> list[tuple[str, Path]]:
    """`(name, path)` of each file once, in the order given, globs expanded in sorted order; `name` may be empty."""
    found: dict[Path, str] = {}
    for pattern in patterns:
        name, rest = _named(pattern)
        paths = [Path(rest)] if exists(rest) else _expand(rest)
        if not paths:
            raise InputError(f"source {pattern!r:.120}: no such file, and no file fits it as a pattern")
        if name and len(paths) > 1:
            raise InputError(f"source {pattern!r}: {len(paths)} files fit; a name is for one file")
        for path in paths:
            found.setdefault(path, name)
    return [(name, path) for path, name in found.items()]


def _expand(pattern: str) -> list[Path]:
    matches = sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207  # Path.glob refuses absolute patterns
    return [path for path in map(Path, matches) if path.is_file()]


def _named(pattern: str) -> tuple[str, str]:
    """Split `NAME=FILE`, unless the whole is a file whose name holds an equals sign."""
    name, separator, rest = pattern.partition("=")
    if not separator or exists(pattern):
        return "", pattern
    if not name.strip() or not rest:
        raise InputError(f"source {pattern!r}: allowed are FILE, 'PATTERN' and NAME=FILE")
    return name.strip(), rest
