"""Which places of an output a validator really runs at, by the schema of the output.

guardrails-ai loads a validator for any `on` and never runs one whose place it does not meet: a list of objects is met
as `$.claims.text`, not `$.claims.*.text`, and "output" is met by nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from grounding_middleware.errors import ConfigError

_BRANCHES: Final = ("anyOf", "oneOf", "allOf")
_MOST: Final = 5_000  # places; a schema of more is a bomb of references


def places(schema: Mapping[str, Any]) -> dict[str, set[str]]:
    """Every `on` that is met, with the JSON types that may stand there ("" where the schema does not say).

    Schemas may contain themselves; they are followed once. Raises `ConfigError` for one with too many places.
    """
    found: dict[str, set[str]] = {}
    for number, (path, kind) in enumerate(_walk(schema, "$", schema, ())):
        if number > _MOST:
            raise ConfigError(f"output_schema: has more than {_MOST} places; allowed are fewer")
        found.setdefault(path, set()).add(kind)
    return found


def _walk(schema: Any, path: str, root: Mapping[str, Any], inside: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    if not isinstance(schema, Mapping):
        return
    kinds = schema.get("type")
    branches = list(_branches(schema))
    for kind in [kinds] if isinstance(kinds, str) else kinds or ([] if branches or "$ref" in schema else [""]):
        yield path, str(kind)
    inner = path.replace(".*", "")
    for name, child in (schema.get("properties") or {}).items():
        yield from _walk(child, f"{inner}.{name}", root, inside)
    if "items" in schema:
        yield from _walk(schema["items"], f"{inner}.*", root, inside)
    for branch in branches:
        yield from _walk(branch, path, root, inside)
    ref = schema.get("$ref")
    if isinstance(ref, str) and ref not in inside:
        yield from _walk(_referred(ref, root), path, root, (*inside, ref))


def _branches(schema: Mapping[str, Any]) -> Iterator[Any]:
    for key in _BRANCHES:
        yield from schema.get(key) or ()
    yield from (schema[key] for key in ("then", "else") if key in schema)


def _referred(ref: str, root: Any) -> Any:
    for part in filter(None, ref.removeprefix("#").split("/")):
        root = root.get(part) if isinstance(root, Mapping) else None
    return root
