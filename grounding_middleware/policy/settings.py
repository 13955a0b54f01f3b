"""Settings die at construction with a `ConfigError` that names the field, the value and what is allowed."""

from __future__ import annotations

import re
from typing import Any, Self

from pydantic import ValidationError

from grounding_middleware.errors import ConfigError
from grounding_middleware.records import Record

_ENUM = re.compile(r"<\w+\.\w+: ('[^']*')>")
_SHOWN = 80  # characters of a wrong value in a message


class Setting(Record):
    """A record whose constructor and loaders raise `ConfigError` instead of pydantic's `ValidationError`."""

    def __init__(self, **data: Any) -> None:
        try:
            super().__init__(**data)
        except ValidationError as error:
            raise config_error(type(self).__name__, error) from None

    # As a field of another record it is validated like any record, so that the error tells the whole way to the fault.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @classmethod
    def model_validate(cls, obj: Any, **options: Any) -> Self:
        """As pydantic's, raising `ConfigError`."""
        try:
            return super().model_validate(obj, **options)
        except ValidationError as error:
            raise config_error(cls.__name__, error) from None

    @classmethod
    def model_validate_json(cls, json_data: str | bytes | bytearray, **options: Any) -> Self:
        """As pydantic's, raising `ConfigError`."""
        try:
            return super().model_validate_json(json_data, **options)
        except ValidationError as error:
            raise config_error(cls.__name__, error) from None


def config_error(owner: str, error: ValidationError) -> ConfigError:
    """One line for each wrong field: `Policy.escalate_above: 2 is wrong, allowed is ...`."""
    return ConfigError("; ".join(_line(owner, dict(found)) for found in error.errors()))


def _line(owner: str, found: dict[str, Any]) -> str:
    cause = found.get("ctx", {}).get("error")
    if isinstance(cause, ConfigError) and not found["loc"]:  # already said by the record itself
        return str(cause)
    field = ".".join((owner, *(str(part) for part in found["loc"])))
    if isinstance(cause, ConfigError):
        return f"{field}: {cause}"
    value = repr(found["input"])
    short = value if len(value) <= _SHOWN else f"{value[:_SHOWN]}..."
    return f"{field}: {short} is wrong: {allowed(found['msg'])}"


def allowed(message: str) -> str:
    """What a message of pydantic says about the values there may be, without its prefix and class names."""
    return _ENUM.sub(r"\1", message.removeprefix("Value error, "))
