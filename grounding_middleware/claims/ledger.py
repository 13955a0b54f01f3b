"""The ledger of CL-3: nothing material of the answer stands outside every statement.

`gaps` finds text that no statement holds; `missing` names what is material in it. `split` turns every gap into a
statement of its own, so that `missing` is empty for its result; for statements of another extractor it is the test.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from grounding_middleware.claims.lexicon import words
from grounding_middleware.records import Range

__all__ = ["Missing", "gaps", "missing"]


class Missing(NamedTuple):
    """Something material that no statement holds: `answer[start:end] == text`."""

    category: str
    text: str
    start: int
    end: int


_TOKEN = re.compile(r"\d+(?:[.,:/’'-]\d+)*|[^\W\d_]+(?:['’-][^\W\d_]+)*")
_DATE = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}$")
_CATEGORIES = ("negation", "modal", "quantifier", "condition_word", "number_word")


def gaps(end: int, covered: Iterable[Range], ignored: Iterable[Range] = ()) -> Iterator[Range]:
    """The ranges of `[0, end)` outside `covered` and `ignored`; both may come in any order and overlap."""
    at = 0
    for low, high in sorted((*covered, *ignored)):
        if low > at:
            yield at, min(low, end)
        at = max(at, high)
    if at < end:
        yield at, end


def missing(answer: str, covered: Iterable[Range], ignored: Iterable[Range], language: str) -> tuple[Missing, ...]:
    """Every number, date, name, negation, modal, quantifier and condition word outside `covered` and `ignored`.

    `ignored` are the ranges of markers and markup (bullets, numerals of lists, fences, table rules).
    """
    found: list[Missing] = []
    for low, high in gaps(len(answer), covered, ignored):
        for match in _TOKEN.finditer(answer, low, high):
            if category := _category(match.group(), language):
                found.append(Missing(category, match.group(), *match.span()))
    return tuple(found)


def _category(token: str, language: str) -> str:
    """What makes a token material; "" when nothing does."""
    if token[0].isdigit():
        return "date" if _DATE.match(token) else "number"
    lower = token.lower().replace("’", "'")
    for category in _CATEGORIES:
        if lower in words(language, category):
            return category
    return "name" if token[0].isupper() else ""


def uncovered(answer: str, covered: Sequence[Range], ignored: Sequence[Range]) -> tuple[Range, ...]:
    """Gaps that hold a letter or a digit, without white space at their ends."""
    found: list[Range] = []
    for low, high in gaps(len(answer), covered, ignored):
        first = next((i for i in range(low, high) if answer[i].isalnum()), None)
        if first is not None:
            last = next(i for i in range(high - 1, low - 1, -1) if answer[i].isalnum())
            found.append((first, last + 1))
    return tuple(found)
