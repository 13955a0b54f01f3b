"""One text against one evidence, as far as no model is needed: markers, statements, verdicts by rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from grounding_middleware import citations as citing
from grounding_middleware.checks import CHECKS, Check, Library
from grounding_middleware.citations import CitationSyntax
from grounding_middleware.claims import split
from grounding_middleware.claims.risk import RiskRules, classify_risk
from grounding_middleware.conflicts import settled
from grounding_middleware.conflicts.disputes import Disputes
from grounding_middleware.precedence import Precedence
from grounding_middleware.reading.units import Unit
from grounding_middleware.records import Citation, Claim, Evidence, Finding, Verdict
from grounding_middleware.verdicts import AnswerPlace, Setting, cited_spans, in_context, judge_claim, read_claims

__all__ = ["Examined", "Examiner"]

_SAMPLE: Final = 400  # characters of a source, of the first few, that tell the language of a short answer
_SAMPLED: Final = 8
_DEFAULT_LANGUAGE: Final = "en"  # when no word of answer or question tells: function words of others would have told


_Key = tuple[object, ...]
Memory = dict[_Key, tuple[Claim, tuple[Verdict, ...]]]
"""What the rules said of a claim, by everything it depends on: only what changed is judged again."""


@dataclass(frozen=True, slots=True)
class Examined:
    """A text with its setting and the verdicts of the rules on every statement of it, in order."""

    setting: Setting
    verdicts: tuple[Verdict, ...]
    memory: Memory = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Examiner:
    """How answers are read: which checks look at a claim, how markers are written, which claims make somebody act.

    `precedence` says which of two sources prevails that contradict each other.
    """

    checks: Sequence[Check] = CHECKS
    syntax: CitationSyntax = field(default_factory=CitationSyntax)
    risks: RiskRules = field(default_factory=RiskRules)
    precedence: Precedence = ()

    def examine(self, answer: str, question: str, evidence: Evidence) -> Examined:
        """`answer` read and judged by rules."""
        citations, claims = self._read(answer, question, evidence)
        language = next((claim.language for claim in claims if claim.language), "") or _DEFAULT_LANGUAGE
        library = Library(evidence, language)
        disputes = Disputes(self.precedence)
        setting = Setting(answer, question, citations, evidence, library, language, self.checks, disputes)
        memory: Memory = {}
        return Examined(setting, tuple(_judged(claims, setting, memory)), memory)

    def again(self, before: Examined, text: str) -> Examined:
        """Another text of the same answer, read and judged as the first one was: same language, same evidence."""
        citations, claims = self._read(text, before.setting.question, before.setting.evidence)
        setting = replace(before.setting, answer=text, citations=citations)
        return Examined(setting, tuple(_judged(claims, setting, before.memory)), before.memory)

    def markers(self, text: str, evidence: Evidence) -> tuple[Citation, ...]:
        """The markers of `text`."""
        return citing.resolve(text, evidence, self.syntax)

    def _read(self, text: str, question: str, evidence: Evidence) -> tuple[tuple[Citation, ...], tuple[Claim, ...]]:
        citations = self.markers(text, evidence)
        beside = " ".join(span.text[:_SAMPLE] for span in evidence.usable[:_SAMPLED])
        claims = classify_risk(split(text, citations, question, beside), self.risks)
        return citations, citing.attach(claims, citations, text)


def _judged(claims: Sequence[Claim], setting: Setting, memory: Memory) -> Iterator[Verdict]:
    """As `by_rules`, remembering."""
    for claim, unit, place in in_context(claims, read_claims(claims, setting)):
        key = _key(claim, unit, place, setting)
        if key not in memory:
            found = judge_claim(claim, unit, place, setting)
            memory[key] = claim, tuple(settled(verdict, setting, unit) for verdict in found)
        origin, verdicts = memory[key]
        yield from verdicts if origin == claim else (_moved(verdict, origin, claim) for verdict in verdicts)


def _key(claim: Claim, unit: Unit, place: AnswerPlace, setting: Setting) -> _Key:
    """Everything of one answer that the verdict of the rules on one claim depends on."""
    markers = tuple((setting.citations[n].ref, setting.citations[n].kind) for n in claim.citations)
    words = setting.answer[claim.start : claim.end]
    told = (claim.form, claim.statement, claim.context, claim.risk, unit.language)
    return (words, unit.text, told, place.key, markers, cited_spans(claim, setting), bool(claim.citations))


def _moved(verdict: Verdict, origin: Claim, claim: Claim) -> Verdict:
    """A verdict on the same words in another place."""
    by = claim.start - origin.start
    own = ("block", "citations", "citation_ambiguous", "needs_context")
    return verdict.model_copy(
        update={
            **{name: getattr(claim, name) for name in own},
            "id": claim.id + verdict.id.removeprefix(origin.id),
            "start": verdict.start + by,
            "end": verdict.end + by,
            "findings": tuple(_shifted(finding, by) for finding in verdict.findings),
        }
    )


def _shifted(finding: Finding, by: int) -> Finding:
    if finding.claim_range is None:
        return finding
    return finding.model_copy(update={"claim_range": (finding.claim_range[0] + by, finding.claim_range[1] + by)})
