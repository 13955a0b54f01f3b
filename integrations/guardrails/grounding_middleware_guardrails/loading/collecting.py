"""All faults of a document at once: each is raised where it is found, and told together with the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from grounding_middleware.errors import ConfigError

_Made = TypeVar("_Made")


def all_of(makers: Iterable[Callable[[], _Made]]) -> list[_Made]:
    """What each of `makers` gives, in order; raises one `ConfigError` that has a line for each of those that raise."""
    made, faults = [], []
    for make in makers:
        try:
            made.append(make())
        except ConfigError as error:
            faults.append(str(error))
    if faults:
        raise ConfigError("\n".join(dict.fromkeys(faults)))
    return made
