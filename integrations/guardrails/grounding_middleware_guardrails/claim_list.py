"""`grounding/claim_list`: a list of claims, in which only verified ones stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from guardrails import register_validator
from guardrails_ai.types import PassResult, ValidationResult

from grounding_middleware.errors import InputError
from grounding_middleware.records import Range, Report
from grounding_middleware_guardrails._base import GroundingValidator, failed
from grounding_middleware_guardrails._verifying import grounder_of, objected, shown, told
from grounding_middleware_guardrails.arguments import ClaimListArguments
from grounding_middleware_guardrails.request import Grounding, request_of

__all__ = ["ClaimList"]

_BETWEEN = "\n\n"  # claims are paragraphs of one answer, so that one request to a judge is enough


@register_validator(name="grounding/claim_list", data_type="list")
class ClaimList(GroundingValidator):
    """Passes a list only if every item is a supported claim; its fix is the list of those that are, items untouched.

    Items are texts, or objects with a text under `text_key` and the ids it cites under `citations_key`. An item that
    states nothing that can be verified does not stay.
    """

    arguments_type: ClassVar[type[Any]] = ClaimListArguments
    positional: ClassVar[tuple[str, ...]] = ("action",)
    value_type: ClassVar[str] = "array"

    def __init__(self, *args: Any, on_fail: Any = None, **kwargs: Any) -> None:
        super().__init__(*args, on_fail=on_fail, **kwargs)
        self.grounder = grounder_of(self.arguments, self.rail_alias)

    def _validate(self, value: Any, metadata: Any) -> ValidationResult:
        request, listed = request_of(metadata), self._listed(value)
        grounder = self.grounder if request.deliver else self.grounder.silent()
        return self._result(listed, grounder.check(listed.text, **request.context), request)

    async def async_validate(self, value: Any, metadata: Any) -> ValidationResult:
        """In the caller's event loop where the request comes from it; else in a thread, as guardrails-ai does."""
        request, listed = request_of(metadata), self._listed(value)
        if not request.here:
            return await super().async_validate(value, metadata)
        grounder = self.grounder if request.deliver else self.grounder.silent()
        return self._result(listed, await grounder.acheck(listed.text, **request.context), request)

    def _listed(self, value: Any) -> _Listed:
        if not isinstance(value, list):
            raise InputError(f"{self.rail_alias}: got {type(value).__name__}; allowed is a list of claims")
        keys = self.arguments.text_key, self.arguments.citations_key
        return _Listed.of(value, tuple(_written(item, number, keys) for number, item in enumerate(value)))

    def _result(self, listed: _Listed, report: Report, request: Grounding) -> ValidationResult:
        request.add(report)
        unchecked = self.arguments.unchecked == "keep"
        kept = [item for item, at in zip(listed.items, listed.places, strict=True) if _stays(report, at, unchecked)]
        if listed.items and len(kept) == len(listed.items) and shown(report, self.grounder.policy, unchecked=unchecked):
            return PassResult()
        limit = self.grounder.policy.escalate_above
        few = len(listed.items) - len(kept) > limit * len(listed.items)
        fix = kept if kept and not few and self.action.fixes else None
        gone = len(listed.items) - len(kept)
        return failed(f"{told(report)}; {gone} of {len(listed.items)} items do not stay", fix=fix)


@dataclass(frozen=True, slots=True)
class _Listed:
    """The items with the answer they make together, and where each stands in it."""

    items: Sequence[Any]
    text: str
    places: tuple[Range, ...]

    @classmethod
    def of(cls, items: Sequence[Any], texts: tuple[str, ...]) -> _Listed:
        places, at = [], 0
        for text in texts:
            places.append((at, at + len(text)))
            at += len(text) + len(_BETWEEN)
        return cls(items, _BETWEEN.join(texts), tuple(places))


def _written(item: Any, number: int, keys: tuple[str, str]) -> str:
    """An item as a paragraph, its citations behind it."""
    text = item.get(keys[0]) if isinstance(item, Mapping) else item
    cited = item.get(keys[1]) or () if isinstance(item, Mapping) else ()
    if not isinstance(text, str) or not text.strip():
        allowed = f"a text, or an object with {keys[0]!r}"
        raise InputError(f"claim_list[{number}]: got {type(text).__name__}; allowed is {allowed}")
    if isinstance(cited, str) or not all(isinstance(one, str | int) for one in cited):
        raise InputError(f"claim_list[{number}].{keys[1]}: allowed is a list of ids")
    return text + "".join(f" [{one}]" for one in cited)


def _stays(report: Report, at: Range, unchecked: bool) -> bool:  # noqa: FBT001  # one of three plain facts
    """Whether an item holds a claim, and none that anything is wrong with; half a claim is none."""
    inside = [v for v in report.claims if v.label.is_claim and v.start < at[1] and v.end > at[0]]
    return bool(inside) and not any(objected(verdict, unchecked=unchecked) for verdict in inside)
