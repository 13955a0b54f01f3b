"""Answers that are objects: what one says as JSON, and the object that is left when the text was edited."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel, ValidationError

_EMPTY: tuple[Any, ...] = (None, "", [], {})
"""Values that assert nothing; False and 0 are not among them."""


def json_of(answer: BaseModel | None) -> str:
    """What the object says; the names are those of its fields. "" for no object."""
    return "" if answer is None else answer.model_dump_json(by_alias=False)


def object_of(answer: BaseModel, text: str) -> BaseModel:
    """The object that says the JSON at the start of `text` and nothing else; `answer` itself where that is so.

    A notice may follow. Raises `ValueError`, with the reason, where the schema cannot do without what is gone, or would
    put in its place a default that says something. Fields that an object keeps out of its JSON were not verified: they
    are reset, too.
    """
    name = type(answer).__name__
    try:
        left, end = json.JSONDecoder().raw_decode(text)
        new = type(answer).model_validate_json(text[:end], by_alias=True, by_name=True)
    except json.JSONDecodeError:
        raise ValueError(f"nothing is left of {name}") from None
    except ValidationError as error:
        what = ", ".join(".".join(map(str, each["loc"])) or each["msg"] for each in error.errors())
        raise ValueError(f"{name} cannot be made of what is left: {what}") from None
    added = _added(json.loads(json_of(new)), left)
    if added:
        raise ValueError(f"{name} would say what nobody verified: its default of {added}")
    return answer if new == answer else new


def unfit(answer: BaseModel, text: str) -> str:
    """Why `object_of` makes no object of `text`; "" when it does."""
    try:
        object_of(answer, text)
    except ValueError as error:
        return str(error)
    return ""


def _added(new: Any, old: Any, path: str = "") -> str:
    """Where `new` says something that `old` does not; "" for nowhere."""
    if isinstance(new, dict) and isinstance(old, dict):
        inside = (_added(value, old.get(key), f"{path}.{key}".lstrip(".")) for key, value in new.items())
        return next(filter(None, inside), "")
    if isinstance(new, list) and isinstance(old, list) and len(new) == len(old):
        inside = (_added(one, other, f"{path}[{at}]") for at, (one, other) in enumerate(zip(new, old, strict=True)))
        return next(filter(None, inside), "")
    return "" if new == old or new in _EMPTY else path or "the whole"
