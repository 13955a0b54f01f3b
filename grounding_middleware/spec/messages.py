"""What is wrong with a spec: file, line, field, value and what is allowed, one line for each fault."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from grounding_middleware.errors import ConfigError
from grounding_middleware.policy.settings import allowed
from grounding_middleware.strict_documents import Place, StrictDocument

__all__ = ["faults"]

_RECORD = re.compile(r"a valid dictionary or instance of \w+")
_QUOTED = re.compile(r"'([^']*)'")
_SHOWN = 80  # characters of a wrong value in a message
_SECRETS = ("api_key", "env", "database", "base_url")  # what may stand there by mistake must not reach a log


def faults(error: ValidationError, document: StrictDocument, model: type[BaseModel]) -> ConfigError:
    """One `ConfigError` for all faults of a document, in the order of its lines."""
    placed = list(_placed(error, document))
    deepest = [(one, place) for one, place in placed if not any(_inside(other, place) for _, other in placed)]
    found = sorted((_line(document, place), _told(one, place, document, model)) for one, place in deepest)
    return ConfigError("\n".join(dict.fromkeys(text for _, text in found)))


def _inside(place: Place, around: Place) -> bool:
    """A list with a wrong item is reported as too short as well; only the item is worth a line."""
    return len(place) > len(around) and place[: len(around)] == around


def _placed(error: ValidationError, document: StrictDocument) -> Iterator[tuple[ErrorDetails, Place]]:
    for one in error.errors(include_url=False):
        yield one, _in_document(one, document.data)


def _line(document: StrictDocument, place: Place) -> int:
    return next((document.lines[place[:n]] for n in range(len(place), -1, -1) if place[:n] in document.lines), 0)


def _told(found: ErrorDetails, place: Place, document: StrictDocument, model: type[BaseModel]) -> str:
    where = document.at(place) if place else f"{document.name}: the document"
    cause = found.get("ctx", {}).get("error")
    if isinstance(cause, ConfigError):
        return f"{where}: {cause}"
    if found["type"] == "extra_forbidden":
        return f"{where} is no field here; {_instead(str(place[-1]), _fields(model, found['loc'][:-1]))}"
    if found["type"] == "missing":
        return f"{where} is missing; it must be given"
    if place and place[-1] == "api_key":
        return f"{where} is a value; allowed is a reference to the environment, such as {{env: OPENAI_API_KEY}}"
    if place and place[-1] in _SECRETS:
        return f"{where}: {_plainly(allowed(found['msg']))}"
    return f"{where} is {_short(found['input'])}: {_plainly(allowed(found['msg']))}{_near(found)}"


def _plainly(message: str) -> str:
    """Pydantic's words for what a YAML file holds."""
    message = message.replace("a valid tuple", "a list").replace("Tuple should have", "the list should have")
    return _RECORD.sub("a mapping of fields", message)


def _near(found: ErrorDetails) -> str:
    """The allowed word that was probably meant."""
    words = _QUOTED.findall(found["msg"]) if found["type"] in ("literal_error", "enum") else []
    near = difflib.get_close_matches(str(found["input"]).casefold(), words, n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""


def _in_document(found: ErrorDetails, data: Any) -> Place:
    """The location without the names of alternatives that pydantic puts between the keys."""
    loc = found["loc"]
    place: list[str | int] = []
    for number, part in enumerate(loc):
        absent = number == len(loc) - 1 and found["type"] == "missing"
        if isinstance(data, Mapping) and (part in data or absent):
            place.append(part)
            data = data.get(part)
        elif isinstance(data, list | tuple) and isinstance(part, int) and part < len(data):
            place.append(part)
            data = data[part]
    return tuple(place)


def _instead(name: str, fields: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(name, fields, n=1, cutoff=0.6)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"{hint}allowed are {', '.join(fields)}" if fields else f"{hint}no field is allowed there"


def _fields(model: type[BaseModel], loc: tuple[str | int, ...]) -> tuple[str, ...]:
    """The fields of the model at `loc`, whose parts are fields, list positions and names of alternatives."""
    models = [model]
    for part in loc:
        if isinstance(part, int):
            continue
        named = [one for one in models if part in _kinds(one)]
        models = named or [
            inner for one in models if part in one.model_fields for inner in _models(one.model_fields[part].annotation)
        ]
    return tuple(models[0].model_fields) if models else ()


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
        return
    for inner in get_args(annotation):
        yield from _models(inner)


def _kinds(model: type[BaseModel]) -> tuple[Any, ...]:
    kind = model.model_fields.get("kind")
    return get_args(kind.annotation) if kind else ()


def _short(value: object) -> str:
    text = repr(_public(value))
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _public(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: "..." if key in _SECRETS else _public(inner) for key, inner in value.items()}
    return [_public(inner) for inner in value] if isinstance(value, list) else value
