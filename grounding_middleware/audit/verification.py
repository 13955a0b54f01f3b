"""Whether a chain is what was written, and if not, where it was changed.

What a hash chain can tell by itself: any changed, removed, added or reordered record, wherever another one follows.
What it cannot: that the last records were cut off, or that all of it was written anew by somebody who can write to the
store. For that keep the tip (`Verification.tip`) somewhere else and pass it as `expect`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from grounding_middleware.audit.chain import digest, hash_of
from grounding_middleware.audit.records import AuditRecord, RecordKind, Tip
from grounding_middleware.records import Range, Record

MAX_FAULTS: Final = 1_000
"""Faults that are kept; further ones are only counted, so that memory stays flat."""


class Place(Record):
    """Where a record stands: a file and its line, or a table and its row; both count from 1."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class Unreadable(Record):
    """A line that is no record; `torn` when it is the unfinished end of the store, as a crash leaves it."""

    reason: str
    torn: bool = False


class Fault(Record):
    """One thing wrong, and where. `seq` is the number of the record, None when it cannot be told."""

    place: Place | None
    seq: int | None
    problem: str

    def __str__(self) -> str:
        record = "" if self.seq is None else f"record {self.seq}: "
        return f"{self.place or 'end'}: {record}{self.problem}"


class Verification(Record):
    """The result. `intact` needs every record in its place with its hash, and every missing content purged on record.

    A torn end is no fault: what stands there was never acknowledged, and the next writer keeps it aside.
    """

    records: int = 0
    tip: Tip = Tip()
    purged: int = 0
    torn: Place | None = None
    faults: tuple[Fault, ...] = ()
    fault_count: int = 0

    @property
    def intact(self) -> bool:
        """True when nothing is wrong."""
        return self.fault_count == 0


Placed = tuple[Place, AuditRecord | Unreadable]
"""One line of a store, read."""


def verify(lines: Iterable[Placed], *, start: Tip | None = Tip(), expect: Tip | None = None) -> Verification:  # noqa: B008  # frozen
    """Check all of a chain, in order, reading each line once.

    `start` is the tip before the first line, None when `lines` is a part of a chain whose beginning is elsewhere.
    `expect` must stand in the chain, with this hash.
    """
    checker = _Checker(start, expect)
    faults: list[Fault] = []
    count = 0
    for fault in checker.run(lines):
        count += 1
        faults += [fault] if count <= MAX_FAULTS else []
    return Verification(
        records=checker.records,
        tip=checker.tip,
        purged=checker.purged,
        torn=checker.torn,
        faults=tuple(faults),
        fault_count=count,
    )


class _Before(NamedTuple):
    """The record before: its number, and the hashes a successor may name; without hashes nothing is known of it."""

    seq: int
    hashes: frozenset[str]


class _Run(NamedTuple):
    """Records in a row, `first` to `last`, that lost their content; the first stands at `place`."""

    first: int
    last: int
    place: Place


class _Checker:
    def __init__(self, start: Tip | None, expect: Tip | None) -> None:
        self.records = 0
        self.purged = 0
        self.tip = start or Tip()
        self.torn: Place | None = None
        self._before = None if start is None else _Before(start.seq, frozenset((start.hash,)))
        self._expect = expect
        self._expected_seen = expect is None or (start is not None and expect == start)
        self._emptied: list[_Run] = []
        self._on_record: list[Range] = []

    def run(self, lines: Iterable[Placed]) -> Iterator[Fault]:
        for place, found in lines:
            if isinstance(found, AuditRecord):
                yield from self._record(place, found)
            elif found.torn:
                self.torn = place
            else:
                self._before = None
                yield Fault(place=place, seq=None, problem=found.reason)
        yield from self._unexplained()
        if not self._expected_seen and self._expect:
            gone = f"is not there, the trail ends at record {self.tip.seq}: its end was cut off"
            yield Fault(place=None, seq=self._expect.seq, problem=gone)

    def _record(self, place: Place, record: AuditRecord) -> Iterator[Fault]:
        self.records += 1
        actual = hash_of(record)
        sound = actual == record.hash
        seq = record.seq if sound or self._before is None else self._before.seq + 1
        if not sound:
            yield Fault(place=place, seq=seq, problem="was changed: its hash does not fit")
        elif broken := self._broken_link(record):
            yield Fault(place=place, seq=seq, problem=broken)
        if record.content is not None and digest(record.content) != record.content_hash:
            yield Fault(place=place, seq=seq, problem="its content was changed")
        if self._expect and seq == self._expect.seq:
            self._expected_seen = True
            if self._expect.hash not in (record.hash, actual):
                yield Fault(place=place, seq=seq, problem="is not the one expected here: the trail was written anew")
        self._note(place, record, seq, sound=sound)
        if self._before is None or seq > self._before.seq:  # a record out of place leaves the others in theirs
            self._before = _Before(seq, frozenset((record.hash, actual)))
            self.tip = Tip(seq=seq, hash=record.hash)

    def _broken_link(self, record: AuditRecord) -> str:
        before = self._before
        if before is None:
            return ""
        if record.seq > before.seq + 1:
            last = record.seq - 1
            gone = f"record {last} is" if last == before.seq + 1 else f"records {before.seq + 1} to {last} are"
            return f"{gone} missing before it"
        if record.seq <= before.seq:
            return f"stands in the wrong place, behind record {before.seq}"
        if record.previous not in before.hashes:
            return f"names another predecessor: it or record {before.seq} was replaced"
        return ""

    def _note(self, place: Place, record: AuditRecord, seq: int, *, sound: bool) -> None:
        """Remember what is empty, and what a purge says is empty."""
        if record.purged:
            self.purged += 1
            last = self._emptied[-1] if self._emptied else None
            if last and last.last + 1 == seq and last.place.line + seq - last.first == place.line:
                self._emptied[-1] = last._replace(last=seq)
            else:
                self._emptied.append(_Run(seq, seq, place))
        if record.kind is RecordKind.PURGE and sound:
            self._on_record += [(low, min(high, seq - 1)) for low, high in record.facts.get("purged", ())]

    def _unexplained(self) -> Iterator[Fault]:
        """Contents that are gone and no later purge tells why."""
        allowed = _merged(self._on_record)
        ends = [high for _, high in allowed]
        for run in self._emptied:
            for seq in _outside(run, allowed[bisect_left(ends, run.first) :]):
                place = Place(file=run.place.file, line=run.place.line + seq - run.first)
                yield Fault(place=place, seq=seq, problem="its content is gone, and no purge is on record for it")


def _merged(ranges: list[Range]) -> list[Range]:
    """The same numbers as ranges that are in order and do not touch."""
    merged: list[Range] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return merged


def _outside(run: _Run, allowed: list[Range]) -> Iterator[int]:
    """The numbers of `run` that are in no range of `allowed`, which begins with the first that ends in or behind it."""
    seq = run.first
    for low, high in allowed:
        if low > run.last:
            break
        yield from range(seq, low)
        seq = max(seq, high + 1)
    yield from range(seq, run.last + 1)
