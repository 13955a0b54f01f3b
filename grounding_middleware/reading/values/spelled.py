"""Numbers written in words: text2num under a layer that knows where it goes wrong.

The only module that touches text2num. Languages: en fr es pt de nl da it; others have the few words of their lexicon.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from grounding_middleware.reading.values.page import Page

LANGUAGES: Final = frozenset({"en", "fr", "es", "pt", "de", "nl", "da", "it"})
_JOINERS: Final[Mapping[str, frozenset[str]]] = {
    "en": frozenset({"and", "-", "point"}),
    "fr": frozenset({"et", "-", "virgule"}),
    "es": frozenset({"y", "coma"}),
    "pt": frozenset({"e", "vírgula"}),
    "de": frozenset({"und", "-", "komma"}),
    "nl": frozenset({"en", "-", "komma"}),
    "da": frozenset({"og", "-", "komma"}),
    "it": frozenset({"e", "virgola"}),
}
_MAX_RUN: Final = 24  # tokens of one spelled number; longer runs are lists
_MAX_WORD: Final = 60  # letters of the longest compound number word; a longer word is none
_CACHED: Final = 1 << 14
# "pour cent", "vom Hundert": text2num reads the second word as 100
_PERCENT: Final = frozenset(
    {("per", "cento"), ("pour", "cent"), ("por", "ciento"), ("por", "cento"), ("vom", "hundert"), ("per", "cent")}
)


@dataclass(frozen=True, slots=True)
class Spelled:
    """Tokens `first` to `last` say `value`; `ordinal` when they say which one."""

    first: int
    last: int
    value: Fraction
    ordinal: bool


class _Token:
    """What text2num wants to be given."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def text(self) -> str:
        return self._text

    def nt_separated(self, _previous: object) -> bool:
        return False

    def not_a_number_part(self) -> bool:
        return False


@lru_cache(maxsize=_CACHED)
def _word(word: str, language: str) -> str:
    """Reads "cardinal", "ordinal", or "" for a word that alone is no number in `language`."""
    from text_to_num import find_numbers  # noqa: PLC0415  # 12 ms, only when a text is read

    if language not in LANGUAGES or not 1 < len(word) <= _MAX_WORD:
        return ""
    hits = find_numbers([_Token(word)], language, 0.0)
    return ("ordinal" if any(hit.is_ordinal for hit in hits) else "cardinal") if hits else ""


def is_cardinal_word(word: str, language: str) -> bool:
    """True when `word` alone is a number that says how many in `language`."""
    return _word(word, language) == "cardinal"


@lru_cache(maxsize=_CACHED)
def cardinal(word: str, language: str) -> Fraction | None:
    """The number that `word` alone says, when it says how many."""
    from text_to_num import find_numbers  # noqa: PLC0415  # see above

    if not is_cardinal_word(word, language):
        return None
    hits = find_numbers([_Token(word)], language, 0.0)
    return Fraction(str(hits[0].value)) if len(hits) == 1 and hits[0].value is not None else None


def spelled_numbers(page: Page) -> dict[int, Spelled]:
    """Every spelled number of the page by its first token; pronouns ("one of them") are left in and judged later."""
    scan, language = page.scan, page.lexicon.language
    found: dict[int, Spelled] = {}
    if language not in LANGUAGES:
        return found
    words = {word for word in page.vocabulary if _word(word, language)}
    if not words:
        return found
    past = -1
    for index in [index for index, word in enumerate(scan.folded) if word in words]:
        if index > past and not page.taken[index] and _counts(page, index):
            past = _run(page, index)
            for number in _read(page, index, past):
                found[number.first] = number
    return found


def _counts(page: Page, index: int) -> bool:
    folded = page.scan.folded
    return bool(_word(folded[index], page.lexicon.language)) and (folded[index - 1], folded[index]) not in _PERCENT


def _run(page: Page, first: int) -> int:
    """Last token of the run of number words that starts at `first`; joiners only between two of them."""
    scan, joiners = page.scan, _JOINERS[page.lexicon.language]
    last = first
    while last - first < _MAX_RUN and "\n" not in scan.gap(last):
        after = last + 2 if scan.folded[last + 1] in joiners else last + 1
        if scan.shapes[after] != "w" or page.taken[after] or not _counts(page, after):
            break
        last = after
    return last


def _read(page: Page, first: int, last: int) -> list[Spelled]:
    from text_to_num import find_numbers  # noqa: PLC0415  # see above

    tokens = [_Token(word) for word in page.scan.folded[first : last + 1]]
    numbers = [
        Spelled(first + hit.start, first + hit.end - 1, Fraction(str(hit.value)), hit.is_ordinal)
        for hit in find_numbers(tokens, page.lexicon.language, 0.0)
        if hit.value is not None
    ]
    return _years(numbers, page.scan.folded) if page.lexicon.language == "en" else numbers


def _years(numbers: list[Spelled], folded: list[str]) -> list[Spelled]:
    """Nineteen ninety-nine, twenty twenty-six: two numbers that stand side by side are one year."""
    joined: list[Spelled] = []
    for number in numbers:
        before = joined[-1] if joined else None
        if (
            before
            and before.last + 1 == number.first
            and _is_year(before, number)
            and folded[number.first] != "hundred"
        ):
            joined[-1] = Spelled(before.first, number.last, before.value * 100 + number.value, ordinal=False)
        else:
            joined.append(number)
    return joined


def _is_year(left: Spelled, right: Spelled) -> bool:
    return 10 <= left.value <= 21 and 10 <= right.value <= 99 and not (left.ordinal or right.ordinal)
