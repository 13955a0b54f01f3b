"""Our own YAML for guards: action words instead of `on_fail`, and the spec of the core for what validators share."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from guardrails import Guard, OnFailAction
from pydantic import BaseModel, ConfigDict, Field

from grounding_middleware import Grounder
from grounding_middleware.errors import ConfigError
from grounding_middleware.spec import grounder_from
from grounding_middleware.strict_documents import StrictDocument
from grounding_middleware_guardrails._base import GroundingValidator
from grounding_middleware_guardrails.loading.building import Placed, built, guard_of, on_fail_named, resolve
from grounding_middleware_guardrails.loading.collecting import all_of
from grounding_middleware_guardrails.loading.reading import Source, checked, document

__all__ = ["guard_from_spec", "guards_of"]

_OWN: Final = frozenset({"id", "on_fail"})


class _Entry(BaseModel):
    """One guard. `validators` are mappings of `id`, perhaps `on_fail`, and the arguments of the validator."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(default="grounding", min_length=1)
    description: str | None = None
    on: Literal["output", "$"] = "output"
    validators: list[dict[str, Any]] = Field(min_length=1)


class _Spec(BaseModel):
    model_config = ConfigDict(extra="forbid")

    version: Literal[1]
    grounding: str | dict[str, Any] | None = None
    guards: list[_Entry] = Field(min_length=1)


_REMOVING: Final = _Spec(version=1, guards=[_Entry(validators=[{"id": "grounding/verified_claims"}])])
"""What a document that only configures the core makes."""


class _Read(NamedTuple):
    """A document of guards, and the grounder that all of them verify with, if there is one."""

    found: StrictDocument
    spec: _Spec
    grounder: Grounder | None


def guard_from_spec(source: Source, *, name: str | None = None, grounder: Grounder | None = None) -> Guard[Any]:
    """The guard `name` of our YAML, given as a path, mapping or text; where there is one guard it needs no name.

    `grounding` in the document is the spec of the core that all its validators verify with: a mapping, the name of a
    preset, or a path, relative to the document. A `grounder` given here takes its place. A document that is such a spec
    itself makes a guard that removes. Raises `ConfigError` naming line, field, value and what is allowed.
    """
    read = _read(document(source, "spec"), grounder)
    return _guard(read, _chosen(read.spec, name, read.found))


def guards_of(found: StrictDocument) -> list[Guard[Any]]:
    """Every guard of a document of ours, in order; raises one `ConfigError` with a line for each fault of any."""
    read = _read(found, None)
    _chosen(read.spec, read.spec.guards[0].name, found)  # names occur once
    return all_of(partial(_guard, read, number) for number in range(len(read.spec.guards)))


def _read(found: StrictDocument, grounder: Grounder | None) -> _Read:
    keys = found.data if isinstance(found.data, dict) else {}
    core = "grounding" in keys and not {"guards", "version"} & keys.keys()
    spec = _REMOVING if core else checked(_Spec, found)
    if grounder is not None and (core or spec.grounding is not None):
        raise ConfigError(f"{found.at(('grounding',))}: a grounder is given, too; allowed is one of the two")
    if core:
        grounder = grounder_from(found)
    elif spec.grounding is not None:
        grounder = _grounder(spec.grounding, found)
    return _Read(found, spec, grounder)


def _guard(read: _Read, number: int) -> Guard[Any]:
    entry = read.spec.guards[number]
    place = ("guards", number, "validators")
    placed = all_of(
        partial(_placed, one, read.found, (*place, at), read.grounder) for at, one in enumerate(entry.validators)
    )
    return guard_of(placed, {"type": "string"}, name=entry.name, description=entry.description)


def _chosen(spec: _Spec, name: str | None, found: StrictDocument) -> int:
    names = [entry.name for entry in spec.guards]
    for at, one in enumerate(names):
        if one in names[:at]:
            raise ConfigError(f"{found.at(('guards', at, 'name'))}: {one!r} occurs twice; allowed is once")
    if name is None and len(names) == 1:
        return 0
    if name not in names:
        raise ConfigError(f"{found.at(('guards',))}: there is no guard {name!r}; choose name= among {', '.join(names)}")
    return names.index(name)


def _grounder(spec: str | Mapping[str, Any], found: StrictDocument) -> Grounder:
    """The grounder of the section `grounding`; raises `ConfigError`, for a mapping with the lines of this document."""
    if isinstance(spec, Mapping):
        return grounder_from(found.section("grounding", {"grounding": 1, **spec}))
    try:
        return grounder_from(_beside(spec, found))
    except ConfigError as error:
        raise ConfigError(f"{found.at(('grounding',))}: {error}") from None


def _beside(spec: str, found: StrictDocument) -> str | Path:
    """The file of that name beside the document, if there is one; else the name, which a preset may have."""
    path = Path(spec) if found.file is None else found.file.parent / spec
    return path if path.is_file() else spec


def _placed(one: Mapping[str, Any], found: StrictDocument, place: tuple[Any, ...], grounder: Grounder | None) -> Placed:
    where = found.at(place)
    if "id" not in one:
        raise ConfigError(
            f"{where}: id is missing; allowed is the id of a validator, such as grounding/verified_claims"
        )
    kind = resolve(one["id"], found.at((*place, "id")))
    ours = kind if issubclass(kind, GroundingValidator) else None
    if "on_fail" in one:
        on_fail: OnFailAction | None = on_fail_named(one["on_fail"], found.at((*place, "on_fail")))
    elif ours:
        on_fail = None  # follows from the action
    else:
        raise ConfigError(f"{where}: on_fail is missing; only validators of grounding/ know it from their action")
    arguments = {key: value for key, value in one.items() if key not in _OWN}
    if grounder is not None and ours and "grounder" in ours.arguments_type.model_fields:
        arguments = {"grounder": grounder, **arguments}
    return Placed(built(one["id"], (), arguments, on_fail, where), "$", where)
