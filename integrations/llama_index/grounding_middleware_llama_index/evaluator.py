"""`GroundingEvaluator`: faithfulness claim by claim, strict, in every place LlamaIndex takes an evaluator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.base.response.schema import RESPONSE_TYPE
from llama_index.core.evaluation import BaseEvaluator, EvaluationResult
from llama_index.core.prompts.mixin import PromptDictType
from pydantic import Field
from typing_extensions import override

from grounding_middleware import Grounder
from grounding_middleware.errors import ConfigError, InputError
from grounding_middleware.records import Kind, Label, Report, Verdict
from grounding_middleware_llama_index._options import GuardOptions, Unpack, guard_of
from grounding_middleware_llama_index._probe import unwatched
from grounding_middleware_llama_index._responses import adrafted, drafted
from grounding_middleware_llama_index._turn import Guard


class GroundingEvaluationResult(EvaluationResult):
    """An evaluation result with the report behind it."""

    report: Report | None = Field(default=None, repr=False, description="The report, claim by claim.")


class GroundingEvaluator(BaseEvaluator):
    """Passes a response whose claims are supported: all of them, or the share `threshold` with none contradicted.

    The score is the share of supported claims. A claim nobody could decide is not supported, and makes the result
    invalid, with the reason: a judge that fails or is missing never passes anything. A response that only says that the
    sources do not answer passes. Raises `ConfigError` for a threshold outside of 0 to 1.
    """

    def __init__(
        self, grounder: Grounder | Guard | None = None, *, threshold: float = 1.0, **options: Unpack[GuardOptions]
    ) -> None:
        if not 0 < threshold <= 1:
            raise ConfigError(f"threshold is {threshold!r}; allowed is a number above 0, up to 1")
        self._guard = guard_of(grounder, options)
        self._threshold = threshold

    @override
    def evaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        **kwargs: Any,
    ) -> GroundingEvaluationResult:
        with unwatched():
            report = self._guard.grounder.check(response or "", **self._request(query, contexts))
        return self._result(report, query, response, contexts)

    @override
    async def aevaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        **kwargs: Any,
    ) -> GroundingEvaluationResult:
        with unwatched():
            report = await self._guard.grounder.acheck(response or "", **self._request(query, contexts))
        return self._result(report, query, response, contexts)

    @override
    def evaluate_response(
        self, query: str | None = None, response: RESPONSE_TYPE | None = None, **kwargs: Any
    ) -> GroundingEvaluationResult:
        draft = drafted(_given(response), "report")
        report = self._guard.turn(query or "", draft.nodes).shown(draft).check()
        return self._result(report, query, draft.text, _contexts(report))

    @override
    async def aevaluate_response(
        self, query: str | None = None, response: RESPONSE_TYPE | None = None, **kwargs: Any
    ) -> GroundingEvaluationResult:
        draft = await adrafted(_given(response), "report")
        report = await self._guard.turn(query or "", draft.nodes).shown(draft).acheck()
        return self._result(report, query, draft.text, _contexts(report))

    def _request(self, query: str | None, contexts: Sequence[str] | None) -> dict[str, Any]:
        given = [text for text in contexts or () if text.strip()]
        return {"evidence": given, "question": query or "", **self._guard.context()}

    def _result(
        self, report: Report, query: str | None, response: str | None, contexts: Sequence[str] | None
    ) -> GroundingEvaluationResult:
        claims = [verdict for verdict in report.claims if verdict.label.is_claim]
        invalid = _invalid(report, claims)
        score = _score(report, claims)
        clean = not invalid and not any(verdict.label is Label.CONTRADICTED for verdict in claims)
        return GroundingEvaluationResult(
            query=query,
            response=response,
            contexts=contexts,
            passing=clean and score is not None and score >= self._threshold,
            score=score,
            feedback=_feedback(report, claims),
            invalid_result=bool(invalid),
            invalid_reason=invalid or None,
            report=report,
        )

    @override
    def _get_prompts(self) -> PromptDictType:
        return {}

    @override
    def _update_prompts(self, prompts: PromptDictType) -> None:
        """None to update: a judge's prompts are versioned with the core."""


def _score(report: Report, claims: Sequence[Verdict]) -> float | None:
    if claims:
        return sum(verdict.label is Label.SUPPORTED for verdict in claims) / len(claims)
    return 1.0 if any(verdict.label is Label.ABSTENTION for verdict in report.claims) else None


def _invalid(report: Report, claims: Sequence[Verdict]) -> str:
    """Why the result says nothing; "" when it does."""
    if _score(report, claims) is None:
        return "the response asserts nothing"
    undecided = [verdict for verdict in claims if verdict.label is Label.UNVERIFIED]
    if not undecided:
        return ""
    failed = next((verdict for verdict in undecided if verdict.kind is Kind.VERIFIER_FAILURE), None)
    reason = failed.reason if failed else "no rule decides them and no judge was asked"
    return f"{len(undecided)} of {len(claims)} claim(s) could not be verified: {reason}"


def _feedback(report: Report, claims: Sequence[Verdict]) -> str:
    """One line for each claim that is not supported: what is said, and what stands against it."""
    wrong = [verdict for verdict in claims if verdict.label is not Label.SUPPORTED]
    if wrong:
        return "\n".join(f"{verdict.label.value}: {verdict.text} ({verdict.reason})" for verdict in wrong)
    return f"all {len(claims)} claim(s) are supported" if claims else report.decision.reason


def _contexts(report: Report) -> list[str]:
    return [span.text for span in report.evidence.spans]


def _given(response: RESPONSE_TYPE | None) -> RESPONSE_TYPE:
    if response is None:
        raise InputError("response is None; allowed is a response of a query engine")
    return response


__all__ = ["GroundingEvaluationResult", "GroundingEvaluator"]
