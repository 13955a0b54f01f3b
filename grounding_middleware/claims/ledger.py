"""The ledger of CL-3: nothing material of the answer stands outside every statement.

`missing` is the test for the statements of any extractor. `split` turns all text that no statement holds into a
statement of its own, so that nothing is missing from its result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from grounding_middleware.claims.blocks import scan
from grounding_middleware.claims.json_fields import regions
from grounding_middleware.claims.lexicon import words
from grounding_middleware.claims.markup import markup
from grounding_middleware.records import Range

__all__ = ["Missing", "missing", "uncovered"]


class Missing(NamedTuple):
    """Something material that no statement holds: `answer[start:end] == text`."""

    category: str
    text: str
    start: int
    end: int


_TOKEN = re.compile(r"\d+(?:[.,:/’'-]\d+)*|[^\W\d_]+(?:['’-][^\W\d_]+)*")
_DATE = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}$")
_CATEGORIES = ("negation", "modal", "quantifier", "condition_word", "number_word")


def missing(answer: str, statements: Iterable[Range], markers: Iterable[Range], language: str) -> tuple[Missing, ...]:
    """Every number, date, name, negation, modal, quantifier and condition word that stands in none of `statements`.

    `markers` are the citation markers; they, bullets, numerals of lists and other structure are no content.
    """
    structure = markup(answer, scan(answer), regions(answer))
    return tuple(
        Missing(category, match.group(), *match.span())
        for low, high in _gaps(len(answer), [*statements, *markers, *structure])
        for match in _TOKEN.finditer(answer, low, high)
        if (category := _category(match.group(), language))
    )


def uncovered(answer: str, covered: Sequence[Range], ignored: Sequence[Range]) -> tuple[Range, ...]:
    """What neither `covered` nor `ignored` holds and has a letter or a digit, from the first of these to the last."""
    found: list[Range] = []
    for low, high in _gaps(len(answer), [*covered, *ignored]):
        first = next((i for i in range(low, high) if answer[i].isalnum()), None)
        if first is not None:
            last = next(i for i in range(high - 1, low - 1, -1) if answer[i].isalnum())
            found.append((first, last + 1))
    return tuple(found)


def _gaps(end: int, ranges: Iterable[Range]) -> Iterator[Range]:
    """The ranges of `[0, end)` outside all `ranges`, which may come in any order and overlap."""
    at = 0
    for low, high in sorted(ranges):
        if low > at:
            yield at, min(low, end)
        at = max(at, high)
    if at < end:
        yield at, end


def _category(token: str, language: str) -> str:
    """What makes a token material; "" when nothing does."""
    if token[0].isdigit():
        return "date" if _DATE.match(token) else "number"
    lower = token.lower().replace("’", "'")
    for category in _CATEGORIES:
        if lower in words(language, category):
            return category
    return "name" if token[0].isupper() else ""
