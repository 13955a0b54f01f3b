"""Edits of whole words: capital letters and spaces stay right."""

from __future__ import annotations

from grounding_middleware.evaluation.probing.ground import Subject
from grounding_middleware.evaluation.probing.statements import Change

__all__ = ["Edit", "change_of", "cut", "lowercase", "put"]

Edit = tuple[int, int, str]


def put(subject: Subject, at: int, length: int, new: str) -> Edit:
    """`length` tokens from token `at` on become `new`; without a new text they go with the space beside them."""
    tokens, answer = subject.tokens, subject.answer
    start, end = tokens[at].start, tokens[at + length - 1].end
    if new:
        return start, end, new[:1].upper() + new[1:] if answer[start].isupper() and at == 0 else new
    return cut(subject, start, end)


def cut(subject: Subject, start: int, end: int) -> Edit:
    """The range goes, with the space before it; at the beginning the next word takes over the capital letter."""
    answer, first = subject.answer, subject.statement.start
    if start > first:
        while start > first and answer[start - 1].isspace():
            start -= 1
        return start, end, ""
    while end < subject.statement.end and not answer[end].isalnum():
        end += 1
    return start, end + 1, answer[end : end + 1].upper()


def change_of(subject: Subject, *edits: Edit) -> Change:
    """The change that makes these edits, with a note that names the words on both sides."""
    told = "; ".join(_told(subject.answer[start:end], new) for start, end, new in edits)
    return Change(tuple(sorted(edits)), told)


def lowercase(subject: Subject, at: int) -> bool:
    """Whether token `at` is an ordinary word where it stands: "May" in a sentence is a month."""
    return at == 0 or not subject.tokens[at].capital


def _told(old: str, new: str) -> str:
    if not new.strip():
        return f"without {old.strip()!r}"
    return f"{old.strip()!r} became {new.strip()!r}" if old.strip() else f"with {new.strip()!r}"
