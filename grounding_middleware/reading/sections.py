"""The title of a section as the headings it is made of: "Handbook > 4 Fees" stands under two of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from grounding_middleware.reading.reader import read
from grounding_middleware.reading.units import Unit

__all__ = ["headings"]

_STEP: Final = re.compile(r"\s+(?:>|›|»|→|::|/|\|)\s+|\s*\n\s*")
_NUMBER: Final = re.compile(r"(?:§\s*)?(?:\d{1,3}(?:\.\d{1,3})*|[A-Z]|[IVX]{1,4})[.)]?\s+(?=\S)")
_SECTIONS: Final = 1024


@lru_cache(maxsize=_SECTIONS)
def headings(section: str, language: str) -> tuple[Unit, ...]:
    """The headings named by `section`, outermost first, without their numbers; offsets are those of `section`.

    The sign between two of them is no comparison, and the number of one no value. Many passages share a section, so
    the last ones are remembered.
    """
    return tuple(read(section, list(_parts(section)), language))


def _parts(section: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end, following in [*(step.span() for step in _STEP.finditer(section)), (len(section), len(section))]:
        number = _NUMBER.match(section, start, end)
        first = number.end() if number else start
        if section[first:end].strip():
            yield first, end
        start = following
