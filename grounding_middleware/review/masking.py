"""Items and cases as a reviewer may see them: masked on the way out, for a queue that was filled before the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from grounding_middleware.audit.redaction import Rule, hide, redact
from grounding_middleware.review.items import Case, Item
from grounding_middleware.review.rulings import Adjudication, ClaimRuling

__all__ = ["Mask"]


@dataclass(frozen=True, slots=True)
class Mask:
    """Hides what `rules` find; without rules everything is given as it is."""

    rules: Mapping[str, Rule] = field(default_factory=dict)

    def item(self, item: Item) -> Item:
        """The item with its question and reason masked."""
        if not self.rules:
            return item
        return item.replace(question=hide(item.question, self.rules), reason=hide(item.reason, self.rules))

    def case(self, case: Case) -> Case:
        """The case with everything masked that a person wrote; rulings stay with their claims."""
        if not self.rules:
            return case
        report, _ = redact(case.report, self.rules)
        names = {one.id: other.id for one, other in zip(case.report.claims, report.claims, strict=True)}
        rulings = tuple(self._ruling(one, names) for one in case.adjudications)
        return case.replace(item=self.item(case.item), report=report, adjudications=rulings)

    def _ruling(self, one: Adjudication, names: Mapping[str, str]) -> Adjudication:
        given = one.given
        changes: dict[str, object] = {name: hide(getattr(given, name), self.rules) for name in ("text", "note")}
        if isinstance(given, ClaimRuling):
            quote = given.quote
            changes["quote"] = quote and quote.replace(text=hide(quote.text, self.rules))
            changes["claim_id"] = names.get(given.claim_id, given.claim_id)
        return one.replace(given=given.model_copy(update=changes))
