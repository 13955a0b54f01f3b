"""A class put in front of an object's own: the object's behaviour with some methods replaced, on a copy."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from inspect import getattr_static
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


def keeps_methods(instance: object, base: type[Any], names: Iterable[str]) -> bool:
    """Whether `instance` is a `base` that overrides none of these methods."""
    same = (getattr_static(type(instance), name, None) is getattr_static(base, name, None) for name in names)
    return isinstance(instance, base) and all(same)


@cache
def _class(front: Any, base: Any) -> Any:
    return type(f"{front.__name__}{base.__name__}", (front, base), {"__module__": front.__module__})
