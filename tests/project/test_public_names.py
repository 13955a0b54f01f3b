"""What can be imported is what is announced: `__all__` is exact in every documented module."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from importlib.util import find_spec
from types import ModuleType

import pytest

import grounding_middleware
import grounding_middleware_langchain
import grounding_middleware_llama_index

GUARDRAILS = find_spec("guardrails") is not None  # there is none for Python 3.14
PACKAGES = (
    grounding_middleware,
    grounding_middleware_langchain,
    grounding_middleware_llama_index,
    *([importlib.import_module("grounding_middleware_guardrails")] if GUARDRAILS else []),
)


DOCUMENTED = (
    *(package.__name__ for package in PACKAGES),
    *(f"grounding_middleware.{name}" for name in ("errors", "policy", "prevention", "report", "sources", "tokens")),
)


def announcing_modules() -> list[str]:
    """Every module of the four packages that has `__all__`."""
    found = [package.__name__ for package in PACKAGES]
    for package in PACKAGES:
        found += [info.name for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    return [
        name for name in found if not name.endswith("__main__") and hasattr(importlib.import_module(name), "__all__")
    ]


def defined_in(module: ModuleType) -> set[str]:
    """Public functions and classes written in this very module."""
    members = inspect.getmembers(module, lambda value: inspect.isclass(value) or inspect.isfunction(value))
    return {name for name, value in members if value.__module__ == module.__name__ and not name.startswith("_")}


def test_every_announced_name_exists_once() -> None:
    """In every module, documented or not."""
    for name in announcing_modules():
        module = importlib.import_module(name)
        assert len(set(module.__all__)) == len(module.__all__), name
        assert [each for each in module.__all__ if not hasattr(module, each)] == [], name


@pytest.mark.parametrize("name", DOCUMENTED)
def test_documented_modules_announce_all_they_define(name: str) -> None:
    """No public function or class of a documented module is missing from its `__all__`."""
    module = importlib.import_module(name)
    assert defined_in(module) <= set(module.__all__)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_packages_list_their_names(package: ModuleType) -> None:
    """`dir()` offers what `__all__` says, and an unknown name is an AttributeError as usual."""
    assert set(package.__all__) <= set(dir(package))
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = package.nonsense
