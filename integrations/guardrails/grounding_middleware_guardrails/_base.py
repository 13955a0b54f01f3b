"""What all our validators do: arguments by name or position, no streams, no silent release."""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn

from guardrails import OnFailAction, Validator
from guardrails_ai.types import ErrorSpan, FailResult

from grounding_middleware.errors import ConfigError, InputError
from grounding_middleware_guardrails.actions import on_fail_for
from grounding_middleware_guardrails.arguments import GateArguments, GuardAction, named

NO_STREAMS = (
    "stream: a guard that streams shows text before it is verified, so grounding validators refuse it; allowed is "
    "buffered(guard, chunks, metadata=...), which shows the whole text once it is verified"
)


class GroundingValidator(Validator):
    """Base of the validators; `ArgumentError` for wrong arguments, whoever builds it.

    guardrails-ai sets `on_fail_descriptor` after construction when it reads RAIL or the fields of a model, with noop
    for whatever is not said, so the rule about it is kept by the attribute itself.
    """

    arguments_type: ClassVar[type[Any]] = GateArguments
    positional: ClassVar[tuple[str, ...]] = ("action",)
    value_type: ClassVar[str] = "string"

    def __init__(self, *args: Any, on_fail: Any = None, **kwargs: Any) -> None:
        self.arguments, by_name = named(self.rail_alias, self.arguments_type, (args, kwargs), self.positional)
        self._ready = False
        chosen = on_fail_for(self.action, on_fail, self.rail_alias)
        super().__init__(on_fail=chosen, **by_name)  # as they were given: compared at every call, else built again
        self._ready = True

    @property
    def action(self) -> GuardAction:
        """What happens to an answer that fails."""
        return GuardAction(self.arguments.action)

    @property
    def on_fail_descriptor(self) -> OnFailAction:
        """What guardrails-ai does with a failure; cannot be set to anything the action does not allow."""
        return self._on_fail

    @on_fail_descriptor.setter
    def on_fail_descriptor(self, wanted: Any) -> None:
        if not self._ready and type(wanted) is str:  # what the base class starts from
            return
        self._on_fail = on_fail_for(self.action, wanted, self.rail_alias)

    def validate_stream(self, *_: Any, **__: Any) -> NoReturn:
        """Always raises `ConfigError`."""
        raise ConfigError(NO_STREAMS)

    async def async_validate_stream(self, *_: Any, **__: Any) -> NoReturn:
        """Always raises `ConfigError`."""
        raise ConfigError(NO_STREAMS)

    def _text(self, value: Any) -> str:
        """The value, if it is text; raises `InputError`."""
        if isinstance(value, str):
            return value
        raise InputError(
            f"{self.rail_alias}: got {type(value).__name__}; allowed is a string, see `on` of the validator"
        )


def failed(message: str, spans: list[tuple[int, int, str]] | None = None, fix: Any = None) -> FailResult:
    """A failure; message and reasons hold counts and labels, never text of the answer: they go into traces."""
    errors = [ErrorSpan(start=start, end=end, reason=reason) for start, end, reason in spans or ()]
    return FailResult(error_message=message, fix_value=fix, error_spans=errors or None)
