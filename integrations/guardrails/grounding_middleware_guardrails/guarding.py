"""A guard around a chain or an engine: the adapters capture the evidence of each request, the guard decides.

The runnables and engines that come with guardrails-ai cannot do this: they have no metadata per call, and retrieved
texts never reach a validator.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, Final

from guardrails import AsyncGuard, Guard, OnFailAction, ValidationOutcome, Validator
from guardrails.errors import ValidationError
from langchain_core.runnables import Runnable

from grounding_middleware import Grounder
from grounding_middleware.errors import ConfigError
from grounding_middleware.judges.threads import in_thread
from grounding_middleware.records import Action, Report
from grounding_middleware_guardrails.arguments import GuardAction
from grounding_middleware_guardrails.loading.building import Placed, check_places
from grounding_middleware_guardrails.request import KEY, Grounding
from grounding_middleware_guardrails.verified_claims import VerifiedClaims

__all__ = ["GuardGrounder", "ground"]

_OWN: Final = ("grounder", "judge", "policy")
_CHANGED: Final = "a validator of the guard changed the verified text to one that is not supported"
_BLOCKED: Final = "the guard withholds it, whatever the claims: a validator failed"


def ground(target: Any, guard: Guard[Any], **options: Any) -> Any:
    """`target`, a LangChain runnable or LlamaIndex engine, with the same interface; the guard decides on its answers.

    What the model was shown is the evidence of the guard's validators, request by request. `options` are those of
    `ground` of the integration that knows the target; streams give the whole answer once it is verified. Raises
    `ConfigError` for a guard that verifies nothing or would release unverified text, and for options that exclude each
    other.
    """
    grounder = GuardGrounder(guard)
    twice = [name for name in _OWN if name in options]
    if twice:
        raise ConfigError(f"{twice[0]}: the guard decides; allowed are arguments of its grounding/verified_claims")
    if options.get("stream", "buffer") != "buffer":
        raise ConfigError(
            f"stream: {options['stream']!r} is wrong: a guard judges whole answers, not pieces; allowed is 'buffer'"
        )
    if isinstance(target, Runnable):
        return _wrapper("grounding_middleware_langchain", "langchain")(target, grounder, **options)
    if any(kind.__module__.startswith("llama_index.") for kind in type(target).__mro__):
        return _wrapper("grounding_middleware_llama_index", "llama-index")(target, grounder, **options)
    raise ConfigError(
        f"target: got {type(target).__name__}; allowed are LangChain runnables and LlamaIndex query engines, chat "
        "engines and synthesizers"
    )


def _wrapper(module: str, extra: str) -> Any:
    """`ground` of the integration that knows the target; raises `ConfigError` naming the extra that brings it."""
    try:
        return import_module(module).ground
    except ImportError as error:
        raise ConfigError(f"target: pip install 'grounding-middleware[{extra}]' ({error})") from error


class GuardGrounder(Grounder):
    """A grounder that lets a whole guard decide; goes wherever an adapter takes a `Grounder`.

    The report is that of the guard's `grounding/verified_claims`, on the text that is released. What another validator
    withholds is `blocked`; what another validator changed is verified again. Sinks get the report as it is in the end.
    """

    def __init__(self, guard: Guard[Any]) -> None:
        """Raises `ConfigError` unless the output has exactly one `VerifiedClaims`, and it does not only flag."""
        self.guard = guard
        vars(self).update(vars(_verifier(guard).grounder))  # a copy of it that asks the guard
        self._inner = _verifier(guard).grounder.silent()

    def check(self, answer: str, **context: Any) -> Report:
        """As `Grounder.check`, and what the guard says on top. Whatever a validator raises reaches the caller."""
        request = Grounding(**context, deliver=False)
        outcome = self._asked(answer, request)
        verified = next((one for one in request.reports if one.answer == answer), None)
        report = self._concluded(outcome, verified or self._inner.check(answer, **request.context), request)
        self.deliver(report)
        return report

    async def acheck(self, answer: str, **context: Any) -> Report:
        """As `check`, in a thread: a guard that is asked in an event loop blocks it."""
        return await asyncio.to_thread(self.check, answer, **context)

    def _asked(self, answer: str, request: Grounding) -> ValidationOutcome[Any] | None:
        """What the guard says, None when it raised on a failure.

        In a thread and event loop of its own: in a running loop guardrails-ai takes another, poorer engine, and a loop
        it makes itself is never closed.
        """
        ask = partial(self.guard.validate, answer, metadata={KEY: request})
        try:
            outcome: ValidationOutcome[Any] = in_thread(_in_own_loop, ask).result()
        except ValidationError:  # on_fail "exception"; the report says why
            return None
        return outcome

    def _concluded(self, outcome: ValidationOutcome[Any] | None, report: Report, request: Grounding) -> Report:
        """The report on what is released; nothing is that the guard did not give and the validator did not verify."""
        if report.action not in self.policy.shown:
            return report
        given = self._given(outcome, report)
        if given == report.text:
            return report
        if given is None:
            return self._withheld(report, _BLOCKED)
        again = self._inner.check(given, **request.context)
        if again.action not in self.policy.shown or again.text != given:
            return self._withheld(report, _CHANGED)
        notice = "a validator of the guard changed the text; this report is on the changed one"
        return again.replace(notices=(*again.notices, notice))

    def _given(self, outcome: ValidationOutcome[Any] | None, report: Report) -> str | None:
        """The text the guard gives: its own, or the verified one where all that failed only flags."""
        if outcome is None:
            return None
        if outcome.validation_passed and isinstance(outcome.validated_output, str):
            return outcome.validated_output
        failing = {summary.validator_name for summary in outcome.validation_summaries or ()}
        refusing = failing - {_name(one) for one in self.guard.get_validators("$") if _harmless(one)}
        return None if refusing or not failing else report.text

    def _withheld(self, report: Report, reason: str) -> Report:
        decision = report.decision.replace(action=Action.BLOCKED, reason=f"{reason}; {report.decision.reason}")
        return report.replace(text=self.policy.texts.fallback, decision=decision)


def _verifier(guard: Any) -> VerifiedClaims:
    """The validator that verifies the output of this guard; raises `ConfigError` unless there is exactly one."""
    if not isinstance(guard, Guard) or isinstance(guard, AsyncGuard):
        raise ConfigError(f"guard: got {type(guard).__name__}; allowed is a Guard, for sync and async calls")
    placed = _placed(guard)
    check_places(placed, guard.output_schema.model_dump(exclude_none=True, by_alias=True))
    found = [one.validator for one in placed if isinstance(one.validator, VerifiedClaims) and one.on == "$"]
    if len(found) != 1:
        raise ConfigError(f"guard: has {len(found)} grounding/verified_claims on its output; allowed is one")
    if found[0].action is GuardAction.FLAG:
        raise ConfigError("guard: action 'flag' releases unverified text; allowed are remove, repair, escalate")
    return found[0]


def _in_own_loop(ask: Callable[[], Any]) -> Any:
    with asyncio.Runner() as runner:
        asyncio.set_event_loop(runner.get_loop())
        return ask()


def _harmless(validator: Validator) -> bool:
    """Whether a failure of it withholds nothing: its text is verified, or it only flags."""
    return isinstance(validator, VerifiedClaims) or validator.on_fail_descriptor is OnFailAction.NOOP


def _name(validator: Validator) -> str:
    return type(validator).__name__


def _placed(guard: Guard[Any]) -> Sequence[Placed]:
    places = dict.fromkeys(str(reference.on) for reference in guard.validators)
    return [Placed(one, on, f"guard: {on}") for on in places for one in guard.get_validators(on)]
