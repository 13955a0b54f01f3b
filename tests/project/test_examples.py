"""Every example runs offline, away from the repository's folder."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))
FRAMEWORKS = ("guardrails", "langchain", "llama_index")
Printed = Callable[[Path], str]


def framework(script: Path) -> str:
    return next((name for name in FRAMEWORKS if name in script.name), "")


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Printed:
    """What an example prints. Those of a framework run in one process: loading it takes longer than they do."""

    @cache
    def of_framework(name: str) -> dict[str, str]:
        runner = Path(__file__).with_name("run_scripts.py")
        command = [sys.executable, str(runner), *(str(one) for one in EXAMPLES if framework(one) == name)]
        folder = tmp_path_factory.mktemp("anywhere")
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return dict(part.split("\n", 1) for part in done.stdout.split("\f")[1:])

    return lambda script: of_framework(framework(script))[script.name]


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda path: path.name)
def test_example_runs(script: Path, printed: Printed) -> None:
    """It ends without error and prints something."""
    if framework(script) == "guardrails" and find_spec("guardrails") is None:
        pytest.skip("there is no guardrails-ai for Python 3.14")
    assert printed(script).strip()


def test_measuring_and_reviewing_is_a_loop(printed: Printed) -> None:
    """Escalated answers are reviewed, their claims exported, and the second run has them beside the first ones."""
    (script,) = (one for one in EXAMPLES if one.name == "measure_and_review.py")
    before, _, after = printed(script).partition("5. labelled and reviewed")
    assert "4. exported: 2 claims" in before
    for part, wanted in ((before, "1/2"), (after, "3/4")):
        assert wanted in next(line for line in part.splitlines() if "unsupported claims, as written" in line)
