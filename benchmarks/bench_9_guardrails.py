"""What importing guardrails-ai costs with and without this package, what a process pays at its end, and one call."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from importlib.util import find_spec
from typing import NamedTuple

RUNS = 3
CALLS = 50
GUARD = "from guardrails import Guard; guard = Guard(); guard.validate('The sky is blue.')"
BARE = f"import guardrails; {GUARD}"
QUIET = f"import grounding_middleware_guardrails; {GUARD}"


class Cost(NamedTuple):
    """Seconds of a process by the clock, of the processor, and by the clock between its last line and its end."""

    wall: float
    cpu: float
    exit: float


def main() -> None:
    """Print one line for each measurement, medians of a few fresh processes."""
    if find_spec("guardrails") is None:
        print("left out: guardrails-ai is not installed")
        return
    print(f"{'fresh process':<58}{'clock':>10}{'processor':>11}{'exit':>9}")
    for name, code in (
        ("import guardrails", "import guardrails"),
        ("import grounding_middleware_guardrails", "import grounding_middleware_guardrails"),
        ("guardrails, one guard, one call", BARE),
        ("with grounding_middleware_guardrails, one guard, one call", QUIET),
    ):
        costs = [process(code) for _ in range(RUNS)]
        wall, cpu, end = (statistics.median(cost[part] for cost in costs) for part in range(3))
        print(f"{name:<58}{wall:>8.2f} s{cpu:>9.2f} s{end:>7.2f} s")
    calls()


def process(code: str) -> Cost:
    """One fresh process with a home of its own, so that no configuration of a user counts."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home}
        before, start = os.times(), time.perf_counter()
        child = subprocess.Popen(  # noqa: S603  # our own statements
            [sys.executable, "-c", f"{code}\nprint('done', flush=True)"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd=home,
        )
        assert child.stdout is not None
        child.stdout.readline()
        done = time.perf_counter()
        child.wait()
        end, after = time.perf_counter(), os.times()
        child.stdout.close()
    return Cost(end - start, after[2] + after[3] - before[2] - before[3], end - done)


def calls() -> None:
    """What a guard adds to the check it makes."""
    warnings.simplefilter("ignore")
    from guardrails import Guard  # noqa: PLC0415

    from grounding_middleware_guardrails import Grounding, VerifiedClaims  # noqa: PLC0415  # measured above

    text, sources = "The sky is blue. Pigs can fly.", ["The sky is blue."]
    validator = VerifiedClaims()
    guard = Guard(history_max_length=1).use(validator)
    for name, work in (
        ("check alone", lambda: validator.grounder.check(text, evidence=sources)),
        ("validator.validate", lambda: validator.validate(text, {"grounding": Grounding(sources)})),
        ("guard.validate", lambda: guard.validate(text, metadata={"grounding": Grounding(sources)})),
    ):
        work()
        start = time.process_time()
        for _ in range(CALLS):
            work()
        print(f"{name:<58}{(time.process_time() - start) / CALLS * 1e3:>8.2f} ms of processor a call")


if __name__ == "__main__":
    main()
