"""What a trail holds: one frozen record for each answer, adjudication, purge, recheck or repaired crash (SPEC AU-1).

A record has a small head, which the hash chain covers, and a content, which the head covers by its hash. So content can
be purged later and the chain still verifies. The content of an answer begins with a random salt: once it is purged,
nobody can find out what it was by hashing guesses.
"""

from __future__ import annotations

import json
import secrets
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any, Final

from pydantic import AfterValidator, AwareDatetime, Field

from grounding_middleware.records import Attributes, FrozenDict, Record

AUDIT_SCHEMA_VERSION: Final = "1"
NO_HASH: Final = "0" * 64
"""What the first record of a chain names as the hash of its predecessor."""

Utc = Annotated[AwareDatetime, AfterValidator(lambda moment: moment.astimezone(UTC))]
"""A moment with a time zone, kept as UTC."""


class RecordKind(StrEnum):
    """Why a record was written."""

    ANSWER = "answer"
    ADJUDICATION = "adjudication"
    RECHECK = "recheck"
    PURGE = "purge"
    TORN = "torn"


class Entry(Record):
    """What somebody wants recorded; `chain.link` makes an `AuditRecord` of it.

    `subject` is the id of the answer it is about, empty when it is about none. `facts` are plain JSON that may be kept
    for good: counts, labels, versions, never text of a question, an answer or a person. `content` is plain JSON, too,
    and may be purged; None when there is none. Facts of a purge: `purged`, ranges `[first, last]` of record numbers.
    """

    kind: RecordKind
    subject: str = ""
    facts: Attributes = Field(default_factory=FrozenDict)
    content: Attributes | None = None

    @classmethod
    def salted(cls, kind: RecordKind, subject: str, facts: dict[str, Any], content: dict[str, Any]) -> Entry:
        """An entry whose content cannot be guessed from its hash."""
        return cls(kind=kind, subject=subject, facts=facts, content={**content, "salt": secrets.token_hex(16)})


class Tip(Record):
    """The last record of a chain, by number and hash; all that is needed to append to it, or to anchor it elsewhere."""

    seq: int = Field(default=0, ge=0)
    hash: str = NO_HASH

    def __str__(self) -> str:
        return f"{self.seq}:{self.hash}"


class AuditRecord(Record):
    """One link of the chain. `content` is canonical JSON text, exactly as hashed; None when purged or never there.

    `seq` counts from 1 without gaps. `previous` is the hash of record `seq - 1`. `hash` covers every field but itself
    and `content`; `content_hash` is the SHA-256 of `content`, empty when the record never had any.
    """

    schema_version: str = AUDIT_SCHEMA_VERSION
    seq: int = Field(ge=1)
    time: Utc
    kind: RecordKind
    subject: str = ""
    facts: Attributes = Field(default_factory=FrozenDict)
    content_hash: str = ""
    previous: str
    hash: str
    content: str | None = None

    @property
    def tip(self) -> Tip:
        """This record as the end of a chain."""
        return Tip(seq=self.seq, hash=self.hash)

    @property
    def purged(self) -> bool:
        """Whether it had content once."""
        return self.content is None and bool(self.content_hash)

    def data(self) -> dict[str, Any]:
        """The content as plain JSON data; empty when there is none."""
        return {} if self.content is None else json.loads(self.content)


def now() -> datetime:
    """The moment, in UTC."""
    return datetime.now(UTC)
