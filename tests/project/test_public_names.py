"""What can be imported is what is announced: `__all__` is exact in every public module."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from types import ModuleType

import pytest

import grounding_middleware
import grounding_middleware_guardrails
import grounding_middleware_langchain
import grounding_middleware_llama_index

PACKAGES = (
    grounding_middleware,
    grounding_middleware_guardrails,
    grounding_middleware_langchain,
    grounding_middleware_llama_index,
)


def public_modules() -> list[str]:
    names = [package.__name__ for package in PACKAGES]
    for package in PACKAGES:
        found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        names += [info.name for info in found if "._" not in info.name]
    return names


def defined_in(module: ModuleType) -> set[str]:
    """Public functions and classes written in this very module."""
    members = inspect.getmembers(module, lambda value: inspect.isclass(value) or inspect.isfunction(value))
    return {name for name, value in members if value.__module__ == module.__name__ and not name.startswith("_")}


@pytest.mark.parametrize("name", public_modules())
def test_all_is_exact(name: str) -> None:
    """Every announced name exists; where names are announced, none that the module defines is missing."""
    module = importlib.import_module(name)
    if not hasattr(module, "__all__"):
        assert not hasattr(module, "__path__") or not defined_in(module)
        return
    announced = set(module.__all__)
    assert len(announced) == len(module.__all__)
    assert all(hasattr(module, each) for each in announced)
    assert defined_in(module) <= announced | {"main"}


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_packages_list_their_names(package: ModuleType) -> None:
    """`dir()` offers what `__all__` says, and an unknown name is an AttributeError as usual."""
    assert set(package.__all__) <= set(dir(package))
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = package.nonsense


@pytest.mark.parametrize("package", [grounding_middleware_guardrails, grounding_middleware_llama_index])
def test_reserved_integrations_say_so(package: ModuleType) -> None:
    """An integration that is not there yet imports, and refuses to look as if it verified anything."""
    with pytest.raises(grounding_middleware.GroundingError, match="arrives with grounding-middleware 0\\.2\\.0"):
        package.ground(object())
