"""Spans that somebody else cut: a JSON file of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from grounding_middleware import evidence
from grounding_middleware.errors import InputError
from grounding_middleware.records import Span
from grounding_middleware.sources.files import MAX_SOURCE_BYTES, read_text

_ALLOWED = "allowed is a list of spans, an object with the key 'spans', or JSON lines"


def read_spans(path: Path) -> tuple[Span, ...]:
    """Spans from a JSON list, a JSON object with the key `spans`, or JSON lines; keys are `Span`'s field names."""
    text = read_text(path, MAX_SOURCE_BYTES)
    rows = _rows(text, path)
    if not rows:
        raise InputError(f"{path}: holds no span; {_ALLOWED}")
    try:
        return evidence.coerce(rows)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def _rows(text: str, path: Path) -> list[Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return _json_lines(text, path)
    if isinstance(data, dict):
        data = data.get("spans", [data])
    if not isinstance(data, list):
        raise InputError(f"{path}: holds a {type(data).__name__}; {_ALLOWED}")
    return data


def _json_lines(text: str, path: Path) -> list[Any]:
    rows = []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            if line.strip():
                rows.append(json.loads(line))
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}: line {number} is not JSON ({error}); {_ALLOWED}") from error
    return rows
