"""Which places of an output a validator really runs at, by the schema of the output.

guardrails-ai loads a validator for any `on` and never runs one whose place it does not meet: a list of objects is met
as `$.claims.text`, not `$.claims.*.text`, and "output" is met by nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

_BRANCHES: Final = ("anyOf", "oneOf", "allOf")
_DEEPEST: Final = 30  # schemas may contain themselves


def places(schema: Mapping[str, Any]) -> dict[str, set[str]]:
    """Every `on` that is met, with the JSON types that may stand there ("" where the schema does not say)."""
    found: dict[str, set[str]] = {}
    for path, kind in _walk(schema, "$", schema, 0):
        found.setdefault(path, set()).add(kind)
    return found


def _walk(schema: Any, path: str, root: Mapping[str, Any], depth: int) -> Iterator[tuple[str, str]]:
    if not isinstance(schema, Mapping) or depth > _DEEPEST:
        return
    branches = [branch for key in _BRANCHES for branch in schema.get(key) or ()]
    branches += [schema[key] for key in ("then", "else") if key in schema]
    if "$ref" in schema:
        branches.append(_referred(str(schema["$ref"]), root))
    kinds = schema.get("type")
    for kind in [kinds] if isinstance(kinds, str) else kinds or ([] if branches else [""]):
        yield path, str(kind)
    inner = path.replace(".*", "")
    for name, child in (schema.get("properties") or {}).items():
        yield from _walk(child, f"{inner}.{name}", root, depth + 1)
    if "items" in schema:
        yield from _walk(schema["items"], f"{inner}.*", root, depth + 1)
    for branch in branches:
        yield from _walk(branch, path, root, depth + 1)


def _referred(ref: str, root: Any) -> Any:
    for part in ref.removeprefix("#/").split("/"):
        root = root.get(part) if isinstance(root, Mapping) else None
    return root
