"""The repository looks as the design says (DESIGN §2)."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import grounding_middleware

ROOT = Path(__file__).parents[2]
TOP_LEVEL = {
    *("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "Makefile", "constraints.txt", ".ci", ".gitignore"),
    *("grounding_middleware", "integrations", "tests", "cassettes", "examples", "benchmarks", ".git"),
}
DISTRIBUTIONS = (ROOT, *sorted(path.parent for path in ROOT.glob("integrations/*/pyproject.toml")))


def ignored() -> set[str]:
    return {line.strip("/") for line in (ROOT / ".gitignore").read_text("utf-8").split()}


def test_no_name_outside_the_agreed_top_level() -> None:
    """A new top-level name needs a change of the design first."""
    assert {path.name for path in ROOT.iterdir()} - TOP_LEVEL - ignored() == set()


def test_integrations_are_no_packages() -> None:
    """An `__init__.py` there would shadow the real `langchain` or `guardrails`."""
    assert not [*ROOT.glob("integrations/__init__.py"), *ROOT.glob("integrations/*/__init__.py")]


def project(folder: Path) -> dict[str, object]:
    table = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    assert isinstance(table, dict)
    return table


@pytest.mark.parametrize("folder", DISTRIBUTIONS, ids=lambda path: path.name)
def test_one_version_everywhere(folder: Path) -> None:
    """All distributions carry one version, and integrations ask for exactly that core."""
    table = project(folder)
    assert table["version"] == grounding_middleware.__version__
    if folder != ROOT:
        assert f"grounding-middleware=={table['version']}" in table["dependencies"]  # type: ignore[operator]


def test_extras_are_the_front_door() -> None:
    """Each integration can be asked for as an extra of the core, at the same version."""
    wanted = {f"{project(folder)['name']}=={grounding_middleware.__version__}" for folder in DISTRIBUTIONS[1:]}
    extras = project(ROOT)["optional-dependencies"]
    assert isinstance(extras, dict)
    assert wanted <= {requirement.partition(";")[0] for listed in extras.values() for requirement in listed}


def test_constraints_are_plain_versions() -> None:
    """Exact tested versions, no addresses, no options."""
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    assert all(line.startswith("#") or line.count("==") == 1 for line in lines)
    assert not any("://" in line or line.startswith("-") for line in lines)


def test_every_licence_file_is_the_same() -> None:
    """Each distribution ships the licence of the project."""
    text = (ROOT / "LICENSE").read_text("utf-8")
    assert all((folder / "LICENSE").read_text("utf-8") == text for folder in DISTRIBUTIONS)
