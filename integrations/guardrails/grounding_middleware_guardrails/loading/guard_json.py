"""Guard JSON, the form `Guard.to_dict` writes, loaded so that everything in it counts."""

from __future__ import annotations

from functools import partial
from typing import Any

from guardrails import Guard
from guardrails.errors import ValidationError as _GuardError
from pydantic import BaseModel, ConfigDict, Field

from grounding_middleware.errors import ConfigError
from grounding_middleware.strict_documents import StrictDocument
from grounding_middleware_guardrails.loading.building import Placed, built, guard_of, on_fail_named
from grounding_middleware_guardrails.loading.collecting import all_of
from grounding_middleware_guardrails.loading.reading import Source, checked, document

__all__ = ["guard_from_json"]


class _Reference(BaseModel):
    """One entry of `validators`. `onFail` is demanded: guardrails-ai makes noop of nothing, and builds null anew."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    id: str
    on: str
    on_fail: str = Field(alias="onFail")
    args: list[Any] | None = None
    kwargs: dict[str, Any] | None = None


class _Guard(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: str = Field(min_length=1)
    name: str = Field(min_length=1)
    description: str | None = None
    output_schema: dict[str, Any]
    validators: list[_Reference] = Field(min_length=1)


def guard_from_json(source: Source) -> Guard[Any]:
    """The guard a Guard JSON document describes; raises `ConfigError` naming line, field, value and what is allowed."""
    found = document(source, "guard")
    if isinstance(found.data, dict):
        found = StrictDocument(
            {key: value for key, value in found.data.items() if key != "history"}, found.name, found.lines
        )
    spec = checked(_Guard, found)
    placed = all_of(partial(_placed, one, found, number) for number, one in enumerate(spec.validators))
    try:
        return guard_of(placed, spec.output_schema, id=spec.id, name=spec.name, description=spec.description)
    except ConfigError:
        raise
    except (ValueError, TypeError, _GuardError) as error:
        raise ConfigError(
            f"{found.at(('output_schema',))}: is no JSON Schema: {str(error).splitlines()[0]:.200}"
        ) from None


def _placed(one: _Reference, found: StrictDocument, number: int) -> Placed:
    where = found.at(("validators", number))
    on_fail = on_fail_named(one.on_fail, f"{where}.onFail")
    return Placed(built(one.id, one.args or (), one.kwargs or {}, on_fail, where), one.on, where)
