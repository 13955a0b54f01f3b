"""Every label and every outcome by a sign and by words, so that nothing is told by colour alone.

The six outcomes a reader must never mix up (supported, contradicted, insufficient, invalid citation, unverified, not a
claim) have six signs and six wordings. `hue` names the CSS variable of the colour that repeats them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from grounding_middleware.evaluation.golden import UNSUPPORTED, GoldLabel
from grounding_middleware.evaluation.runs import Fate, Scored, ScoredClaim
from grounding_middleware.labels import Action, Label

__all__ = ["Destination", "Wording", "destination", "fate_words", "label_words"]


@dataclass(frozen=True, slots=True)
class Wording:
    """How something is told: `sign` and `words` together, `hue` besides."""

    sign: str
    words: str
    hue: str
    brief: str = ""

    def __str__(self) -> str:
        """Sign and words; never parted at the end of a line."""
        return f"{self.sign}\N{NO-BREAK SPACE}{self.words}"

    @property
    def short(self) -> str:
        """Sign and the fewest words, for the axis of a chart."""
        return f"{self.sign} {self.brief or self.words}"


_LABELS: Final[dict[GoldLabel | None, Wording]] = {
    Label.SUPPORTED: Wording("✓", "supported", "supported"),
    Label.CONTRADICTED: Wording("✗", "contradicted", "contradicted"),
    Label.INSUFFICIENT_EVIDENCE: Wording("?", "insufficient evidence", "insufficient", "insufficient"),
    Label.INVALID_CITATION: Wording("§", "invalid citation", "invalid"),
    Label.UNVERIFIED: Wording("…", "unverified (nobody could check)", "unverified", "unverified"),
    Label.NOT_A_CLAIM: Wording("–", "not a claim", "other"),
    Label.ABSTENTION: Wording("∅", "abstention", "other"),
    UNSUPPORTED: Wording("!", "unsupported, nobody said how", "contradicted", "unsupported"),
    None: Wording("□", "no verdict covers it", "unverified", "no verdict"),
}


class Destination(StrEnum):
    """Where a statement of the answer ended up, best known first."""

    SHOWN = "shown"
    MARKED = "marked"
    REPAIRED = "repaired"
    REMOVED = "removed"
    ESCALATED = "escalated"
    WITHHELD = "withheld"


_DESTINATIONS: Final = {
    Destination.SHOWN: Wording("→", "shown as written", "shown"),
    Destination.MARKED: Wording("⇢", "shown, review asked for", "marked"),
    Destination.REPAIRED: Wording("↻", "repaired", "repaired"),
    Destination.REMOVED: Wording("✂", "removed", "removed"),
    Destination.ESCALATED: Wording("↑", "withheld, handed to a person", "escalated"),
    Destination.WITHHELD: Wording("■", "withheld", "withheld"),
}
_TO_A_PERSON: Final = (Action.ESCALATE, Action.REVIEW, Action.DRAFT_REVIEW)


def label_words(label: GoldLabel | None) -> Wording:
    """How a label is told; None is a claim that no verdict covers."""
    return _LABELS[label]


def fate_words(where: Destination) -> Wording:
    """How a destination is told."""
    return _DESTINATIONS[where]


def destination(claim: ScoredClaim, answer: Scored) -> Destination:
    """Where this statement of `answer` ended up."""
    if claim.fate is Fate.KEPT:
        return Destination.MARKED if answer.action in _TO_A_PERSON else Destination.SHOWN
    if claim.fate is Fate.WITHHELD:
        return Destination.ESCALATED if answer.action in _TO_A_PERSON else Destination.WITHHELD
    return Destination(claim.fate)
