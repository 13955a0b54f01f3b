"""A class put in front of an object's own: the object's behaviour with some methods replaced, on a copy."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


def in_front(front: Any, original: T, **own: Any) -> T:
    """A shallow copy of `original` whose class is `front` before its own; `own` are attributes of the copy.

    `isinstance` holds for both; the original is not touched.
    """
    base: Any = type(original)
    kind = _class(front, base)
    clone: T = kind.__new__(kind)
    vars(clone).update(vars(original), **own)
    return clone


@cache
def _class(front: Any, base: Any) -> Any:
    return type(f"{front.__name__}{base.__name__}", (front, base), {"__module__": front.__module__})
