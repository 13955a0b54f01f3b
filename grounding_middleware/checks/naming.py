"""One name in two lengths: "Bateman ran a firm" says it of Justine Bateman."""

from __future__ import annotations

from dataclasses import replace

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.reading.units import Item


def by_part_of_name(alignment: Alignment) -> Alignment | None:
    """The alignment, if all words of the claim stand there but for parts of a name that stands there in part.

    None when another word is missing. What comes back counts as anchored: for conflicts only, never for support.
    """
    if not alignment.pairs:
        return None
    found = {here.position for here, _ in alignment.pairs if here.name}
    left = [one for one in alignment.claim_left if not _bracketed(alignment, one)]
    while left:
        beside = [
            one
            for one in left
            if one.name and not (one.code or one.prep) and found & {one.position - 1, one.position + 1}
        ]
        if not beside:
            return None
        found |= {one.position for one in beside}
        left = [one for one in left if one not in beside]
    return replace(alignment, claim_left=()) if alignment.claim_left else alignment


def _bracketed(alignment: Alignment, item: Item) -> bool:
    """In a bracket the claim only says which thing of that name it means: "Hush (2016 film)"."""
    depth = 0
    for token in alignment.claim.tokens:
        if token.start >= item.start:
            return depth > 0
        depth += (token.norm == "(") - (token.norm == ")")
    return False
