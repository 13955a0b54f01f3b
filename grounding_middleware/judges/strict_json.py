"""Reads the one JSON value of a model's reply, or says why there is none. Nothing is repaired and nothing guessed.

Harmless packaging is taken off: a leading reasoning block, code fences, prose around the value. Refused are duplicate
keys, NaN and infinities, a second value, a value that does not end, nesting too deep to read, and oversized replies.
When the outermost value cannot be read, none inside it is looked for.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from grounding_middleware.validation import first_fault

MAX_LENGTH = 400_000
"""Longest reply in characters that is looked at; ten times the longest honest one."""

_THINKING = re.compile(r"\s*<(think|thinking|thought|reasoning|reflection)>", re.IGNORECASE)
_THOUGHT_ENDS = re.compile(r"</(?:think|thinking|thought|reasoning|reflection)>", re.IGNORECASE)
_VALUE_STARTS = re.compile(r"\{|\[(?=\s*[\{\]])")

_Form = TypeVar("_Form", bound=BaseModel)


class UnreadableError(ValueError):
    """The reply holds no single strict JSON value; the message says why."""


def read(reply: str) -> tuple[Any, str]:
    """The value of `reply` and its own text; raises `UnreadableError`."""
    if len(reply) > MAX_LENGTH:
        raise UnreadableError(f"the reply is longer than {MAX_LENGTH} characters")
    text = _without_reasoning(reply.lstrip("\ufeff"))
    start = _VALUE_STARTS.search(text)
    if start is None:
        raise UnreadableError("the reply holds no JSON object")
    try:
        value, end = _DECODER.raw_decode(text, start.start())
    except RecursionError:
        raise UnreadableError("the JSON is nested too deeply") from None
    except ValueError as error:
        raise UnreadableError(f"the JSON cannot be read: {error}") from None
    if _VALUE_STARTS.search(text, end):
        raise UnreadableError("the reply holds more than one JSON value")
    return value, text[start.start() : end]


def read_as(form: type[_Form], reply: str) -> tuple[_Form, str]:
    """The value of `reply` in this form, and its own text; raises `UnreadableError` for any other form, too."""
    value, text = read(reply)
    try:
        return form.model_validate(value), text
    except ValidationError as error:
        raise UnreadableError(first_fault(error, "reply")) from None


def _without_reasoning(text: str) -> str:
    """What follows the reasoning of a reply that begins with it.

    Where the opening tag was part of the prompt only the closing one is left. More than one closing tag may come from
    text the model repeated, and then nobody can say where its own reply begins.
    """
    opened = _THINKING.match(text)
    ends = list(_THOUGHT_ENDS.finditer(text))
    if opened is None and (not ends or text.lstrip()[:1] in ("{", "[", "`")):
        return text
    if not ends:
        raise UnreadableError("the reply ends inside its reasoning")
    if len(ends) > 1:
        raise UnreadableError("the reply ends its reasoning more than once")
    return text[ends[0].end() :]


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise UnreadableError("an object of the reply has the same key twice")
    return found


def _number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise UnreadableError(f"{text[:20]} is no finite number")
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=_number, parse_constant=_number, strict=False)
"""`strict=False` allows a line break inside a string, which can mean only one thing."""
