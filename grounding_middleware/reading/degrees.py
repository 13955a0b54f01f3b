"""How sure and how often: which words of certainty say the same, and which only are of one kind.

"Usually" and "normally" may stand for each other; "often" and "rarely" are both no certainty, and opposites.
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files

from grounding_middleware.reading.lemmas import keys

__all__ = ["degree"]


def degree(phrase: str, language: str) -> str:
    """One name for all words that say the same as `phrase`: the first of its group, or its own base form."""
    told = " ".join(phrase.casefold().replace("’", "'").split())
    return _groups(language).get(told) or " ".join(min(keys(word, language), default=word) for word in told.split())


@lru_cache(maxsize=16)
def _groups(language: str) -> dict[str, str]:
    data: dict[str, list[list[str]]] = tomllib.loads(files(__package__).joinpath("degrees.toml").read_text("utf-8"))
    return {word: group[0] for group in data.get(language, []) for word in group}
