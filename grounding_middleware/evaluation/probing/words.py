"""Closed-class words that the transformations exchange, by language, from the files beside this module."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from grounding_middleware.reading.tokens import tokenize

__all__ = ["LANGUAGES", "Words", "words_of"]

LANGUAGES: Final = ("en", "de", "fr", "es")
_LONGEST: Final = 6  # tokens of a phrase

Phrase = tuple[str, ...]


@dataclass(frozen=True)
class Words:
    """The tables of one language: phrases (token norms) and what takes their place, and plain lists."""

    language: str = ""
    tables: Mapping[str, Mapping[Phrase, str]] = field(default_factory=lambda: MappingProxyType({}))
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))

    def __bool__(self) -> bool:
        return bool(self.language)

    def list(self, name: str) -> tuple[str, ...]:
        """A plain list; empty in a language without words."""
        return self.lists.get(name, ())

    def found(self, name: str, norms: Sequence[str]) -> Iterator[tuple[int, int, str]]:
        """Each phrase of a table in a statement, longest first: its first token, its length, what takes its place."""
        table = self.tables.get(name, {})
        at = 0
        while at < len(norms):
            longest = min(_LONGEST, len(norms) - at)
            length = next((n for n in range(longest, 0, -1) if tuple(norms[at : at + n]) in table), 0)
            if length:
                yield at, length, table[tuple(norms[at : at + length])]
            at += length or 1


@lru_cache(maxsize=len(LANGUAGES) + 1)
def words_of(language: str) -> Words:
    """The words of a language; none for one without a file."""
    if language not in LANGUAGES:
        return Words()
    data: dict[str, dict[str, Any]] = tomllib.loads(
        (files(__package__) / "data" / f"{language}.toml").read_text(encoding="utf-8")
    )
    lists = {name: tuple(entry) for name, entry in data.pop("lists").items()}
    tables = {name: {_norms(phrase): new for phrase, new in table.items()} for name, table in data.items()}
    return Words(language, tables, lists)


def _norms(phrase: str) -> Phrase:
    return tuple(token.norm for token in tokenize(phrase))
