"""Word lists and statement templates, read once from the data files beside this module.

A template is a regular expression in which `<name>` stands for any entry of the list `name` of the same file and a
space for white space. Lists hold closed classes and general vocabulary; entries may use other lists.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

__all__ = ["abbreviations", "cues", "load", "months", "openers", "ordinal_before", "template", "words", "written"]

_DATA = files("grounding_middleware.claims") / "data"
_NAME = re.compile(r"<([a-z_]+)>")


@cache
def load(name: str) -> Mapping[str, Any]:
    """The data file `name`; empty when there is none, which means: this language is not covered."""
    path = _DATA / f"{name}.yaml"
    if not path.is_file():
        return {}
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    content: Mapping[str, Any] = yaml.load(path.read_text("utf-8"), Loader=loader)  # noqa: S506 - a safe loader
    return content


@cache
def words(name: str, key: str) -> frozenset[str]:
    """The entries of the list `key` in the data file `name`."""
    return frozenset(_items(load(name).get(key, ())))


@cache
def template(name: str, key: str) -> re.Pattern[str] | None:
    """One pattern that matches any template of the list `key`; None when the language has none."""
    pattern = written(name, key)
    return re.compile(pattern) if pattern else None


def written(name: str, key: str) -> str:
    """The templates of the list `key` as one regular expression; empty when the language has none."""
    data = load(name)
    items = _items(data.get(key, ()))
    return f"(?:{'|'.join(_expanded(data, item) for item in items)})" if items else ""


@cache
def cues(name: str, key: str) -> tuple[str, ...]:
    """The templates of the list `key` as written, for people to read; empty when the language has none."""
    return tuple(_items(load(name).get(key, ())))


def _items(entry: str | Sequence[str]) -> Sequence[str]:
    """Single words stand in one string, phrases and templates in a list."""
    return entry.split() if isinstance(entry, str) else entry


def _expanded(data: Mapping[str, Any], entry: str) -> str:
    def group(match: re.Match[str]) -> str:
        return f"(?:{'|'.join(_expanded(data, item) for item in _items(data[match.group(1)]))})"

    return _NAME.sub(group, entry).replace(" ", r"\s")


@cache
def abbreviations(language: str) -> tuple[frozenset[str], frozenset[str]]:
    """Abbreviations that never end a sentence, and those that end one only before a new word in upper case."""
    titles = frozenset(load("abbreviations")["titles"].get(language, "").split())
    return words("abbreviations", "never_last") | titles, words("abbreviations", "rarely_last")


@cache
def openers(language: str) -> frozenset[str]:
    """Words that begin a sentence when they are written with a capital, in languages that capitalise nothing else."""
    keys = ("determiner", "pronouns", "preposition", "connective", "subject_start")
    return frozenset().union(*(words(language, key) for key in keys))


@cache
def ordinal_before(language: str) -> frozenset[str]:
    """Words after which a number with a stop is an ordinal; empty where ordinals are written otherwise."""
    return frozenset(load("abbreviations")["ordinal_before"].get(language, "").split())


@cache
def months() -> frozenset[str]:
    """Month names and their usual short forms in the languages covered."""
    return words("abbreviations", "months")
