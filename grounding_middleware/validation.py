"""What a validation error of pydantic says first, in one line."""

from __future__ import annotations

from pydantic import ValidationError

__all__ = ["first_fault", "first_fault_with_value"]

_SHOWN = 80  # characters of a value


def first_fault(error: ValidationError, whole: str) -> str:
    """The first field that is wrong, and why; `whole` names what was read where the fault is of no single field."""
    found = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, found['loc'])) or whole}: {found['msg']}"


def first_fault_with_value(error: ValidationError, whole: str) -> str:
    """As `first_fault`, with the beginning of what stood there: for what a user wrote, not for what must not leak."""
    value = repr(error.errors(include_url=False)[0]["input"])
    return f"{first_fault(error, whole)} (got {value:.{_SHOWN}})"
