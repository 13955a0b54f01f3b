"""Whatever an endpoint does, each backend ends in bounded time with a reason, and supports nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("faults.py")


@pytest.mark.parametrize("backend", ["openai", "openai-stream", "langchain", "llama-index", "function"])
def test_every_fault(backend: str) -> None:
    """Slow, silent, endless, cut, forged, limited, refused and broken replies, sync and async; and one that is good.

    In a process of its own: what is abandoned there, as it must be, ends with it.
    """
    done = subprocess.run(
        [sys.executable, str(SCRIPT), backend], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("UNVERIFIED") == 42
