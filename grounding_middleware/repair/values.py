"""One value for another inside a sentence: the smallest change that carries number, unit and what qualifies them."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from grounding_middleware.reading.values import Value, ValueKind
from grounding_middleware.repair.drafts import Change
from grounding_middleware.repair.grammar import Grammar, grammar

__all__ = ["exchanged"]

_PIECE: Final = re.compile(r"[^\s*_`]+")
_MARKS: Final = re.compile(r"[*_`\[\]|]")
_NUMBER: Final = re.compile(r"[+-]?\d(?:[\d.,'’\u00a0\u202f]*\d)?")
_PERIODS: Final = (ValueKind.DURATION, ValueKind.CALENDAR_DURATION)
_COUNTED: Final = (ValueKind.COUNT, ValueKind.NUMBER, ValueKind.QUANTITY, *_PERIODS)
_GLUED: Final = "-\u2010\u2011"


class _Phrase(NamedTuple):
    """A value with the words that belong to it on either side."""

    before: str
    text: str
    after: str


def exchanged(mine: Value, theirs: Value, answer: str, source: str, language: str) -> tuple[Change, ...]:
    """The changes of `answer` that put `theirs` in the place of `mine`; none when the sentence could break."""
    words = grammar(language)
    ours, other = _phrase(mine, answer), _phrase(theirs, source)
    if not _comparable(mine, theirs) or not _qualified_alike(ours, other, words):
        return _number_only(mine, theirs, answer) if _bare(theirs) else ()
    start, end = _whole(mine)
    if _same(ours.before, other.before) and _same(ours.after, other.after):
        return _pieces(answer, (mine.start, mine.start, mine.end), theirs.text, "")
    if not _same(ours.after, other.after):
        return () if _MARKS.search(answer[start:end]) else (Change(start, end, "".join(other)),)
    return _pieces(answer, (start, mine.start, mine.end), theirs.text, other.before)


def _phrase(value: Value, text: str) -> _Phrase:
    start, end = _whole(value)
    return _Phrase(text[start : value.start], text[value.start : value.end], text[value.end : end])


def _whole(value: Value) -> tuple[int, int]:
    low, high = value.phrase if value.phrase != (0, 0) else (value.start, value.end)
    return min(low, value.start), max(high, value.end)


def _same(left: str, right: str) -> bool:
    return " ".join(left.casefold().split()) == " ".join(right.casefold().split())


def _qualified_alike(ours: _Phrase, other: _Phrase, words: Grammar) -> bool:
    """Both are governed by the same words, or only by words that govern nothing ("at most", "about")."""
    before = _same(ours.before, other.before) or all(words.qualifies(x.before, before=True) for x in (ours, other))
    after = _same(ours.after, other.after) or all(words.qualifies(x.after, before=False) for x in (ours, other))
    return before and after


def _comparable(mine: Value, theirs: Value) -> bool:
    """The same sort of value, of the same grammatical number, and joined to its noun in the same way."""
    same_kind = mine.kind is theirs.kind or {mine.kind, theirs.kind} <= set(_PERIODS)
    ranges = mine.interval.is_range == theirs.interval.is_range or mine.kind in _PERIODS
    glued = _is_glued(mine.text) == _is_glued(theirs.text)
    per = (not mine.per) == (not theirs.per)
    return same_kind and ranges and glued and per and _singular(mine) == _singular(theirs)


def _singular(value: Value) -> bool:
    return value.kind in _COUNTED and value.written == 1 and not value.interval.is_range


def _is_glued(text: str) -> bool:
    return any(sign in text[1:] for sign in _GLUED)


def _bare(value: Value) -> bool:
    """Nothing but a number, as in the cell of a table whose header has the unit."""
    return _NUMBER.fullmatch(value.text) is not None


def _number_only(mine: Value, theirs: Value, answer: str) -> tuple[Change, ...]:
    """The number alone, when the evidence has no more and the answer's value has exactly one."""
    found = list(_NUMBER.finditer(answer, mine.start, mine.end))
    if len(found) != 1 or theirs.approx or theirs.bound or mine.bound or mine.approx:
        return ()
    return (Change(found[0].start(), found[0].end(), theirs.text),)


def _pieces(answer: str, edges: tuple[int, int, int], new: str, before: str) -> tuple[Change, ...]:
    """`new` for a value, word by word where emphasis stands between, so that its marks stay paired.

    `edges` are where its qualifying words begin, where the value begins and where it ends; `before` go in their place.
    """
    begin, start, end = edges
    if not _MARKS.search(answer[begin:end]):
        return (Change(begin, end, f"{before}{new}"),)
    old = list(_PIECE.finditer(answer, start, end))
    words = new.split()
    if len(old) != len(words) or "`" in answer[begin:end] or _MARKS.search(answer[begin:start]):
        return ()
    changed = [
        Change(piece.start(), piece.end(), f"{before}{word}" if not n else word)
        for n, (piece, word) in enumerate(zip(old, words, strict=True))
        if piece.group() != word or (not n and before)
    ]
    if begin < start:
        changed = [Change(begin, start, ""), *changed]
    return tuple(changed)
