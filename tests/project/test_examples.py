"""Every example runs offline, away from the repository's folder."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("script", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_example_runs(script: Path, tmp_path: Path) -> None:
    """It ends without error and prints something."""
    if script.name.startswith("guardrails_") and find_spec("guardrails") is None:
        pytest.skip("there is no guardrails-ai for Python 3.14")
    done = subprocess.run([sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
