"""What `ground` costs on top of a bare chain without a judge (checklist 25): per answer, and per streamed token.

CPU time of the process: the models are scripts that wait for nobody, so on an idle machine it is the time that passes.
"""

from __future__ import annotations

import statistics
import sys
import time
import warnings
from collections.abc import Callable

try:
    from langchain_core.language_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage
    from langchain_core.runnables import Runnable, RunnableLambda

    from grounding_middleware_langchain import demo, ground
except ImportError as error:
    print(f"left out: {error.name} is not installed")
    sys.exit(0)

ANSWER = (
    "Claims are submitted through the contractor portal. A claim must be submitted within 45 days of the date on the "
    "receipt. A photograph of a receipt is accepted if all four items can be read. Claims above SGD 500 must be "
    "reviewed by regional finance before payment. Hotels are paid up to EUR 155 per night. Alcohol is not reimbursed."
)
RUNS = 30


def main() -> None:
    """Print one line for each way of calling."""
    warnings.simplefilter("ignore")
    bare = chain()
    tokens = len(list(bare.stream(demo.INCIDENT)))
    print(f"{'CPU time, median of ' + str(RUNS):<56}{'bare':>12}{'guarded':>12}{'more':>12}")
    line("invoke, one answer of six sentences", bare, ground(bare), lambda run: run.invoke(demo.INCIDENT), 1)
    line("stream, whole answer, per token", bare, ground(bare), _read, tokens)
    line("stream by claim, per token", bare, ground(bare, stream="claims"), _read, tokens)


def chain() -> Runnable[str, str]:
    """The demo's chain with an ordinary answer, and a model that streams it word by word."""
    steps = demo.build_chain().steps  # type: ignore[attr-defined]  # a sequence
    words = RunnableLambda(lambda prompt: prompt) | GenericFakeChatModel(messages=iter(lambda: AIMessage(ANSWER), None))
    return steps[0] | steps[1] | words | steps[3]


def line(
    what: str, bare: Runnable[str, str], guarded: Runnable[str, str], call: Callable[..., object], per: int
) -> None:
    """One row of the table, medians of warm runs."""
    first, second = (median_ms(lambda run=run: call(run)) / per for run in (bare, guarded))
    print(f"{what:<56}{first:>9.3f} ms{second:>9.3f} ms{second - first:>9.3f} ms")


def median_ms(work: Callable[[], object]) -> float:
    """Median CPU time of warm runs in milliseconds."""
    work()
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times) * 1_000


def _read(run: Runnable[str, str]) -> str:
    return "".join(run.stream(demo.INCIDENT))


if __name__ == "__main__":
    main()
