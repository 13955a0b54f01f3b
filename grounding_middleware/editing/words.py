"""The closed word classes of `words.toml`, compiled on first use."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType

_LEADING = re.compile(r"^\W+")


@dataclass(frozen=True, slots=True)
class Words:
    """Patterns for the start of a lower-case text, `limits` for any place in it; `answers` are whole statements."""

    strong: re.Pattern[str]
    weak: re.Pattern[str]
    pronouns: re.Pattern[str]
    subordinators: re.Pattern[str]
    trailing: re.Pattern[str]
    limits: re.Pattern[str]
    correlative: re.Pattern[str]
    alone: re.Pattern[str]
    answers: frozenset[str]


@lru_cache(maxsize=1)
def tables() -> Mapping[str, Words]:
    """The word classes of every language there are any for."""
    data = tomllib.loads((files(__package__) / "words.toml").read_text(encoding="utf-8"))
    return MappingProxyType({language: _compiled(table) for language, table in data.items()})


def candidates(language: str) -> tuple[Words, ...]:
    """The tables to try: one for a known language, none for an unknown one, all if none is stated, English first."""
    if not language:
        return tuple(tables().values())
    words = tables().get(language.split("-", maxsplit=1)[0].lower())
    return (words,) if words else ()


def opening(text: str) -> str:
    """The text from its first letter or digit on, in lower case, with single spaces."""
    return " ".join(behind(text).lower().split())


def behind(text: str) -> str:
    """The text without punctuation and space at its start."""
    return _LEADING.sub("", text, count=1)


def _compiled(table: dict[str, list[str]]) -> Words:
    return Words(
        strong=_any_of(table["strong"]),
        weak=_any_of(table["weak"]),
        pronouns=_any_of((*table["pronouns"], *table["determiners"])),
        subordinators=_any_of(table["subordinators"]),
        trailing=_any_of(table["trailing"]),
        limits=re.compile(rf"\b(?:{_any_of(table['limits']).pattern})"),
        correlative=_any_of(table["correlative"]),
        alone=re.compile("|".join((*table["alone"], *table["expletives"], r"(?!)"))),
        answers=frozenset(table["answers"]),
    )


def _any_of(phrases: Iterable[str]) -> re.Pattern[str]:
    """Matches any of the phrases as whole words, the longest first."""
    return re.compile("|".join((*_escaped(phrases), r"(?!)")))


def _escaped(phrases: Iterable[str]) -> Iterator[str]:
    for phrase in sorted(phrases, key=len, reverse=True):
        yield re.escape(phrase) + ("" if phrase.endswith((",", ".")) else r"(?![\w'’-])")
