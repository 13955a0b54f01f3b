"""The document behind what a caller gives: a mapping, a path, or the text itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from grounding_middleware.errors import ConfigError
from grounding_middleware.strict_documents import StrictDocument, load, parse

_SHOWN = 80  # characters of a wrong value in a message

Model = TypeVar("Model", bound=BaseModel)

Source = Mapping[str, Any] | str | Path
"""A mapping, the path of a file, or the document as text: it has a line break, or begins with a bracket."""


def document(source: Source, name: str) -> StrictDocument:
    """The document, strictly read; `name` is what messages call one without a file. Raises `ConfigError`."""
    if isinstance(source, Mapping):
        return StrictDocument(dict(source), name)
    if not isinstance(source, str | Path):
        raise ConfigError(f"{name}: got {type(source).__name__}; allowed are a mapping, a path, or the text itself")
    return parse(str(source), name) if is_text(source) else load(Path(source))


def is_text(source: str | Path) -> bool:
    """Whether this is the document, not where it is."""
    return isinstance(source, str) and ("\n" in source or source.lstrip()[:1] in ("{", "[", "<", ""))


def checked(model: type[Model], found: StrictDocument) -> Model:
    """The document as a record; raises `ConfigError` naming line, field, value and what is allowed."""
    try:
        return model.model_validate(found.data)
    except ValidationError as error:
        told = (f"{found.at(one['loc'])}: {_told(one, model)}" for one in error.errors(include_url=False))
        raise ConfigError("\n".join(told)) from None


def _told(problem: Any, model: type[BaseModel]) -> str:
    if problem["type"] == "extra_forbidden":
        return f"is no field; allowed are {', '.join(_fields(model, problem['loc'][:-1]))}"
    if problem["type"] == "missing":
        return "is missing"
    value = repr(problem["input"])
    shown = value if len(value) <= _SHOWN else f"{value[:_SHOWN]}..."
    if problem["type"] == "model_type":
        return f"{shown} is wrong: allowed is a mapping"
    return f"{shown} is wrong: {problem['msg'].removeprefix('Value error, ')}"


def _fields(model: type[BaseModel], place: tuple[str | int, ...]) -> list[str]:
    """The fields of the record at `place`, as far as annotations tell."""
    for part in place:
        if isinstance(part, str) and part in model.model_fields:
            inner = _record_in(model.model_fields[part].annotation)
            if inner is None:
                return []
            model = inner
    return [field.alias or name for name, field in model.model_fields.items()]


def _record_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    found = (_record_in(one) for one in getattr(annotation, "__args__", ()))
    return next((one for one in found if one is not None), None)
