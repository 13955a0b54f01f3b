"""One text against one evidence, as far as no model is needed: markers, statements, verdicts by rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from grounding_middleware import citations as citing
from grounding_middleware.checks import CHECKS, Check, Library
from grounding_middleware.citations import CitationSyntax
from grounding_middleware.claims import split
from grounding_middleware.claims.risk import RiskRules, classify_risk
from grounding_middleware.records import Citation, Claim, Evidence, Verdict
from grounding_middleware.verdicts import Setting, by_rules

__all__ = ["Examined", "Examiner"]

_DEFAULT_LANGUAGE: Final = "en"  # when no word of answer or question tells: function words of others would have told


@dataclass(frozen=True, slots=True)
class Examined:
    """A text with its setting and the verdicts of the rules on every statement of it, in order."""

    setting: Setting
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class Examiner:
    """How answers are read: which checks look at a claim, how markers are written, which claims make somebody act."""

    checks: Sequence[Check] = CHECKS
    syntax: CitationSyntax = field(default_factory=CitationSyntax)
    risks: RiskRules = field(default_factory=RiskRules)

    def examine(self, answer: str, question: str, evidence: Evidence) -> Examined:
        """`answer` read and judged by rules."""
        citations, claims = self._read(answer, question, evidence)
        language = next((claim.language for claim in claims if claim.language), "") or _DEFAULT_LANGUAGE
        setting = Setting(answer, question, citations, evidence, Library(evidence, language), language, self.checks)
        return Examined(setting, by_rules(claims, setting))

    def again(self, setting: Setting, text: str) -> Examined:
        """Another text of the same answer, read and judged as the first one was: same language, same evidence."""
        citations, claims = self._read(text, setting.question, setting.evidence)
        setting = replace(setting, answer=text, citations=citations)
        return Examined(setting, by_rules(claims, setting))

    def markers(self, text: str, evidence: Evidence) -> tuple[Citation, ...]:
        """The markers of `text`."""
        return citing.resolve(text, evidence, self.syntax)

    def _read(self, text: str, question: str, evidence: Evidence) -> tuple[tuple[Citation, ...], tuple[Claim, ...]]:
        citations = self.markers(text, evidence)
        claims = classify_risk(split(text, citations, question), self.risks)
        return citations, citing.attach(claims, citations, text)
