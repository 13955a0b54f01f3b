"""How records are hashed, linked and written as lines; the same for every store.

A line is `{"head":{...},"content":...}` in canonical JSON: ASCII, keys sorted, no spaces, one line. Reading is exact:
a line that differs in one byte from what `dump` writes is refused.
"""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from typing import Any, Final

from pydantic import ValidationError

from grounding_middleware.audit.records import AuditRecord, Entry, Tip
from grounding_middleware.errors import InputError

_HEAD: Final = '{"head":'
_CONTENT: Final = ',"content":'
_NOTHING: Final = "null"
_DECODER: Final = json.JSONDecoder()


def canonical(data: Any) -> str:
    """The one JSON text of plain data: ASCII, keys sorted, no spaces; `InputError` for NaN and what is no JSON."""
    try:
        return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(
            f"audit: content is no plain JSON ({error}); allowed are finite numbers, text, lists, maps"
        ) from error


def digest(text: str) -> str:
    """SHA-256 of canonical text, lower-case hex."""
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def link(entry: Entry, tip: Tip, time: datetime) -> AuditRecord:
    """The record that continues the chain ending at `tip` (`Tip()` begins one). The caller holds the writers' lock."""
    content = None if entry.content is None else canonical(entry.content)
    unhashed = AuditRecord(
        seq=tip.seq + 1,
        time=time,
        kind=entry.kind,
        subject=entry.subject,
        facts=json.loads(canonical(entry.facts)),
        content_hash="" if content is None else digest(content),
        previous=tip.hash,
        hash="",
        content=content,
    )
    return unhashed.model_copy(update={"hash": hash_of(unhashed)})


def hash_of(record: AuditRecord) -> str:
    """The hash the record must carry: SHA-256 of its canonical head without `hash`."""
    return digest(canonical(record.model_dump(mode="json", exclude={"hash", "content"})))


def is_sound(record: AuditRecord) -> bool:
    """Whether the record is what its own hashes say; its place in a chain is another question."""
    whole = record.content is None or digest(record.content) == record.content_hash
    return whole and hash_of(record) == record.hash


def dump(record: AuditRecord) -> str:
    """The record as one line, without the line break."""
    head = canonical(record.model_dump(mode="json", exclude={"content"}))
    return f"{_HEAD}{head}{_CONTENT}{_NOTHING if record.content is None else record.content}}}"


def load(line: str) -> AuditRecord:
    """The record of a line that `dump` wrote, hashes not yet checked; `InputError` for any other line."""
    if not line.startswith(_HEAD):
        raise InputError("is no audit record")
    try:
        head, end = _DECODER.raw_decode(line, len(_HEAD))
        content = line[end + len(_CONTENT) : -1]
        record = AuditRecord(**head, content=None if content == _NOTHING else content)
    except (ValueError, TypeError, RecursionError) as error:
        cause = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error
        raise InputError(f"is no audit record ({cause})") from error
    if dump(record) != line:
        raise InputError("is not written as this package writes it")
    return record
