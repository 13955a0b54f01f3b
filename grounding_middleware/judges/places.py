"""Where a text that a model claims to have copied really stands."""

from __future__ import annotations

import re

from grounding_middleware.records import Range

MAX_PLACES = 100
"""Occurrences of one text that are looked at."""


def places(copied: str, text: str, hint: int | None = None) -> tuple[Range, ...]:
    """The ranges of `text` that are exactly `copied`, without outer blanks: the one at `hint`, else all of them.

    Offsets of models are hints; one that does not fit is ignored. Nothing is found by likeness.
    """
    wanted = copied.strip()
    if not wanted:
        return ()
    if hint is not None and text[hint : hint + len(wanted)] == wanted:
        return ((hint, hint + len(wanted)),)
    found = (match.span() for match in re.finditer(re.escape(wanted), text))
    return tuple(place for place, _ in zip(found, range(MAX_PLACES), strict=False))
