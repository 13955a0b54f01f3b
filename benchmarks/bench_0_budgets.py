"""The budgets of the design, measured: import, one check, growth, memory. Prints figures, never fails on a slow day."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from grounding_middleware import Grounder
from grounding_middleware.sources import read_sources

DOCUMENTS = Path(__file__).parents[1] / "examples" / "documents"
POLICY = DOCUMENTS / "contractor-expense-policy-2026.md"

ORDINARY_ANSWER = (  # {n} is the id of the n-th span of the policy, counted from zero
    "Claims are submitted through the contractor portal [{2}]. A claim must be submitted within 45 days of the date "
    "on the receipt [{3}]. A photograph of a receipt is accepted if all four items can be read [{4}]. Claims above "
    "SGD 500 must be reviewed by regional finance before payment [{7}]. Alcohol is not reimbursed [{13}]. Hotels are "
    "paid up to EUR 155 per night [{11}]."
)


def main() -> None:
    """Print one line for each budget: what, measured, allowed."""
    print(f"{'what':<56}{'measured':>14}   budget")
    line("import of the core, fresh process, median of 9", f"{import_seconds(9):.3f} s", "0.3 s")
    one_check()
    growth()
    memory(10_000)


def line(what: str, measured: str, budget: str) -> None:
    """One row of the table."""
    print(f"{what:<56}{measured:>14}   {budget}")


def import_seconds(runs: int) -> float:
    """Wall clock of importing everything a check needs, above an empty interpreter; median."""
    statement = "from grounding_middleware import Grounder, Policy, Span"
    with_core = [process_seconds(statement) for _ in range(runs)]
    empty = [process_seconds("pass") for _ in range(runs)]
    return statistics.median(with_core) - statistics.median(empty)


def process_seconds(statement: str) -> float:
    """Seconds a fresh interpreter takes for one statement."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", statement], check=True)  # noqa: S603  # our own two statements
    return time.perf_counter() - start


def median_seconds(work: Callable[[], object], runs: int) -> float:
    """Median of warm runs."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def one_check() -> None:
    """An ordinary answer: six sentences against the policy, 1,037 words in 25 spans, no judge."""
    spans = read_sources([str(POLICY)])
    answer = ORDINARY_ANSWER.format(*(span.id for span in spans))
    grounder = Grounder()
    start = time.perf_counter()
    grounder.check(answer, evidence=spans)
    first = time.perf_counter() - start
    warm = median_seconds(lambda: grounder.check(answer, evidence=spans), 50)
    line("one check, 6 sentences, 1,037 words: first call", f"{first * 1e3:.1f} ms", "-")
    line("one check, 6 sentences, 1,037 words: median warm", f"{warm * 1e3:.1f} ms", "20 ms")


def growth() -> None:
    """Seconds for n spans and m sentences; ten times as many of one should cost ten times as much, not a hundred."""
    grounder = Grounder()
    print("\nseconds by spans (rows) and sentences (columns); budget: 100 spans x 50 sentences in 0.5 s, linear growth")
    print(f"{'':>8}" + "".join(f"{count:>10}" for count in (5, 50, 500)))
    for span_count in (1, 10, 100):
        spans = [f"Rule {n}: an order of type {n} is delivered within {n + 2} days." for n in range(span_count)]
        row = []
        for sentences in (5, 50, 500):
            answer = " ".join(statement(n % span_count) for n in range(sentences))
            row.append(median_seconds(lambda a=answer, s=spans: grounder.check(a, evidence=s), 3))
        print(f"{span_count:>8}" + "".join(f"{seconds:>10.3f}" for seconds in row))


def statement(number: int) -> str:
    """One sentence that its own span supports."""
    return f"An order of type {number} is delivered within {number + 2} days [S{number + 1}]."


def memory(answers: int) -> None:
    """Python memory held after many different answers, against the same after the first hundred."""
    grounder = Grounder()
    tracemalloc.start()
    held = []
    for number in range(answers):
        grounder.check(
            f"The order has number {number} and costs EUR {number}.", evidence=[f"Order {number} costs EUR 7."]
        )
        if number in (answers // 100, answers // 2, answers - 1):
            held.append(tracemalloc.get_traced_memory()[0] / 1e6)
    tracemalloc.stop()
    figures = " / ".join(f"{megabytes:.1f}" for megabytes in held)
    print()
    line(f"MB held after 1 %, 50 %, 100 % of {answers:,} answers", figures, "flat")


if __name__ == "__main__":
    main()
