"""What is probed: statements known to be supported, and the versions of them that no longer are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from grounding_middleware.records import Range, Span

__all__ = ["Attempt", "Change", "Mutant", "Statement"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One answer to verify, with everything a verifier is given for it."""

    answer: str
    evidence: tuple[Span, ...]
    question: str = ""
    as_of: date | None = None
    requester: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement the evidence supports: `attempt.answer[start:end]`, without its markers and its full stop.

    `home` are the ids of the spans that state it, empty where nobody knows. `origin` says where it was found.
    """

    attempt: Attempt
    start: int
    end: int
    home: tuple[str, ...] = ()
    language: str = ""
    origin: str = ""

    @property
    def text(self) -> str:
        """The statement."""
        return self.attempt.answer[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Change:
    """What one transformation does: ranges of the answer with their new texts, or another setting of the same answer.

    `edits` are ascending and do not overlap. Where the words stay and the evidence changes, `attempt` is the new one.
    `note` says in a few words what was changed, and with it why the statement no longer holds.
    """

    edits: tuple[tuple[int, int, str], ...] = ()
    note: str = ""
    attempt: Attempt | None = None


@dataclass(frozen=True, slots=True)
class Mutant:
    """A statement that is not supported any more; `attempt.answer[start:end]` is what it became.

    `changed` are the ranges of the answer with new words; a range without length is a cut. It is empty where the words
    are those of the supported statement and something else was changed.
    """

    transformation: str
    origin: Statement
    attempt: Attempt
    start: int
    end: int
    changed: tuple[Range, ...]
    note: str

    @property
    def text(self) -> str:
        """What the statement became."""
        return self.attempt.answer[self.start : self.end]

    @classmethod
    def of(cls, name: str, origin: Statement, change: Change) -> Mutant:
        """The statement with this change applied."""
        base = change.attempt or origin.attempt
        answer, places = edited(base.answer, change.edits)
        shifts = [(at, len(new) - (end - at), at == end) for at, end, new in change.edits]
        start = origin.start + sum(by for at, by, _ in shifts if at < origin.start)
        end = origin.end + sum(by for at, by, added in shifts if at < origin.end or (added and at == origin.end))
        inside = tuple((low, high) for low, high in places if start <= low and high <= end)
        return cls(name, origin, replace(base, answer=answer), start, end, inside, change.note)


def edited(text: str, edits: Sequence[tuple[int, int, str]]) -> tuple[str, tuple[Range, ...]]:
    """The text with ascending edits applied, and the ranges of their new texts in it."""
    pieces, places, at, length = [], [], 0, 0
    for start, end, new in edits:
        kept = text[at:start]
        length += len(kept)
        places.append((length, length + len(new)))
        pieces += [kept, new]
        length, at = length + len(new), end
    return "".join((*pieces, text[at:])), tuple(places)
