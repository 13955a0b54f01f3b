"""Which verdicts are about a gold claim: told by offsets, never by comparing texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from grounding_middleware.labels import Label
from grounding_middleware.records import Claim, Range, Verdict

__all__ = ["WORST_FIRST", "about", "unclaimed", "worst"]

WORST_FIRST: Final = (
    Label.CONTRADICTED,
    Label.INVALID_CITATION,
    Label.INSUFFICIENT_EVIDENCE,
    Label.UNVERIFIED,
    Label.SUPPORTED,
    Label.ABSTENTION,
    Label.NOT_A_CLAIM,
)
"""A sentence is as bad as its worst part; an undecided part keeps it from being supported."""

_TOUCH: Final = 3  # characters two statements may share, brackets or a full stop, without being about the same

AnyClaim = TypeVar("AnyClaim", bound=Claim)


def about(place: Range, claims: Sequence[AnyClaim]) -> tuple[AnyClaim, ...]:
    """The claims that share more than a few characters with `place`, in order."""
    return tuple(claim for claim in claims if _shared(place, (claim.start, claim.end)))


def worst(verdicts: Sequence[Verdict]) -> Verdict | None:
    """The one with the worst label, the first of several; None without any."""
    return min(verdicts, key=lambda verdict: WORST_FIRST.index(verdict.label), default=None)


def unclaimed(verdicts: Sequence[Verdict], places: Sequence[Range]) -> tuple[Verdict, ...]:
    """The verdicts that are about none of `places`."""
    return tuple(one for one in verdicts if not any(_shared(place, (one.start, one.end)) for place in places))


def _shared(one: Range, other: Range) -> bool:
    length = min(one[1], other[1]) - max(one[0], other[0])
    return length > min(_TOUCH, one[1] - one[0] - 1, other[1] - other[0] - 1)
