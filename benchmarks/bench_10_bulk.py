"""Bulk evaluation: answers a second, processor time and peak memory for sets of growing size, each in a fresh process.

    python benchmarks/bench_10_bulk.py [--jobs N] [--recorded] [SIZE ...]  (default: 500 2000; in full: 10000 100000)

With --recorded each answer gets the report of the first one instead of being checked: what is left is reading,
matching, writing, counting. Memory is flat when the columns in MiB hardly change from size to size: `peak` is that of
the process that reads, writes and counts, `worker` that of the largest other. `summary` is the time to count the run.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from grounding_middleware import Grounder, Policy, Report
from grounding_middleware.evaluation import FromSpec, Plan, evaluate, summarise
from grounding_middleware.evaluation.grounders import Maker

SIZES = (500, 2_000)
MIB = 1024 if sys.platform != "darwin" else 1024 * 1024


def main() -> int:
    """Print one line for each size; returns 0 always: budgets are judged by a reader."""
    options = _options()
    if options.alone:
        print(json.dumps(measure(options.sizes[0], options.jobs, Recorded if options.recorded else FromSpec())))
        return 0
    print(
        f"{'answers':>8} {'jobs':>4} {'seconds':>8} {'answers/s':>9} {'CPU s':>7} {'CPU ms each':>11} "
        f"{'summary s':>9} {'peak MiB':>8} {'worker MiB':>10} {'run MB':>7}"
    )
    for size in options.sizes:
        how = ["--recorded"] if options.recorded else []
        command = [sys.executable, __file__, "--alone", "--jobs", str(options.jobs), *how, str(size)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603  # this very script
        found = json.loads(done.stdout)
        print(
            f"{size:8} {options.jobs:4} {found['seconds']:8.1f} {size / found['seconds']:9.1f} {found['cpu']:7.1f} "
            f"{1000 * found['cpu'] / size:11.2f} {found['summary']:9.1f} {found['peak']:8.0f} {found['worker']:10.0f} "
            f"{found['megabytes']:7.1f}",
            flush=True,
        )
    return 0


class Recorded(Grounder):
    """Checks one answer, and says the same of all others."""

    def __init__(self) -> None:
        super().__init__(policy=Policy(needs_judge=False))
        self.reports: list[Report] = []

    def check(self, answer: str, **given: Any) -> Report:
        """The report of the first answer."""
        if not self.reports:
            self.reports.append(super().check(answer, **given))
        return self.reports[0]


def measure(size: int, jobs: int, make: Maker) -> dict[str, float]:
    """One set of `size` answers, from the file to the figures."""
    with tempfile.TemporaryDirectory() as name:
        golden = Path(name) / "golden.jsonl"
        with golden.open("w", encoding="utf-8") as file:
            file.writelines(f"{json.dumps(example(number))}\n" for number in range(size))
        begun, cpu = time.perf_counter(), processor_seconds()
        run = evaluate([golden], make, Path(name) / "run.jsonl", Plan(processes=jobs))
        seconds = time.perf_counter() - begun
        counting = time.perf_counter()
        summary = summarise(run.header, run)
        counted = time.perf_counter() - counting
        assert (summary.answers, sum(summary.errors.values())) == (size, 0)
        return {
            "seconds": seconds,
            "cpu": processor_seconds() - cpu,
            "summary": counted,
            "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MIB,
            "worker": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / MIB,
            "megabytes": run.path.stat().st_size / 1e6,
        }


def example(number: int) -> dict[str, Any]:
    """No two answers are alike, so that nothing is remembered; every third is wrong, every fifth undecided."""
    fee, said = number % 900 + 100, number % 900 + 100 + (number % 3 == 0)
    praise = f" Customers of branch {number} like the service [S1]." if number % 5 == 0 else ""
    claim = f"The fee of order {number} is {said} EUR"
    return {
        "id": f"a{number}",
        "sources": [
            f"The fee of order {number} is {fee} EUR.",
            f"Order {number} is shipped within {number % 20} days.",
        ],
        "answer": f"{claim} [S1].{praise}",
        "claims": [{"text": claim, "label": "CONTRADICTED" if said != fee else "SUPPORTED"}],
        "facts": [f"{fee} EUR"],
        "segments": {"branch": str(number % 7)},
    }


def processor_seconds() -> float:
    """Of this process and of those it waited for."""
    found = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in found)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", type=int, default=list(SIZES))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--recorded", action="store_true")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
