"""Whatever an endpoint does, each backend ends in bounded time with a reason, and supports nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("faults.py")


@pytest.fixture(scope="module")
def tables() -> dict[str, str]:
    """What became of every fault, by backend. One process for all, which takes with it what was abandoned there."""
    done = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True, check=False, timeout=900)
    assert done.stdout, done.stderr
    return {table.split()[0]: table for table in done.stdout.strip().split("\n\n")}


@pytest.mark.parametrize("backend", ["openai", "openai-stream", "langchain", "llama-index", "function"])
def test_every_fault(tables: dict[str, str], backend: str) -> None:
    """Slow, silent, endless, cut, forged, limited, refused and broken replies, sync and async; and one that is good."""
    table = tables[backend]
    assert "BROKEN" not in table, table
    assert (table.count("UNVERIFIED"), table.count("SUPPORTED")) == (42, 2), table
