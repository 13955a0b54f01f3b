"""What is built is complete: every file of a package, its types marker and the licence; nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DISTRIBUTIONS = (ROOT, *sorted(path.parent for path in ROOT.glob("integrations/*/pyproject.toml")))


def package_files(folder: Path) -> set[str]:
    """Files of the one package of a distribution, relative to the distribution."""
    (package,) = folder.glob("grounding_middleware*/__init__.py")
    files = (path for path in package.parent.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix() for path in files}


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A wheel of each distribution, built from its source distribution, without network or isolation."""
    found = {}
    for folder in DISTRIBUTIONS:
        out = tmp_path_factory.mktemp(folder.name)
        command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(folder)]
        subprocess.run(command, check=True, capture_output=True, text=True)
        (found[folder.name],) = out.glob("*.whl")
    return found


@pytest.mark.parametrize("folder", DISTRIBUTIONS, ids=lambda path: path.name)
def test_a_wheel_holds_its_package_and_nothing_else(wheels: dict[str, Path], folder: Path) -> None:
    """Word lists and other data travel along; tests, examples and neighbours do not."""
    names = set(zipfile.ZipFile(wheels[folder.name]).namelist())
    files = {name for name in names if ".dist-info/" not in name}
    assert files == package_files(folder)
    assert any(name.endswith("/py.typed") for name in files)
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_the_built_wheels_work_together(wheels: dict[str, Path], tmp_path: Path) -> None:
    """Unpacked side by side and away from the repository, they check an answer."""
    for wheel in wheels.values():
        zipfile.ZipFile(wheel).extractall(tmp_path)
    code = (
        "import grounding_middleware as g, grounding_middleware_langchain, grounding_middleware_llama_index\n"
        f"{'import grounding_middleware_guardrails' if find_spec('guardrails') else ''}\n"
        f"assert g.__file__.startswith({str(tmp_path)!r}), g.__file__\n"
        "print(g.Grounder().check('The fee is EUR 7.', evidence=['The fee is EUR 5.']).action)"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=tmp_path, env=environment
    )
    assert done.stdout.strip() == "escalate"
