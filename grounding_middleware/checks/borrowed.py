"""Borrowed arguments (CH-7): "Das Amt prüft den Antrag, die Kasse zahlt das Geld" does not say that the Kasse prüft.

The claim has the verb and all but one noun from one clause of the source, and that noun from another clause; in its
place the first clause names somebody else.
"""

from __future__ import annotations

from typing import Final

from grounding_middleware.checks.alignment import Alignment, Pair
from grounding_middleware.checks.marked import article, clause, infinitive, verbal
from grounding_middleware.reading.units import Item

__all__ = ["borrowed"]

_MARKS: Final = ("negation", "condition", "quantity")
_OBLIQUE: Final = frozenset({"den", "dem", "des", "einen", "einem", "eines"})


def borrowed(alignment: Alignment) -> tuple[Pair, Item] | None:
    """The noun from the other clause, and whom or what the verb's own clause names instead; German only."""
    claim, source = alignment.claim, alignment.source
    if claim.language != "de" or alignment.opposed or not alignment.anchored or alignment.by_context or claim.values:
        return None
    if any(cue.table in _MARKS for cue in (*claim.cues, *source.cues)) or len({i.segment for i in claim.items}) > 1:
        return None
    verb = next((pair for pair in alignment.pairs if verbal(claim, pair[0])), None)
    strange = [pair for pair in alignment.pairs if verb and pair[1].segment != verb[1].segment]
    if verb is None or len(strange) != 1 or not _noun(strange[0][0]) or strange[0][1].prep:
        return None
    home = verb[1].segment
    beside = [
        one for one in alignment.pairs if one[1].segment == home and one[0].text[:1].isupper() and one is not verb
    ]
    left = [item for item in alignment.source_left if item.segment == home]
    if len(left) != 1 or not _noun(left[0]) or article(source, left[0])[0] in _OBLIQUE - _likely(strange[0], alignment):
        return None
    if not beside or not clause(source, strange[0][1].segment) or infinitive(source, home):
        return None
    return strange[0], left[0]


def _noun(item: Item) -> bool:
    return item.text[:1].isupper() and not item.prep and not item.code


def _likely(pair: Pair, alignment: Alignment) -> frozenset[str]:
    """Articles the replaced noun may have: that of the borrowed one."""
    return frozenset({article(alignment.claim, pair[0])[0]})
