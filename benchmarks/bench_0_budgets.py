"""The budgets of the design, measured: import, one check, growth, memory. Prints figures, never fails on a slow day.

Each time is given twice, as wall clock and as processor time: on a busy machine only the second means something.
"""

from __future__ import annotations

import itertools
import os
import statistics
import subprocess
import sys
import time
import tracemalloc
import warnings
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from grounding_middleware import Grounder, Span
from grounding_middleware.sources import read_sources

DOCUMENTS = Path(__file__).parents[1] / "examples" / "documents"
POLICY = DOCUMENTS / "contractor-expense-policy-2026.md"

CORE = "from grounding_middleware import Grounder, Policy, Span"
PYDANTIC = "import pydantic\nclass One(pydantic.BaseModel): number: int = 1"
"""Half of its modules are loaded by the first model."""

ORDINARY_ANSWER = (  # {n} is the id of the n-th span of the policy, counted from zero
    "Claims are submitted through the contractor portal [{2}]. A claim must be submitted within 45 days of the date "
    "on the receipt [{3}]. A photograph of a receipt is accepted if all four items can be read [{4}]. Claims above "
    "SGD 500 must be reviewed by regional finance before payment [{7}]. Alcohol is not reimbursed [{13}]. Hotels are "
    "paid up to EUR 155 per night [{11}]."
)


class Cost(NamedTuple):
    """Seconds by the clock and seconds of processor."""

    wall: float
    cpu: float


def main() -> None:
    """Print one line for each budget: what, by the clock, by the processor, allowed."""
    warnings.simplefilter("ignore", UserWarning)  # no judge is wanted here
    print(f"{'what':<52}{'clock':>12}{'processor':>12}   budget")
    line("import of the core, fresh process, median of 9", import_cost(CORE, 9), "300 ms")
    line("of which pydantic with one model", import_cost(PYDANTIC, 9), "-")
    one_check()
    growth()
    memory(10_000)


def line(what: str, cost: Cost, budget: str) -> None:
    """One row of the table."""
    print(f"{what:<52}{cost.wall * 1e3:>9.1f} ms{cost.cpu * 1e3:>9.1f} ms   {budget}")


def import_cost(statement: str, runs: int) -> Cost:
    """What `statement` takes above an empty interpreter; medians.

    Modules are compiled before, as those of an installed package are, whatever this checkout or environment keeps.
    """
    with TemporaryDirectory() as compiled:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
        process_cost(statement, environment)
        loaded = [process_cost(statement, environment) for _ in range(runs)]
        empty = [process_cost("pass", environment) for _ in range(runs)]
    return Cost(*(median(loaded, part) - median(empty, part) for part in (0, 1)))


def process_cost(statement: str, environment: dict[str, str]) -> Cost:
    """What a fresh interpreter takes for one statement."""
    before, start = os.times(), time.perf_counter()
    subprocess.run([sys.executable, "-c", statement], check=True, env=environment)  # noqa: S603  # our own statements
    wall, after = time.perf_counter() - start, os.times()
    return Cost(wall, after[2] + after[3] - before[2] - before[3])  # user and system time of children


def warm_cost(work: Callable[[], object], runs: int) -> Cost:
    """Medians of repeated runs in this process."""
    costs = []
    for _ in range(runs):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        costs.append(Cost(time.perf_counter() - wall, time.process_time() - cpu))
    return Cost(median(costs, 0), median(costs, 1))


def median(costs: list[Cost], part: int) -> float:
    """Median of one part of several costs."""
    return statistics.median(cost[part] for cost in costs)


def one_check() -> None:
    """An ordinary answer: six sentences against the policy, 1,037 words in 25 spans, no judge."""
    spans = read_sources([str(POLICY)])
    answer = ORDINARY_ANSWER.format(*(span.id for span in spans))
    grounder = Grounder()
    line(
        "one check, 6 sentences, 1,037 words: first", warm_cost(lambda: grounder.check(answer, evidence=spans), 1), "-"
    )
    line("the same, warm", warm_cost(lambda: grounder.check(answer, evidence=spans), 50), "20 ms")
    numbers = itertools.count()
    unseen = warm_cost(lambda: grounder.check(answer, evidence=fresh(spans, next(numbers))), 20)
    line("the same, evidence never seen before", unseen, "20 ms")


def fresh(spans: tuple[Span, ...], number: int) -> list[Span]:
    """The same spans with a word that is new every time, so that nothing read before can be used again."""
    return [Span(id=span.id, text=f"{span.text} Draft {number}.", section=span.section) for span in spans]


def growth() -> None:
    """Seconds for n spans and m sentences; ten times as many of one should cost ten times as much, not a hundred."""
    grounder = Grounder()
    print("\nprocessor seconds by spans (rows) and sentences (columns); budget: linear, 0.5 s for 100 x 50")
    print(f"{'':>8}" + "".join(f"{count:>10}" for count in (5, 50, 500)))
    for span_count in (1, 10, 100):
        spans = [f"Rule {n}: an order of type {n} is delivered within {n + 2} days." for n in range(span_count)]
        row = []
        for sentences in (5, 50, 500):
            answer = " ".join(statement(n % span_count) for n in range(sentences))
            row.append(warm_cost(lambda a=answer, s=spans: grounder.check(a, evidence=s), 3).cpu)
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
    figures = ", ".join(f"{megabytes:.1f}" for megabytes in held)
    print(f"\nMB held after 1 %, 50 % and 100 % of {answers:,} answers: {figures}; budget: flat")


if __name__ == "__main__":
    main()
