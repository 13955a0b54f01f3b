"""What a comparison says: the relation, why, and what differs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from grounding_middleware.records import Kind


class Relation(StrEnum):
    """How a claim's value stands to a source's value of the same property."""

    ENTAILED = "entailed"
    DISJOINT = "disjoint"
    OTHER = "other"
    INCOMPARABLE = "incomparable"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The relation with its reason; `kind` says what differs and is set for DISJOINT."""

    relation: Relation
    reason: str
    kind: Kind | None = None


def entailed(reason: str) -> Comparison:
    """The claim's value follows."""
    return Comparison(Relation.ENTAILED, reason)


def disjoint(reason: str, kind: Kind) -> Comparison:
    """Both values cannot hold for one property."""
    return Comparison(Relation.DISJOINT, reason, kind)


def other(reason: str, kind: Kind | None = None) -> Comparison:
    """Comparable, but neither follows nor excludes."""
    return Comparison(Relation.OTHER, reason, kind)


def incomparable(reason: str) -> Comparison:
    """The values measure different things."""
    return Comparison(Relation.INCOMPARABLE, reason)
