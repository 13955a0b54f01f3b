"""Citation fields of JSON answers: `"source": "S1"`, `"citations": ["S1", "S2"]` (CI-5)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from grounding_middleware.claims.json_fields import Field, Region
from grounding_middleware.markers.names import Names

__all__ = ["Reference", "references"]

# Keys that can mean nothing else; a plain "source" may also be data ("source": "solar").
_ALWAYS = frozenset({
    "source_id", "source_ids", "sourceid", "sourceids", "span_id", "span_ids", "span", "spans", "citation", "citations",
    "cite", "cites", "cited", "ref", "refs", "reference", "references", "evidence_id", "evidence_ids",
})  # fmt: skip
_SOURCE_KEYS = _ALWAYS | {"source", "sources", "evidence"}


class Reference(NamedTuple):
    """A citation field with the ids written in it; `owner` is the object it speaks for."""

    field: Field
    refs: tuple[str, ...]
    owner: int


def references(answer: str, region: Region, names: Names | None = None) -> Iterator[Reference]:
    """Every citation field of a document; without `names`, every field that may be one."""
    for field in region.fields:
        owner = region.owners[field.owner]
        key, inside = _folded(field.key), _folded(owner.key)
        listed = key == "id" and inside in _SOURCE_KEYS and owner.parent >= 0
        if key not in _SOURCE_KEYS and not listed:
            continue
        refs = _strings(answer[field.value_start : field.end])
        sure = names is None or key in _ALWAYS or inside in _ALWAYS
        if refs and (sure or all(names.looks_like_id(ref, at_clause_end=True) for ref in refs if names)):
            yield Reference(field, refs, owner.parent if listed else field.owner)


def _folded(key: str) -> str:
    return key.casefold().replace("-", "_")


def _strings(value: str) -> tuple[str, ...]:
    """The ids in a JSON value: a string, a whole number, or an array of these."""
    try:
        read = json.loads(value)
    except ValueError:
        return ()
    items = read if isinstance(read, list) else [read]
    found = [str(item).strip() for item in items if isinstance(item, str | int) and not isinstance(item, bool)]
    return tuple(ref for ref in found if ref)
