"""`grounding/verified_claims`: every claim of a text verified; the one validator that may change it."""

from __future__ import annotations

from typing import Any, ClassVar

from guardrails import register_validator
from guardrails_ai.types import PassResult, ValidationResult

from grounding_middleware.records import Report
from grounding_middleware_guardrails._base import GroundingValidator, failed
from grounding_middleware_guardrails._verifying import grounder_of, places, shown, told, unsupported
from grounding_middleware_guardrails.arguments import VerifiedClaimsArguments
from grounding_middleware_guardrails.request import Grounding, request_of

__all__ = ["VerifiedClaims"]


@register_validator(name="grounding/verified_claims", data_type="string")
class VerifiedClaims(GroundingValidator):
    """Passes a text only if nothing in it had to go; with action "remove" its fix is the verified rest.

    The arguments are those of `VerifiedClaimsArguments`; by position `threshold`, `action`, `judge`. The report goes to
    the `Grounding` of the request. Error spans are the unsupported claims, with their labels.
    """

    arguments_type: ClassVar[type[Any]] = VerifiedClaimsArguments
    positional: ClassVar[tuple[str, ...]] = ("threshold", "action", "judge")

    def __init__(self, *args: Any, on_fail: Any = None, **kwargs: Any) -> None:
        super().__init__(*args, on_fail=on_fail, **kwargs)
        self.grounder = grounder_of(self.arguments, self.rail_alias)

    def _validate(self, value: Any, metadata: Any) -> ValidationResult:
        request = request_of(metadata)
        grounder = self.grounder if request.deliver else self.grounder.silent()
        return self._result(grounder.check(self._text(value), **request.context), request)

    async def async_validate(self, value: Any, metadata: Any) -> ValidationResult:
        """In the caller's event loop where the request comes from it; else in a thread, as guardrails-ai does."""
        request = request_of(metadata)
        if not request.here:
            return await super().async_validate(value, metadata)
        grounder = self.grounder if request.deliver else self.grounder.silent()
        return self._result(await grounder.acheck(self._text(value), **request.context), request)

    def _result(self, report: Report, request: Grounding) -> ValidationResult:
        request.add(report)
        released = shown(report, self.grounder.policy, unchecked=self.arguments.unchecked == "keep")
        if released and report.text == report.answer:
            return PassResult()
        fix = (report.text if released else self.arguments.withheld_text or None) if self.action.fixes else None
        return failed(told(report), places(unsupported(report)), fix)
