"""A rate over a set of answers: so many of so many, counted answer by answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from grounding_middleware.evaluation.golden import FLAGS, PASSES, Side
from grounding_middleware.evaluation.runs import Scored, ScoredClaim
from grounding_middleware.labels import Label

__all__ = ["Better", "Measure", "Pair", "flagged", "must_flag", "must_pass", "ratio", "undecided"]

Pair = tuple[int, int]
"""`(k, n)`: k of n in one answer. Rates are the sum of all k over the sum of all n; without any n there is no rate."""


class Better(StrEnum):
    """Which direction is an improvement."""

    HIGHER = "higher"
    LOWER = "lower"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Measure:
    """A rate by `name`; `title` is what a reader sees, `about` says "k of n" in words."""

    name: str
    title: str
    about: str
    better: Better
    count: Callable[[Scored], Pair]


def ratio(claims: Iterable[ScoredClaim], hit: Callable[[ScoredClaim], bool]) -> Pair:
    """How many of the claims hit, and how many there are."""
    found = [hit(claim) for claim in claims]
    return sum(found), len(found)


def must_flag(scored: Scored) -> list[ScoredClaim]:
    """The claims that a verifier has to object to."""
    return [claim for claim in scored.claims if claim.side is Side.FLAG]


def must_pass(scored: Scored) -> list[ScoredClaim]:
    """The statements that a verifier has to let pass."""
    return [claim for claim in scored.claims if claim.side is Side.PASS]


def flagged(claim: ScoredClaim) -> bool:
    """Whether the verifier objects; also that it could not check a claim of which nothing else is right."""
    return claim.label in FLAGS or (claim.label is Label.UNVERIFIED and claim.right is True)


def undecided(claim: ScoredClaim) -> bool:
    """Neither flagged nor passed: nobody decided, or no verdict covers the claim."""
    return not flagged(claim) and claim.label not in PASSES
