"""Rules alone on public labelled data: what they decide, how often that is right, and word overlap at the same number.

Needs the folder of data sets named by GROUNDING_DATA (default: ../shared/data); says so and ends when it is not there.
The rows are for measuring only and never enter this repository.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grounding_middleware import Grounder, Label, Verdict

DATA = Path(os.environ.get("GROUNDING_DATA", Path(__file__).parent.parent.parent / "shared" / "data"))
SETS = (
    "ragtruth_qa", "ragtruth_summary", "ragtruth_data2txt", "fever_symmetric", "med", "gqnli", "scone", "begin",
    "attributionbench_id", "expertqa", "factcheck_bench", "citation_integrity", "indonli",
)  # fmt: skip
_WORD = re.compile(r"\w+")


@dataclass
class Tally:
    """What happened on one set; `scored` holds (overlap, is supported) for the baseline."""

    n: int = 0
    supported: int = 0
    seconds: float = 0.0
    decided: Counter[str] = field(default_factory=Counter)
    scored: list[tuple[float, bool]] = field(default_factory=list)
    rules: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    errors: list[str] = field(default_factory=list)


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
    rules: dict[str, Counter[str]] = defaultdict(Counter)
    for name in wanted:
        tally = measure(name)
        print(line(name, tally))
        for rule, counts in tally.rules.items() if name.startswith("ragtruth") else ():
            rules[rule].update(counts)
        if "-v" in sys.argv:
            print("\n".join(tally.errors))
    print("\nfindings on RAG answers: how often each rule fired, and how often on a sentence that is not supported")
    for rule, counts in sorted(rules.items(), key=lambda item: -sum(item[1].values())):
        print(f"{rule:40} {sum(counts.values()):5} fired, {counts['unsupported']:4} on unsupported ones")
    return 0


def measure(name: str) -> Tally:
    """Run the rules over one set."""
    tally = Tally()
    limit = int(os.environ.get("GROUNDING_LIMIT", "0"))
    grounder = Grounder()
    rows = (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()
    for row in map(json.loads, rows[:limit] if limit else rows):
        begun = time.perf_counter()
        report = grounder.check(
            row["claim"], evidence=passages(row["context"]), question=row["extra"].get("question", "") or ""
        )
        tally.seconds += time.perf_counter() - begun
        for text, label, verdict in statements(row, report.claims):
            count(tally, row, text, label, verdict)
    return tally


def passages(context: str) -> list[str]:
    """The context cut where it announces its passages."""
    parts = [part.strip() for part in re.split(r"(?m)^passage \d+:", context)]
    return [part for part in parts if part]


def statements(row: dict[str, Any], claims: tuple[Verdict, ...]) -> Iterator[tuple[str, str, str]]:
    """(text, gold label, our label) for each labelled sentence; a flag on any part of it counts."""
    spots = row["extra"].get("sentences") or [{"start": 0, "end": len(row["claim"]), "label": row["label"]}]
    for spot in spots:
        start, end = spot["start"], spot["end"]
        inside = [v for v in claims if min(v.end, end) - max(v.start, start) > min(3, end - start - 1)]
        yield row["claim"][start:end], spot["label"], (merged(inside), inside)


def merged(verdicts: list[Verdict]) -> str:
    """Flagged if any part is, else undecided if any part is, else supported; NOT_A_CLAIM if nothing else is there."""
    labels = [v.label for v in verdicts]
    for label in (
        Label.CONTRADICTED,
        Label.INVALID_CITATION,
        Label.INSUFFICIENT_EVIDENCE,
        Label.UNVERIFIED,
        Label.SUPPORTED,
    ):
        if label in labels:
            return label.value
    return labels[0].value if labels else "MISSING"


def count(tally: Tally, row: dict[str, Any], text: str, gold: str, found: tuple[str, list[Verdict]]) -> None:
    """Add one statement to the tally."""
    label, verdicts = found
    good = gold == "SUPPORTED"
    tally.n += 1
    tally.supported += good
    tally.decided[f"{label} {'good' if good else 'bad'}"] += 1
    tally.decided[f"{label} {gold}"] += 1
    tally.scored.append((overlap(text, row["context"]), good))
    for verdict in verdicts:
        for finding in verdict.findings:
            if finding.outcome in ("conflict", "doubt"):
                key = f"{finding.outcome} {finding.check}.{finding.rule}"
                tally.rules[key]["supported" if good else "unsupported"] += 1
    wrong = (label in ("CONTRADICTED", "INSUFFICIENT_EVIDENCE", "INVALID_CITATION") and good) or (
        label == "SUPPORTED" and not good
    )
    if wrong or (label in ("NOT_A_CLAIM", "ABSTENTION") and not good):
        quotes = [q.text for v in verdicts for q in v.quotes][:2]
        tally.errors.append(
            f"  {row['id']} {gold} -> {label}: {text!r}\n      {[v.reason[:200] for v in verdicts]}\n      {quotes}"
        )


def overlap(text: str, context: str) -> float:
    """Share of the statement's words that stand anywhere in the context: the baseline."""
    words = {word.casefold() for word in _WORD.findall(text)}
    return len(words & {word.casefold() for word in _WORD.findall(context)}) / max(1, len(words))


def line(name: str, t: Tally) -> str:
    """The figures of one set."""
    sup, sup_good = t.decided["SUPPORTED good"] + t.decided["SUPPORTED bad"], t.decided["SUPPORTED good"]
    best = sorted(t.scored, reverse=True)[:sup]
    con = t.decided["CONTRADICTED good"] + t.decided["CONTRADICTED bad"]
    flags = sum(
        t.decided[f"{x} {y}"]
        for x in ("CONTRADICTED", "INSUFFICIENT_EVIDENCE", "INVALID_CITATION")
        for y in ("good", "bad")
    )
    false = sum(t.decided[f"{x} good"] for x in ("CONTRADICTED", "INSUFFICIENT_EVIDENCE", "INVALID_CITATION"))
    bad = t.n - t.supported

    def share(k: int, n: int) -> str:
        return f"{k / n:6.3f}" if n else "     -"

    return (
        f"{name:20} {t.n:5} {t.supported / max(1, t.n):5.2f} | {sup:5} {share(sup, t.n)} {share(sup_good, sup)} "
        f"{share(sum(good for _, good in best), sup):>7} | {con:4} {share(t.decided['CONTRADICTED bad'], con)} | "
        f"{flags:5} {share(flags - false, flags)} {share(false, t.supported):>7} {share(flags - false, bad)} | "
        f"{1000 * t.seconds / max(1, t.n):.1f}"
    )


if __name__ == "__main__":
    sys.exit(main())
