"""What the steps of a repair read: the examined answer, its treated verdicts, and the settings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from grounding_middleware.checks.library import Library, Shelf
from grounding_middleware.reading.reader import read
from grounding_middleware.reading.units import Unit
from grounding_middleware.records import Range, Verdict
from grounding_middleware.repair.marking import Scribe
from grounding_middleware.repair.settings import Repair
from grounding_middleware.repair.targets import Target
from grounding_middleware.repair.verifying import Original
from grounding_middleware.verdicts import Setting, masked

__all__ = ["Ground"]


@dataclass(frozen=True)
class Ground:
    """One answer about to be repaired; nothing in it changes."""

    original: Original
    settings: Repair

    @property
    def setting(self) -> Setting:
        """What its claims were judged against."""
        return self.original.setting

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The treated verdicts on it."""
        return self.original.verdicts

    @cached_property
    def scribe(self) -> Scribe:
        """Who writes its new markers."""
        setting = self.original.setting
        return Scribe(self.original.examiner, setting.evidence, setting.citations, self.settings.marker)

    @property
    def answer(self) -> str:
        """The text the model gave."""
        return self.setting.answer

    @property
    def library(self) -> Library:
        """The usable evidence, read."""
        return self.setting.library

    @property
    def cites(self) -> bool:
        """Whether a statement without a citation may get one: the answer has others, or it is asked for (CI-7)."""
        return bool(self.settings.marker) and (self.settings.cite or bool(self.setting.citations))

    @cached_property
    def words(self) -> str:
        """The answer with its markers blanked."""
        return masked(self.setting.answer, self.setting.citations)

    def unit(self, verdict: Verdict) -> Unit:
        """What the claim says, read like the checks read it."""
        return self.unit_at((verdict.start, verdict.end))

    def unit_at(self, place: Range) -> Unit:
        """What a stretch of the answer says."""
        return read(self.words, [place], self.setting.language)[0]

    def shelf(self, span_id: str, place: Range) -> Shelf | None:
        """The sentence of the evidence that holds this place of a span; the innermost where cells stand in rows."""
        found = [
            shelf
            for shelf in self.library.shelves
            if shelf.span_id == span_id and shelf.unit.start <= place[0] and place[1] <= shelf.unit.end
        ]
        return min(found, key=lambda shelf: shelf.unit.end - shelf.unit.start, default=None)

    def others(self, target: Target) -> set[int]:
        """The citations that statements outside the target carry."""
        ids = set(target.claim_ids)
        return {number for verdict in self.verdicts if verdict.id not in ids for number in verdict.citations}
