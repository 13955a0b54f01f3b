"""A spec as text: the effective document, with every default written out, and the schema editors complete with."""

from __future__ import annotations

import json
from typing import Any

from grounding_middleware.policy import explain
from grounding_middleware.spec.model import Spec

__all__ = ["effective", "schema", "to_yaml"]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
SCHEMA_TITLE = "grounding-middleware spec, version 1"


def effective(spec: Spec) -> dict[str, Any]:
    """The whole spec as plain JSON data; loading it again gives the same spec with the same hash."""
    return {key: _without_none(value) for key, value in spec.model_dump(mode="json").items() if value is not None}


def to_yaml(spec: Spec) -> str:
    """The effective spec as YAML, headed by its hash and followed by the policy in words."""
    import yaml  # noqa: PLC0415  # only for who writes one

    body = yaml.safe_dump(effective(spec), sort_keys=False, allow_unicode=True, width=110, default_flow_style=None)
    words = "".join(f"# {line}\n" for line in explain(spec.policy))
    return f"# effective spec, hash {spec.version}\n{body}\n# The policy in words\n{words}"


def schema() -> str:
    """The JSON Schema of the document, as text; the same for the same version of the package."""
    found = Spec.model_json_schema()
    return json.dumps(
        {"$schema": "https://json-schema.org/draft/2020-12/schema", **found, "title": SCHEMA_TITLE}, indent=1
    )


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_none(inner) for key, inner in value.items() if inner is not None}
    return [_without_none(inner) for inner in value] if isinstance(value, list) else value
