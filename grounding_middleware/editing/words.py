"""The closed word classes of `words.toml`, compiled on first use."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType

_WORD = re.compile(r"[\w']+")
_BETWEEN = r"\s*(?:[,;/–-]|[^\W\d_]{1,4})\s*"  # "2 and 3", "2-4", "2, 3"
_UNSTATED = ("en", "de", "fr", "es")  # in this order; fewer, because "die" means something else in every language
_LONGEST_ANSWER = 40  # characters of a bare "yes"
_LEADING = re.compile(r"^\W+")


@dataclass(frozen=True, slots=True)
class Words:
    """Patterns for the start of a lower-case text, `limits` and `steps` for any place in it."""

    strong: re.Pattern[str]
    weak: re.Pattern[str]
    pronouns: re.Pattern[str]
    subordinators: re.Pattern[str]
    trailing: re.Pattern[str]
    limits: re.Pattern[str]
    correlative: re.Pattern[str]
    alone: re.Pattern[str]
    steps: re.Pattern[str]
    verbs: frozenset[str]
    articles: frozenset[str]


def candidates(language: str) -> tuple[Words, ...]:
    """The tables to try: one for a known language, none for an unknown one, the usual ones if none is stated."""
    if not language:
        return tuple(_words(known) for known in _UNSTATED)
    short = language.split("-", maxsplit=1)[0].lower()
    return (_words(short),) if short in _data() else ()


def is_bare_answer(text: str) -> bool:
    """True for "Yes." and the like in any language: nothing without the sentence that follows."""
    words = " ".join(_WORD.findall(text.lower())) if len(text) < _LONGEST_ANSWER else ""
    return words in _answers()


def opening(text: str) -> str:
    """The text from its first letter or digit on, in lower case, with single spaces."""
    return " ".join(behind(text).lower().split())


def behind(text: str) -> str:
    """The text without punctuation and space at its start."""
    return _LEADING.sub("", text, count=1)


@lru_cache(maxsize=1)
def _data() -> Mapping[str, Mapping[str, list[str]]]:
    text = (files(__package__) / "words.toml").read_text(encoding="utf-8")
    return MappingProxyType(tomllib.loads(text))


@lru_cache(maxsize=1)
def _answers() -> frozenset[str]:
    return frozenset(answer for table in _data().values() for answer in table["answers"])


@lru_cache(maxsize=16)
def _words(language: str) -> Words:
    table = _data()[language]
    return Words(
        strong=_any_of(table["strong"]),
        weak=_any_of(table["weak"]),
        pronouns=_any_of((*table["pronouns"], *table["determiners"])),
        subordinators=_any_of(table["subordinators"]),
        trailing=_any_of(table["trailing"]),
        limits=re.compile(rf"\b(?:{_any_of(table['limits']).pattern})"),
        correlative=_any_of(table["correlative"]),
        alone=re.compile("|".join((*table["alone"], *table["expletives"], r"(?!)"))),
        steps=re.compile(rf"\b(?:{_any_of(table['steps']).pattern})\s+(\d{{1,9}}(?:{_BETWEEN}\d{{1,9}})*)"),
        verbs=frozenset(table["verbs"]),
        articles=frozenset(table["articles"]),
    )


def _any_of(phrases: Iterable[str]) -> re.Pattern[str]:
    """Matches any of the phrases as whole words, the longest first."""
    return re.compile("|".join((*_escaped(phrases), r"(?!)")))


def _escaped(phrases: Iterable[str]) -> Iterator[str]:
    for phrase in sorted(phrases, key=len, reverse=True):
        yield re.escape(phrase) + ("" if phrase.endswith((",", ".")) else r"(?![\w'’-])")
