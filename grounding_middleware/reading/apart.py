"""Cues told in two words with others between them: "ne ... pas", "non ... più", "geen ... meer"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from grounding_middleware.reading.lexicon import Apart, Lexicon

_REACH: Final = 6  # tokens between the two words; a verb phrase with its pronouns
_STOPS: Final = frozenset(".,;:!?()[]–—")


@dataclass(frozen=True, slots=True)
class Gap:
    """One word of such a cue: the one that carries it has its `name`; `last` is the position of the other behind it.

    A word without a name and without `last` says nothing of its own.
    """

    name: str = ""
    last: int = 0


def told_apart(norms: Sequence[str], words: Lexicon) -> dict[int, Gap]:
    """Position of each word of each such cue; each first word takes the nearest second word behind it."""
    found: dict[int, Gap] = {}
    for position, norm in enumerate(norms) if words.apart else ():
        seconds = words.apart.get(norm, {})
        behind = _second(norms, position, seconds) if seconds and position not in found else 0
        if not behind:
            if seconds and norms[position + 1 : position + 2] and norms[position + 1] in words.denying:
                found[position] = Gap("negation.clause")  # "ne peut excéder"
            continue
        rule = seconds[norms[behind]]
        found[position] = Gap(rule.name, behind) if rule.from_first else Gap(last=0)
        found[behind] = Gap() if rule.from_first else Gap(rule.name)
    return found


def _second(norms: Sequence[str], position: int, seconds: dict[str, Apart]) -> int:
    """The position of the second word; 0 when none comes before the clause ends."""
    for place in range(position + 1, min(len(norms), position + 2 + _REACH)):
        if norms[place] in _STOPS:
            return 0
        after = norms[place + 1] if place + 1 < len(norms) else ""
        if norms[place] in seconds and after not in seconds[norms[place]].unless_before:
            return place
    return 0
