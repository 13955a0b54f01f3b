"""Evaluate, review, export, evaluate again, as the example shows it: rulings become labels that change the figures."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "measure_and_review.py"


def test_the_loop_closes(tmp_path: Path) -> None:
    """Escalated answers are reviewed, their claims exported, and the second run has them beside the first ones."""
    done = subprocess.run([sys.executable, str(EXAMPLE)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    before, _, after = done.stdout.partition("5. labelled and reviewed")
    assert "4. exported: 2 claims" in before
    for part, wanted in ((before, "1/2"), (after, "3/4")):
        assert wanted in next(line for line in part.splitlines() if "unsupported claims, as written" in line)
