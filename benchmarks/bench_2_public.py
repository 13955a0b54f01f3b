"""Rules alone on public labelled data: what they decide, how often that is right, and word overlap at the same number.

Needs the folder of data sets named by GROUNDING_DATA (default: ../shared/data); says so and ends when it is not there.
The rows are for measuring only and never enter this repository. `grounding eval FILE --baseline` says more of one set.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from grounding_middleware import Grounder, Label
from grounding_middleware.evaluation import RunHeader, Scored, ScoredClaim, load, score, summarise
from grounding_middleware.evaluation.golden import FLAGS, Side

DATA = Path(os.environ.get("GROUNDING_DATA", Path(__file__).parent.parent.parent / "shared" / "data"))
LIMIT = int(os.environ.get("GROUNDING_LIMIT", "0")) or None  # answers of each set; all without it
SETS = (
    "ragtruth_qa", "ragtruth_summary", "ragtruth_data2txt", "fever_symmetric", "med", "gqnli", "scone", "begin",
    "attributionbench_id", "expertqa", "factcheck_bench", "citation_integrity", "indonli",
)  # fmt: skip


def main() -> int:
    """Print one line a set and the table of rules over the RAG answers."""
    if not DATA.is_dir():
        print(f"public data: no folder at {DATA.name!r}; set GROUNDING_DATA to measure, nothing was run")
        return 0
    wanted = [name for name in sys.argv[1:] if not name.startswith("-")] or list(SETS)
    warnings.simplefilter("ignore", UserWarning)
    print(
        f"{'set':20} {'n':>5} {'base':>5} | {'SUP':>5} {'share':>6} {'prec':>6} {'overlap':>7} | "
        f"{'CON':>4} {'right':>6} | {'flags':>5} {'right':>6} {'false':>7} {'recall':>6} | ms/claim"
    )
    rules: dict[str, Counter[Side]] = defaultdict(Counter)
    for name in wanted:
        grounder = Grounder()
        answers = [score(example, grounder) for example in islice(load([DATA / f"{name}.jsonl"]), LIMIT)]
        print(line(name, answers))
        for claim in labelled(answers) if name.startswith("ragtruth") else ():
            for rule in claim.rules:
                rules[rule][claim.side or Side.EITHER] += 1
        if "-v" in sys.argv:
            print("\n".join(wrong(answers)))
    print("\nfindings on RAG answers: sentences on which each rule fired, and how many of them are not supported")
    for rule, counts in sorted(rules.items(), key=lambda item: -item[1].total()):
        print(f"{rule:40} {counts.total():5} sentences, {counts[Side.FLAG]:4} not supported")
    return 0


def labelled(answers: Iterable[Scored]) -> Iterator[ScoredClaim]:
    """The claims somebody labelled."""
    return (claim for answer in answers for claim in answer.gold_claims)


def line(name: str, answers: Sequence[Scored]) -> str:
    """The figures of one set."""
    found = summarise(RunHeader(created=datetime.now(UTC), package=""), answers, by=())
    recall, false, supported = (found.rate(one) for one in ("recall", "false_positives", "supported_precision"))
    n, flags = recall.n + false.n, recall.k + false.k
    contradicted = [claim.side for claim in labelled(answers) if claim.label is Label.CONTRADICTED]
    seconds = sum(answer.elapsed_ms or 0.0 for answer in answers)
    overlap = found.baseline.overlap_supported_right if found.baseline else None
    crashed = f" | {sum(found.errors.values())} crashed" if found.errors else ""
    return (
        f"{name:20} {n:5} {false.n / max(1, n):5.2f} | {supported.n:5} {share(supported.n, n)} "
        f"{share(supported.k, supported.n)} {'-' if overlap is None else f'{overlap:.3f}':>7} | "
        f"{len(contradicted):4} {share(contradicted.count(Side.FLAG), len(contradicted))} | "
        f"{flags:5} {share(recall.k, flags)} {share(false.k, false.n):>7} {share(recall.k, recall.n)} | "
        f"{seconds / max(1, n):.1f}{crashed}"
    )


def share(k: int, n: int) -> str:
    """The share of k in n, or that there is nothing to count."""
    return f"{k / n:6.3f}" if n else "     -"


def wrong(answers: Iterable[Scored]) -> Iterator[str]:
    """Every claim that was falsely flagged or passed, and why."""
    for answer in answers:
        for claim in answer.gold_claims:
            passed = claim.label is not None and claim.label not in (*FLAGS, Label.UNVERIFIED)
            if claim.label in FLAGS if claim.side is Side.PASS else passed:
                yield f"  {answer.id} {claim.gold} -> {claim.label}: {claim.text!r}\n      {claim.reason[:200]}"
                yield f"      {[quote.text for quote in claim.quotes]}"


if __name__ == "__main__":
    sys.exit(main())
