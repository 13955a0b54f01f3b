"""Label flow: how many statements of each label the model wrote, and where each of them ended up.

Counted twice: by the label a person gave (gold claims only) and by the verifier's own label (every statement). The
memory it takes does not grow with the run. `Summary.fates` does not tell a claim that is withheld for a person to look
at from one that is gone, which this does.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from grounding_middleware.evaluation.golden import UNSUPPORTED, GoldLabel
from grounding_middleware.evaluation.page.words import Destination, destination
from grounding_middleware.evaluation.runs import Scored
from grounding_middleware.labels import Label

__all__ = ["ORDER", "AnyLabel", "Flow"]

AnyLabel = GoldLabel | None
"""A gold label, or the verifier's, which is None where no verdict covers the claim."""

ORDER: Final[tuple[AnyLabel, ...]] = (
    Label.SUPPORTED,
    Label.CONTRADICTED,
    Label.INSUFFICIENT_EVIDENCE,
    Label.INVALID_CITATION,
    UNSUPPORTED,
    Label.UNVERIFIED,
    None,
    Label.NOT_A_CLAIM,
    Label.ABSTENTION,
)
"""Labels as tables list them."""


@dataclass(slots=True)
class Flow:
    """Counts by label and destination, of gold labels and of the verifier's."""

    by_gold: Counter[tuple[AnyLabel, Destination]] = field(default_factory=Counter)
    by_verdict: Counter[tuple[AnyLabel, Destination]] = field(default_factory=Counter)

    def add(self, answer: Scored) -> None:
        """Count one answer."""
        for claim in answer.claims:
            where = destination(claim, answer)
            self.by_verdict[claim.label, where] += 1
            if claim.gold is not None:
                self.by_gold[claim.gold, where] += 1
