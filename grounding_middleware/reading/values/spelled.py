"""Numbers written in words: text2num under a layer that knows where it goes wrong.

The only module that touches text2num. Languages: en fr es pt de nl da it; others have the few words of their lexicon.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from text_to_num import find_numbers

from grounding_middleware.reading.values.page import Page

LANGUAGES: Final = frozenset({"en", "fr", "es", "pt", "de", "nl", "da", "it"})
_JOINERS: Final[Mapping[str, frozenset[str]]] = {
    "en": frozenset({"and", "-"}),
    "fr": frozenset({"et", "-"}),
    "es": frozenset({"y"}),
    "pt": frozenset({"e"}),
    "de": frozenset({"und", "-"}),
    "nl": frozenset({"en", "-"}),
    "da": frozenset({"og", "-"}),
    "it": frozenset({"e"}),
}
_MAX_RUN: Final = 24  # tokens of one spelled number; longer runs are lists
# "pour cent", "vom Hundert": text2num reads the second word as 100
_PERCENT_HEADS: Final = frozenset({"per", "pour", "por", "vom"})


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


@lru_cache(maxsize=1 << 15)
def is_number_word(word: str, language: str) -> bool:
    """True when `word` alone is a number or an ordinal in `language`."""
    return language in LANGUAGES and len(word) > 1 and bool(find_numbers([_Token(word)], language, 0.0))


@lru_cache(maxsize=1 << 15)
def is_cardinal_word(word: str, language: str) -> bool:
    """True when `word` alone is a number that says how many in `language`."""
    if not is_number_word(word, language):
        return False
    return not any(hit.is_ordinal for hit in find_numbers([_Token(word)], language, 0.0))


def spelled_numbers(page: Page) -> dict[int, Spelled]:
    """Every spelled number of the page by its first token; pronouns ("one of them") are left in and judged later."""
    scan, language = page.scan, page.lexicon.language
    found: dict[int, Spelled] = {}
    if language not in LANGUAGES:
        return found
    index = 0
    while index < len(scan):
        if scan.shapes[index] == "w" and not page.taken[index] and _counts(page, index):
            last = _run(page, index)
            for number in _read(page, index, last):
                found[number.first] = number
            index = last + 1
        else:
            index += 1
    return found


def _counts(page: Page, index: int) -> bool:
    scan = page.scan
    if not is_number_word(scan.folded[index], page.lexicon.language):
        return False
    return not (scan.word(index - 1) in _PERCENT_HEADS and scan.folded[index] in ("cent", "cento", "ciento", "hundert"))


def _run(page: Page, first: int) -> int:
    """Last token of the run of number words that starts at `first`; joiners only between two of them."""
    scan, joiners = page.scan, _JOINERS[page.lexicon.language]
    last = first
    while last - first < _MAX_RUN and last + 1 < len(scan) and "\n" not in scan.gap(last):
        step = 1
        if scan.word(last + 1) in joiners:
            step = 2
        elif scan.word(last + 1) in ("point", "virgule", "komma", "coma", "vírgula", "virgola") and last > first - 1:
            step = 2
        after = last + step
        if after >= len(scan) or page.taken[after] or scan.shapes[after] != "w" or not _counts(page, after):
            break
        last = after
    return last


def _read(page: Page, first: int, last: int) -> list[Spelled]:
    scan = page.scan
    tokens = [_Token(scan.folded[index]) for index in range(first, last + 1)]
    numbers = []
    for hit in find_numbers(tokens, page.lexicon.language, 0.0):
        value = Fraction(str(hit.value)) if hit.value is not None else None
        if value is not None:
            numbers.append(Spelled(first + hit.start, first + hit.end - 1, value, hit.is_ordinal))
    return _years(numbers, scan.folded) if page.lexicon.language == "en" else numbers


def _years(numbers: list[Spelled], folded: list[str]) -> list[Spelled]:
    """Nineteen ninety-nine, twenty twenty-six: two numbers that stand side by side are one year."""
    joined: list[Spelled] = []
    for number in numbers:
        before = joined[-1] if joined else None
        if (
            before
            and before.last + 1 == number.first
            and 10 <= before.value <= 21
            and 10 <= number.value <= 99
            and not (before.ordinal or number.ordinal)
            and folded[number.first] != "hundred"
        ):
            joined[-1] = Spelled(before.first, number.last, before.value * 100 + number.value, ordinal=False)
        else:
            joined.append(number)
    return joined
