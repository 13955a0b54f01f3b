"""Closed classes of words by which a sentence points to the sentences around it, loaded once per language."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib.resources import files
from typing import Any

__all__ = ["Hints", "hints"]


@dataclass(frozen=True, slots=True)
class Hints:
    """The classes are told in `hints.toml`; all are empty for a language without a table."""

    this: frozenset[str] = frozenset()
    pointing: frozenset[str] = frozenset()
    last: frozenset[str] = frozenset()
    ordinals: frozenset[str] = frozenset()
    forward: frozenset[str] = frozenset()
    supposing: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()
    undone: frozenset[str] = frozenset()


@lru_cache(maxsize=32)
def hints(language: str) -> Hints:
    """The words of `language`."""
    table = _tables().get(language, {})
    return Hints(**{one.name: frozenset(table.get(one.name, "").split()) for one in fields(Hints)})


@lru_cache(maxsize=1)
def _tables() -> dict[str, Any]:
    return tomllib.loads((files("grounding_middleware.reading") / "hints.toml").read_text("utf-8"))
