"""The words that give a deontic status, from data/duties.toml: one table a language, closed classes only."""

from __future__ import annotations

import tomllib
from enum import Enum
from functools import lru_cache
from importlib.resources import files
from typing import Final

from grounding_middleware.reading.lemmas import keys
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Cue, Item

__all__ = ["Status", "duty_words", "listed_status", "says_only_that", "status_of"]


class Status(Enum):
    """What a clause makes of an act or a thing."""

    REQUIRED = "required"
    WAIVED = "waived"
    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"


_DENIED: Final = {
    Status.REQUIRED: Status.WAIVED,
    Status.ALLOWED: Status.FORBIDDEN,
    Status.FORBIDDEN: Status.ALLOWED,
}
_MODALS: Final = {"modality.permission": Status.ALLOWED, "modality.duty": Status.REQUIRED}
_AS_WRITTEN: Final = ("with", "unclear", "unclear_denied", "forbids_denied")


@lru_cache(maxsize=16)
def duty_words(language: str) -> dict[str, frozenset[str]]:
    """The word classes of a language by every form they are found under; empty where there are none."""
    data = tomllib.loads((files("grounding_middleware.checks") / "data" / "duties.toml").read_text("utf-8"))
    return {
        name: frozenset(listed if name in _AS_WRITTEN else (key for word in listed for key in keys(word, language)))
        for name, listed in data.get(language, {}).items()
    }


def status_of(mark: Cue | Item, language: str, *, denied: bool) -> Status | None:
    """What a modal or a listed word says, with or without a negation; None where that is not plain."""
    words = duty_words(language)
    if isinstance(mark, Item):
        said = listed_status(mark, language)
        return _DENIED.get(said) if said and denied else said
    modal, status = mark.text.casefold(), _MODALS.get(mark.name)
    if status is None or modal in words.get("unclear", ()):
        return None
    if not denied:
        return status
    if modal in words.get("unclear_denied", ()):
        return None
    return Status.FORBIDDEN if modal in words.get("forbids_denied", ()) else _DENIED[status]


def listed_status(item: Item, language: str) -> Status | None:
    """The status a word has by its list."""
    words = duty_words(language)
    return next((status for status in Status if not item.keys.isdisjoint(words.get(status.value, ()))), None)


def says_only_that(item: Item, language: str) -> bool:
    """A word of duty or leave, or one that says no more than that it takes place."""
    words = duty_words(language)
    light = any(item.keys & words.get(name, frozenset()) for name in ("light", "enough"))
    return light or listed_status(item, language) is not None or bool(item.keys & lexicon(language).existence)
