"""The segments an answer counts in, and with which of its claims (SPEC ME-6)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from grounding_middleware.evaluation.runs import Scored, ScoredClaim

__all__ = ["Group", "parts"]

Group = tuple[str, str]
"""Name and value of a segment."""


def parts(scored: Scored) -> Iterator[tuple[Group, Scored]]:
    """The answer in each segment it belongs to; where its claims differ, with the claims of that segment alone."""
    own = {name for claim in scored.claims for name in claim.segments}
    for name in sorted({*scored.segments, *own}):
        if name not in own:
            yield (name, scored.segments[name]), scored
            continue
        by_value: dict[str, list[ScoredClaim]] = defaultdict(list)
        for claim in scored.claims:
            value = claim.segments.get(name, scored.segments.get(name))
            if value is not None:
                by_value[value].append(claim)
        for value, claims in by_value.items():
            yield (name, value), scored.model_copy(update={"claims": tuple(claims)})
