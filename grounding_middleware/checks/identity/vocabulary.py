"""Vocabulary of definitions: countries with what is said of their people and things, kinds of things. English."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

_HERE: Final = files(__package__)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of thing: its group, its row in it, and whether rows of that group exclude each other."""

    group: str
    row: int
    apart: bool


@lru_cache(maxsize=1)
def _countries() -> dict[str, frozenset[str]]:
    rows = [frozenset(row.split()) for row in _load("demonyms")["countries"]]
    return {word: row for row in rows for word in row}


@lru_cache(maxsize=1)
def _kinds() -> dict[str, Kind]:
    found: dict[str, Kind] = {}
    for group, table in _load("kinds").items():
        for number, row in enumerate(table["rows"]):
            for word in row.split():
                found[word] = Kind(group, number, bool(table.get("apart", False)))
    return found


@lru_cache(maxsize=4)
def _load(name: str) -> dict[str, Any]:
    return tomllib.loads((_HERE / f"{name}.toml").read_text("utf-8"))


def country(word: str) -> frozenset[str]:
    """Every word for this country, its people and its things; empty when the word is none of them."""
    return _countries().get(word, frozenset())


def continent(word: str) -> frozenset[str]:
    """The words for this continent; empty when the word is none of them."""
    return next((frozenset(row.split()) for row in _load("demonyms")["continents"] if word in row.split()), frozenset())


def kind(word: str) -> Kind | None:
    """The kind this noun names, also in the plural."""
    table = _kinds()
    return table.get(word) or table.get(word.removesuffix("s")) or table.get(word.removesuffix("es"))


def same_kind(left: str, right: str) -> bool:
    """Two nouns that may stand for each other: a television show is a series."""
    one, two = kind(left), kind(right)
    return one is not None and one == two and one.apart


def related(left: str, right: str) -> bool:
    """Both may be said of one thing, such as British and Scottish."""
    return any(left in row.split() and right in row.split() for row in _load("demonyms")["related"])


def names_other(word: str) -> bool:
    """Behind a demonym, this word says that a language, a game or another people is meant."""
    return word in _load("demonyms")["not_before"]
