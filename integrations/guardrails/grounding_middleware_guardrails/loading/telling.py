"""What a file of guards describes, one line a guard, after all of them were built: `grounding spec check`."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from guardrails import Guard, OnFailAction

from grounding_middleware.errors import ConfigError
from grounding_middleware.strict_documents import load
from grounding_middleware_guardrails.loading.guard_json import guard_from_json
from grounding_middleware_guardrails.loading.rail import guard_from_rail
from grounding_middleware_guardrails.loading.spec import guards_of

__all__ = ["told"]


def told(path: Path) -> list[str]:
    """Every guard of the RAIL, Guard JSON or YAML at `path`, built as a program builds it. Raises `ConfigError`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that nobody judges
        return [_line(guard) for guard in _guards(path)]


def _guards(path: Path) -> Iterator[Guard[Any]]:
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from None
    if text.lstrip("\ufeff \t\r\n").startswith("<"):
        yield guard_from_rail(path)
        return
    found = load(path)
    if "guards" in found.data:
        yield from guards_of(found)
    else:
        yield guard_from_json(path)


def _line(guard: Guard[Any]) -> str:
    places = dict.fromkeys(str(reference.on) for reference in guard.validators)
    listed = [
        f"{one.rail_alias} on {on}, {OnFailAction(one.on_fail_descriptor).value} on failure"
        for on in places
        for one in guard.get_validators(on)
    ]
    return f"guard {guard.name!r}: {'; '.join(listed)}"
