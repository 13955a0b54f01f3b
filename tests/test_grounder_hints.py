"""What frameworks read of `Grounder` and of functions that take one: signatures and type hints."""

from __future__ import annotations

import inspect
import typing

import pytest
from pydantic import ConfigDict, ValidationError, validate_call

from grounding_middleware import Grounder, Policy, Report

QUIET = Grounder(policy=Policy(needs_judge=False))


def verified(grounder: Grounder, answer: str, limit: int = 1) -> int:
    return len(grounder.check(answer, evidence=[answer]).claims[:limit])


def test_a_validated_function_may_take_a_grounder() -> None:
    """Pydantic reads its hints, checks that it is a grounder, and converts the other arguments."""
    checked = validate_call(config=ConfigDict(arbitrary_types_allowed=True))(verified)
    assert checked(QUIET, "Dogs are not allowed.", limit="1") == 1  # type: ignore[arg-type]
    with pytest.raises(ValidationError, match="instance of Grounder"):
        checked("no grounder", "Dogs are not allowed.")  # type: ignore[arg-type]


def test_the_signature_names_every_setting() -> None:
    """`inspect.signature` works before anything is loaded; the judge is the only positional one."""
    settings = inspect.signature(Grounder).parameters
    assert next(iter(settings)) == "judge"
    assert {"policy", "checks", "sinks", "repair", "citations", "risks"} < settings.keys()


@pytest.mark.parametrize("method", [Grounder.check, Grounder.acheck, Grounder.deliver, Grounder.silent])
def test_hints_of_methods_resolve(method: typing.Callable[..., object]) -> None:
    """A method can be made a tool: its hints are types, not text."""
    hints = typing.get_type_hints(method)
    assert not [hint for hint in hints.values() if isinstance(hint, str)]
    if method in (Grounder.check, Grounder.acheck):
        assert hints["return"] is Report
