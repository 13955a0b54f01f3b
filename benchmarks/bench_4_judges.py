"""What judging costs: calls and tokens an answer beside two common designs, faults of endpoints, and a local model.

The judge here is a stand-in that answers as a right judge would, at the length a right reply has; calls and tokens are
real, verdicts say nothing. Prints figures, never fails on a slow day.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from grounding_middleware import Grounder, Report
from grounding_middleware.claims import split
from grounding_middleware.judges import ModelCall, ModelReply
from grounding_middleware.judges.costs import costs, table
from grounding_middleware.tokens import count

TESTS = Path(__file__).parents[1] / "tests"
ANSWERS = TESTS / "cases" / "answers.jsonl"
TINY = TESTS / "judges" / "nli" / "tiny"
FAULTS = TESTS / "judges" / "backends" / "faults.py"

# Assumed lengths of the prompts of the two other designs, in tokens and on the short side: instructions of a yes/no
# question on one sentence, of taking an answer apart into statements, and of giving a verdict on each statement.
PER_SENTENCE, TAKE_APART, VERDICTS = 180, 450, 550
REPLY_PER_SENTENCE, REPLY_PER_STATEMENT = 40, 60
GAPS = (5, 0, 0)


class Spent(NamedTuple):
    """Calls and tokens for one answer, read and written together."""

    calls: int
    tokens: int


def main() -> None:
    """All tables."""
    warnings.simplefilter("ignore", UserWarning)
    calls_and_tokens()
    local_model()
    faults()


def calls_and_tokens() -> None:
    """Per answer and on average: ours, one call a sentence, statements then verdicts."""
    print("calls and tokens an answer (o200k tokens, read + written)")
    print(f"{'answer':<8}{'claims':>7}{'judged':>8}{'ours':>14}{'a sentence each':>19}{'two steps':>14}")
    rows: list[tuple[Spent, Spent, Spent]] = []
    log = []
    for case in map(json.loads, ANSWERS.read_text("utf-8").splitlines()):
        report = check(case)
        log += report.calls
        row = (ours(report), a_sentence_each(case), two_steps(case))
        rows.append(row)
        claims = sum(claim.label.is_claim for claim in report.claims)
        judged = len({claim for call in report.calls for claim in call.claim_ids})
        shown = "".join(f"{one.calls:>6} {one.tokens:>7}{'':>{gap}}" for one, gap in zip(row, GAPS, strict=True))
        print(f"{case['id']:<8}{claims:>7}{judged:>8}{shown}")
    for name, pick in (("mean", statistics.fmean), ("most", max)):
        columns = zip(*rows, strict=True)
        figures = [(pick(one.calls for one in column), pick(one.tokens for one in column)) for column in columns]
        shown = "".join(
            f"{calls:>6.1f} {spent:>7.0f}{'':>{gap}}" for (calls, spent), gap in zip(figures, GAPS, strict=True)
        )
        print(f"{name:<23}{shown}")
    print("budget: at most 1 call, at most 2,500 tokens\n")
    print(table(costs(log)), "\n")


def check(case: dict[str, Any]) -> Report:
    """One answer through the pipeline, with the stand-in."""
    return Grounder(judge=StandIn()).check(
        case["answer"], evidence=case["sources"], question=case["question"], as_of=case.get("as_of")
    )


class StandIn:
    """A model that gives each claim a verdict of ordinary length; it knows nothing, so every quote is refused."""

    name = "stand-in"

    def complete(self, call: ModelCall) -> ModelReply:
        """A reply as long as a right one."""
        quote = "Claims above the limit must be reviewed by regional finance before payment."
        verdict = {
            "evidence": [{"source": "S1", "quote": quote}],
            "reason": "The passage states it.",
            "label": "INSUFFICIENT_EVIDENCE",
        }
        numbers = dict(call.reply_schema or {})["properties"]["verdicts"]["items"]["properties"]["claim"]["enum"]
        text = json.dumps({"verdicts": [{"claim": number, **verdict} for number in numbers]})
        return ModelReply(text=text, input_tokens=tokens(call.system, call.user), output_tokens=tokens(text))

    async def acomplete(self, call: ModelCall) -> ModelReply:
        """The same."""
        return self.complete(call)


def ours(report: Report) -> Spent:
    """What the call log says."""
    return Spent(len(report.calls), sum((call.input_tokens or 0) + (call.output_tokens or 0) for call in report.calls))


def a_sentence_each(case: dict[str, Any]) -> Spent:
    """One call for every statement with all sources in it, as a judge without rules and batches makes."""
    sources = tokens(*(source["text"] for source in case["sources"]))
    statements = [one for one in split(case["answer"], (), case["question"]) if one.statement == "claim"]
    spent = sum(PER_SENTENCE + sources + tokens(one.text) + REPLY_PER_SENTENCE for one in statements)
    return Spent(len(statements), spent)


def two_steps(case: dict[str, Any]) -> Spent:
    """Two calls: the answer taken apart into statements, then a verdict with a reason on each, all sources in it."""
    sources = tokens(*(source["text"] for source in case["sources"]))
    answer, question = tokens(case["answer"]), tokens(case["question"])
    statements = sum(one.statement == "claim" for one in split(case["answer"], (), case["question"]))
    first = TAKE_APART + question + answer + int(1.3 * answer)
    second = VERDICTS + sources + int(1.3 * answer) + REPLY_PER_STATEMENT * statements
    return Spent(2, first + second)


def tokens(*texts: str) -> int:
    """Tokens of several texts."""
    return sum(count(text).n for text in texts)


def local_model() -> None:
    """Latency and memory of the local judge, with the tiny model of the tests: the machinery, not the arithmetic."""
    from grounding_middleware.judges.nli import OnnxModel  # noqa: PLC0415  # needs the extra, measured from here on

    before = peak()
    begun = time.perf_counter()
    model = OnnxModel(TINY)
    loaded = time.perf_counter() - begun
    print(f"local model, tiny: loaded in {loaded * 1e3:.0f} ms, {peak() - before:.0f} MB more at the peak")
    for pairs in (1, 16, 256):
        pair = ("the desk opens at nine " * 4, "the desk")
        call = ModelCall(tier="nli", role="-", prompt_version="-", pairs=(pair,) * pairs)
        times = sorted(timed(lambda call=call: model.complete(call)) for _ in range(30))
        print(f"  {pairs:>4} pairs a call: {times[15] / pairs * 1e3:7.3f} ms a pair, median of 30")
    print(f"  {peak() - before:.0f} MB more at the peak after all\n")


def timed(work: Any) -> float:
    """Seconds of one run."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def peak() -> float:
    """Highest memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def faults(backends: Iterable[str] = ()) -> None:
    """Every fault against every backend, in a process of its own."""
    print("faults of an endpoint: label and seconds, 2.5 s allowed for each answer")
    sys.stdout.flush()
    subprocess.run([sys.executable, str(FAULTS), *backends], check=False)  # noqa: S603  # our own script


if __name__ == "__main__":
    main()
