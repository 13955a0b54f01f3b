"""General vocabulary for comparing two statements, by language, in the forms that the reader compares."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from grounding_middleware.reading.lemmas import keys

_Keys = frozenset[str]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """`once`: what has one date only; `parts`: names of parts of documents; `counted_from`: what time is counted by."""

    once: _Keys = frozenset()
    parts: _Keys = frozenset()
    counted_from: _Keys = frozenset()


@lru_cache(maxsize=8)
def vocabulary(language: str) -> Vocabulary:
    """The vocabulary of `language`; empty when there is none, so that nothing that needs it is called a conflict."""
    data = tomllib.loads((files(__package__) / "words.toml").read_text(encoding="utf-8")).get(language)
    if data is None:
        return Vocabulary()
    once, parts = (frozenset().union(*(keys(word, language) for word in data[name])) for name in ("once", "parts"))
    return Vocabulary(once, parts, frozenset(data["counted_from"]))
