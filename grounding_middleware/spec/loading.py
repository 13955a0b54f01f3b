"""From a file or text to a spec; all that is wrong is told at once: file, line, field, value and what is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from grounding_middleware import strict_documents
from grounding_middleware.errors import ConfigError
from grounding_middleware.policy.presets import PRESETS
from grounding_middleware.spec.messages import faults
from grounding_middleware.spec.model import VERSION, Spec
from grounding_middleware.spec.references import references
from grounding_middleware.strict_documents import StrictDocument

__all__ = ["load", "parse"]

_SPEC = TypeAdapter(Spec)
_SHOWN = 300  # characters of a wrong name in a message; a path may be long


def load(source: StrictDocument | Path | str | Mapping[str, Any]) -> Spec:
    """The spec in a YAML or JSON file, in a mapping, or the preset of that name when no such file exists.

    A document that was read already, or a section of one, keeps its lines for messages. Raises `ConfigError` with one
    line for each fault.
    """
    if isinstance(source, StrictDocument):
        return _validated(source)
    if isinstance(source, Mapping):
        return _validated(StrictDocument(dict(source), "spec"))
    if str(source) in PRESETS and not Path(source).exists():
        return _validated(StrictDocument({"grounding": VERSION, "preset": str(source)}, str(source)))
    if not Path(source).exists():
        presets = ", ".join(PRESETS)
        raise ConfigError(f"{str(source)[:_SHOWN]!r} is neither a file nor a preset; presets are {presets}")
    return _validated(strict_documents.load(Path(source)))


def parse(text: str, name: str = "spec") -> Spec:
    """The spec in `text`; `name` is what messages call it. Raises `ConfigError` as `load` does."""
    return _validated(strict_documents.parse(text, name))


def _validated(document: StrictDocument) -> Spec:
    try:
        spec = _SPEC.validate_python(document.data)
    except ValidationError as error:
        raise faults(error.errors(include_url=False), document, Spec) from None
    if any(references(document.data)):
        raise faults((), document, Spec)
    return spec.read_from(document)
