"""Records every cassette again: against `OPENAI_BASE_URL`, or against a small local model when that is not set.

Further arguments go to pytest, such as the name of one test. Run by `make record`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
# The options of the project without the two that forbid what recording is: the network.
# Connections that a client leaves open are its own affair; in a replay there are none.
OPTIONS = (
    "-W",
    "ignore::pytest.PytestUnraisableExceptionWarning",
    "-o",
    "addopts=--import-mode=importlib --strict-markers --strict-config -p grounding_middleware.pytest_plugin",
)


def main() -> int:
    """The exit code of pytest."""
    begun = time.monotonic()
    code = record(dict(os.environ)) if os.environ.get("OPENAI_BASE_URL") else with_local_model()
    print(f"recorded in {time.monotonic() - begun:.0f} s")  # noqa: T201  # a script
    return code


def with_local_model() -> int:
    """Serve the local model for as long as it takes."""
    command = [sys.executable, str(Path(__file__).with_name("serve.py"))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdout is not None
        line = server.stdout.readline()
        if not line:
            server.wait()
            return 1
        ready = json.loads(line)
        environment = {
            **os.environ,
            "OPENAI_BASE_URL": ready["base_url"],
            "OPENAI_API_KEY": "unused",
            "GROUNDING_MODEL": ready["model"],
            "GROUNDING_MODEL_SHA256": ready["file_sha256"],
        }
        try:
            return record(environment)
        finally:
            server.terminate()


def record(environment: dict[str, str]) -> int:
    """Run the marked tests with recording on."""
    command = [sys.executable, "-m", "pytest", *OPTIONS, "-m", "grounding_cassette", "--grounding-record", "-q"]
    chosen = sys.argv[1:] or ["tests"]
    return subprocess.run([*command, *chosen], env=environment, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
