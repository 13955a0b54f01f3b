"""The gates: they look at one side of an answer, ask no model, and change nothing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, Final

from guardrails import register_validator
from guardrails_ai.types import PassResult, ValidationResult

from grounding_middleware import Grounder
from grounding_middleware.checks import Check, exact, quotes, values
from grounding_middleware.records import Label, Outcome, Report, Verdict
from grounding_middleware_guardrails._base import GroundingValidator, failed
from grounding_middleware_guardrails._verifying import looking, places
from grounding_middleware_guardrails.arguments import (
    AnswerableArguments,
    CitedSpansArguments,
    QuotesAndNumbersArguments,
)
from grounding_middleware_guardrails.request import request_of

__all__ = ["Answerable", "CitedSpans", "QuotesAndNumbers"]


class _Gate(GroundingValidator, ABC):
    """A validator that reads a report made by rules alone.

    A `grounder` says how citations look and what an answer may rest on; its judge, policy and sinks play no role here.
    """

    checks: ClassVar[tuple[Check, ...]] = ()

    def __init__(self, *args: Any, on_fail: Any = None, **kwargs: Any) -> None:
        super().__init__(*args, on_fail=on_fail, **kwargs)
        self.grounder: Grounder = looking(self.arguments.grounder, self.checks, self.rail_alias)

    def _validate(self, value: Any, metadata: Any) -> ValidationResult:
        report = self.grounder.check(self._text(value), **request_of(metadata).context)
        wrong = list(self._objections(report))
        if not wrong:
            return PassResult()
        claims = sum(verdict.label.is_claim for verdict in report.claims)
        return failed(f"{self.rail_alias}: {len(wrong)} of {claims} claims fail", places(wrong))

    @abstractmethod
    def _objections(self, report: Report) -> Iterator[Verdict]:
        """The claims that fail."""


@register_validator(name="grounding/cited_spans", data_type="string")
class CitedSpans(_Gate):
    """Passes a text only if every marker leads to a captured span that may be used, and every claim has one."""

    arguments_type: ClassVar[type[Any]] = CitedSpansArguments

    def _objections(self, report: Report) -> Iterator[Verdict]:
        broken = {at for at, citation in enumerate(report.citations) if not citation.valid}
        for verdict in report.claims:
            uncited = verdict.label.is_claim and not verdict.citations and not self.arguments.allow_uncited
            if uncited or broken.intersection(verdict.citations):
                yield verdict


@register_validator(name="grounding/quotes_and_numbers", data_type="string")
class QuotesAndNumbers(_Gate):
    """Passes a text only if its quotations, numbers, dates and identifiers stand in the spans that are cited for them.

    A claim without citation is compared with all evidence. What cannot be compared, for want of a usable span, fails.
    """

    arguments_type: ClassVar[type[Any]] = QuotesAndNumbersArguments
    checks: ClassVar[tuple[Check, ...]] = (quotes.check, values.check, exact.check)

    def _objections(self, report: Report) -> Iterator[Verdict]:
        refused = {Outcome.CONFLICT} if self.arguments.tolerance == "doubts" else {Outcome.CONFLICT, Outcome.DOUBT}
        for verdict in report.claims:
            found = any(finding.outcome in refused for finding in verdict.findings if finding.check in _COMPARED)
            uncompared = verdict.label is Label.INVALID_CITATION or not report.evidence.usable
            if verdict.label.is_claim and (found or uncompared):
                yield verdict


_COMPARED: Final = frozenset({"quotes", "values", "exact"})


@register_validator(name="grounding/answerable", data_type="string")
class Answerable(_Gate):
    """Passes a text only if there is enough to answer from, or if it says that there is not and claims nothing."""

    arguments_type: ClassVar[type[Any]] = AnswerableArguments

    def _objections(self, report: Report) -> Iterator[Verdict]:
        if len(report.evidence.usable) < max(self.arguments.min_spans, report.evidence.minimum):
            yield from (verdict for verdict in report.claims if verdict.label.is_claim)
