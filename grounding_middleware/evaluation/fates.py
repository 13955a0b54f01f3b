"""What became of each statement of an answer, told from its report alone, whatever policy was used."""

from __future__ import annotations

from collections.abc import Mapping

from grounding_middleware.evaluation.runs import Fate
from grounding_middleware.records import Range, Report, Verdict
from grounding_middleware.repair.recite import CITE

__all__ = ["Fates", "edited"]


class Fates:
    """The fates of the statements of one report; `shown` when the reader gets the answer, edited or not."""

    def __init__(self, report: Report) -> None:
        self._answer = report.answer
        self._cut = [(edit.start, edit.end) for edit in report.edits]
        text = edited(report).rstrip()
        self.shown = bool(text) and report.text.startswith(text)  # a notice may follow
        self._repaired = _repaired(report)

    def of(self, verdict: Verdict) -> Fate:
        """Of a statement the verifier found."""
        if self.shown and verdict.id in self._repaired:
            return Fate.REPAIRED
        return self.of_place((verdict.start, verdict.end))

    def of_place(self, place: Range) -> Fate:
        """Of a piece of the answer: kept while one letter or digit of it is."""
        if not self.shown:
            return Fate.WITHHELD
        start, end = place
        left = (at for at in range(start, end) if self._answer[at].isalnum())
        kept = any(not any(low <= at < high for low, high in self._cut) for at in left)
        return Fate.KEPT if kept or not self._answer[start:end].strip() else Fate.REMOVED

    def after(self, verdict: Verdict) -> str | None:
        """The label with which a statement reaches the reader; None when it does not."""
        fate = self.of(verdict)
        if fate is Fate.REPAIRED:
            return "SUPPORTED"  # its new words were verified, else they would not stand there
        return verdict.label.value if fate is Fate.KEPT else None


def edited(report: Report) -> str:
    """The answer with the edits of the report, whether it was released or not."""
    text = report.answer
    for edit in sorted(report.edits, key=lambda one: (one.start, one.end), reverse=True):
        text = text[: edit.start] + edit.replacement + text[edit.end :]
    return text


def repair_outcomes(report: Report) -> Mapping[tuple[str, ...], bool]:
    """Each group of statements somebody tried to repair, and whether it worked; citing what was right is no repair."""
    found: dict[tuple[str, ...], bool] = {}
    for attempt in report.repairs:
        if attempt.step != CITE:
            found[attempt.claim_ids] = found.get(attempt.claim_ids, False) or attempt.accepted
    return found


def _repaired(report: Report) -> frozenset[str]:
    return frozenset(claim_id for ids, worked in repair_outcomes(report).items() if worked for claim_id in ids)
