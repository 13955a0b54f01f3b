"""The JSON Schema of a reply, for models with constrained output."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

LABELS = ("SUPPORTED", "CONTRADICTED", "INSUFFICIENT_EVIDENCE")
KINDS = (
    "added_detail",
    "overgeneralisation",
    "certainty_shift",
    "merged_facts",
    "outside_knowledge",
    "wrong_attribution",
)


def reply_schema(claims: Sequence[int], passages: Sequence[str]) -> dict[str, Any]:
    """What a reply about the claims of these numbers must look like; evidence comes before the label it has to carry.

    All properties are required and none may be added, as providers' strict modes demand; our reader asks for less.
    """
    quote = closed(source={"type": "string", "enum": list(passages)}, quote={"type": "string"})
    verdict = closed(
        claim={"type": "integer", "enum": list(claims)},
        evidence={"type": "array", "items": quote},
        reason={"type": "string"},
        label={"type": "string", "enum": list(LABELS)},
    )
    return closed(verdicts={"type": "array", "items": verdict})


def closed(**properties: dict[str, Any]) -> dict[str, Any]:
    """An object that has all of these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
