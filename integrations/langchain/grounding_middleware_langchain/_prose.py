"""The sentences inside a structured answer: every text of several words, wherever it stands, and the same object anew.

Ids, names, numbers and codes are no sentences; they are left as they are.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

_SENTENCE = 3  # words from which on a text says something


def prose(value: Any) -> list[str]:
    """The sentences in `value`, in order."""
    if isinstance(value, str):
        return [value] if len(value.split()) >= _SENTENCE else []
    return [text for _, item in _members(value) for text in prose(item)]


def with_prose(value: Any, texts: Iterator[str]) -> Any:
    """A copy of `value` with the next of `texts` in place of each sentence; a list loses those that became empty."""
    if isinstance(value, str):
        return next(texts) if prose(value) else value
    changed = {name: with_prose(item, texts) for name, item in _members(value)}
    if all(changed[name] is item for name, item in _members(value)):
        return value
    if isinstance(value, BaseModel):
        return value.model_copy(update=changed)
    if isinstance(value, Mapping):
        return {**value, **changed}
    if isinstance(value, list | tuple):
        return type(value)(changed[at] for at, item in enumerate(value) if changed[at] != "" or item == "")
    return dataclasses.replace(value, **changed)


def _members(value: Any) -> list[tuple[Any, Any]]:
    if isinstance(value, BaseModel):
        return [(name, getattr(value, name)) for name in type(value).model_fields]
    if isinstance(value, Mapping):
        return list(value.items())
    if type(value) in (list, tuple):
        return list(enumerate(value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [(item.name, getattr(value, item.name)) for item in dataclasses.fields(value) if item.init]
    return []
