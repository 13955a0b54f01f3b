"""Public names of a package, each loaded from the module it lives in when it is first asked for (PEP 562)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["lazy"]


def lazy(package: str, homes: Mapping[str, Iterable[str]]) -> Callable[[str], Any]:
    """The `__getattr__` of `package`; `homes` are modules, each with the names it gives.

    A module of the package itself is written with a leading dot, as in an import. Any other name raises AttributeError.
    """
    home_of = {name: home for home, names in homes.items() for name in names}

    def found(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(home_of[name], package), name)

    return found
