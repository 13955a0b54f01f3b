"""What stands in the queue: a short `Item` for lists, a `Case` with the whole report for whoever decides."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from grounding_middleware.records import Action, Label, Record, Report, Verdict
from grounding_middleware.review.rulings import Adjudication, AnswerRuling, ClaimRuling, Ruling

__all__ = ["Case", "Item", "State"]


class State(StrEnum):
    """Waiting for anybody, leased to one reviewer for a while, decided for good, or emptied by a purge."""

    WAITING = "waiting"
    LEASED = "leased"
    DECIDED = "decided"
    PURGED = "purged"


class Item(Record):
    """One answer in the queue. `priority` from 0 to 9, 9 first; `question` is its printable beginning.

    `reviewer` holds the item until `until`, or was the last to hold a decided one; empty while it waits.
    """

    id: str
    answer_id: str
    action: Action
    reason: str
    question: str
    priority: int
    state: State
    reviewer: str = ""
    until: datetime | None = None
    created: datetime
    decided: datetime | None = None
    claims: int = 0
    unsupported: int = 0


class Case(Record):
    """An item with its report and every adjudication in the order they were given."""

    item: Item
    report: Report
    adjudications: tuple[Adjudication, ...] = ()

    def of_claim(self, claim_id: str) -> Adjudication | None:
        """The ruling on this claim that counts: the newest."""
        found = (each for each in reversed(self.adjudications) if _claim_id(each) == claim_id)
        return next(found, None)

    @property
    def of_answer(self) -> Adjudication | None:
        """The ruling on the whole answer that counts: the newest."""
        return self.of_claim("")

    @property
    def edited(self) -> str:
        """The text a reviewer gave instead of the answer; never verified, so never to be shown as it is. Or empty."""
        final = self.of_answer
        return final.given.text if final and final.given.ruling is Ruling.EDIT else ""

    def right(self, verdict: Verdict) -> ClaimRuling | None:
        """What a person holds to be right for this claim, as a ruling with label and kind; None when nobody said.

        A whole answer that was agreed with confirms every verdict that has no ruling of its own. UNVERIFIED cannot be
        right: nobody knew.
        """
        own = self.of_claim(verdict.id)
        given = own.given if own and isinstance(own.given, ClaimRuling) else None
        final = self.of_answer
        if given is None and not (final and final.given.ruling is Ruling.AGREE):
            return None
        if given and given.label:
            return given
        if verdict.label is Label.UNVERIFIED:
            return None
        ruling = given or ClaimRuling(claim_id=verdict.id, ruling=Ruling.AGREE)
        return ruling.model_copy(update={"label": verdict.label, "kind": verdict.kind})


def _claim_id(adjudication: Adjudication) -> str:
    given = adjudication.given
    return "" if isinstance(given, AnswerRuling) else given.claim_id
