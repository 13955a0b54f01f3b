"""Which statements a marker covers (CI-2).

A marker covers the statement it stands in or directly behind; at the start of a sentence, the sentence it opens.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence

from grounding_middleware.records import Citation, Claim

__all__ = ["attach"]


def attach(claims: Sequence[Claim], citations: Sequence[Citation], answer: str) -> tuple[Claim, ...]:
    """`claims` with their citations filled in; uncertain mappings are flagged ambiguous."""
    found: dict[int, list[int]] = defaultdict(list)
    starts = [claim.start for claim in claims]
    for index, citation in enumerate(citations):
        at = bisect_right(starts, citation.start) - 1
        if at < 0 or "\n" in answer[claims[at].end : citation.start]:
            at += 1
        if at < len(claims):
            found[at].append(index)
    return tuple(
        claim.model_copy(update={"citations": tuple(found[number])}) if number in found else claim
        for number, claim in enumerate(claims)
    )
