"""Taking contents out of a trail so that the chain still verifies (SPEC AU-2).

First the purge is recorded, then the contents go: a crash in between leaves contents that a second purge takes out, and
never a content that is gone without a record of why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from grounding_middleware.audit.answers import Trail
from grounding_middleware.audit.chain import is_sound
from grounding_middleware.audit.records import AuditRecord, Entry, RecordKind
from grounding_middleware.audit.verification import Placed
from grounding_middleware.errors import InputError
from grounding_middleware.records import Range, Record


class Purge(Record):
    """What a purge did: how many contents it took out, of which records, and which torn lines it deleted."""

    contents: int = 0
    ranges: tuple[Range, ...] = ()
    torn: tuple[str, ...] = ()


class Purgeable(Trail, Protocol):
    """A trail that can lose contents."""

    def torn_before(self, moment: datetime) -> tuple[str, ...]:
        """Names of kept torn lines older than that: they are contents, too."""

    def empty(self, ranges: Sequence[Range], torn: Sequence[str]) -> None:
        """Take out the contents of records `first` to `last` of each range, for good, and delete torn lines."""


def purge(trail: Purgeable, *, before: datetime | None = None, subject: str | None = None) -> Purge:
    """Take out the contents of all records written before a moment, or of all about one answer, or both at once.

    Hashes, labels, counts, source names and versions stay. Torn lines older than `before` are deleted, too. Raises
    `InputError` when nothing is selected, and for a record that was changed: its content is evidence.
    """
    if before is None and subject is None:
        raise InputError("purge: nothing is selected; allowed are a date, an answer, or both")

    def selected(record: AuditRecord) -> bool:
        in_time = before is None or record.time < before
        return in_time and subject in (None, record.subject)

    contents, ranges = _found(trail.records(), selected)
    torn = trail.torn_before(before) if before and subject is None else ()
    done = Purge(contents=contents, ranges=ranges, torn=torn)
    if ranges or torn:
        trail.append(Entry(kind=RecordKind.PURGE, subject=subject or "", facts=_facts(done, before)))
        trail.empty(ranges, torn)
    return done


def _facts(done: Purge, before: datetime | None) -> dict[str, Any]:
    moment = {"before": before.astimezone(UTC).isoformat()} if before else {}
    return {"purged": [list(pair) for pair in done.ranges], "torn": list(done.torn), **moment}


def _found(lines: Iterable[Placed], selected: Callable[[AuditRecord], bool]) -> tuple[int, tuple[Range, ...]]:
    """How many contents to take out, and the numbers of their records as ranges `(first, last)`.

    A range runs on over records that are selected and have no content, so that there are few of them.
    """
    contents, ranges, open_ended = 0, list[Range](), False
    for place, found in lines:
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
