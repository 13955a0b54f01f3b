"""Rules alone on the development cases: right among decided, undecided, flags and false flags, by class and hardness.

Run with a file of further cases in the same format as its argument to measure those instead.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from grounding_middleware import Grounder, Label, Report, Verdict

CASES = Path(__file__).parent.parent / "tests" / "cases" / "claims.jsonl"
PASS = {"SUPPORTED", "NOT_A_CLAIM", "ABSTENTION"}
# Settled without reading for meaning: where a text comes from, whether it holds now and for whom, what is verbatim.
PROVENANCE = {"citation", "version", "freshness", "audience", "quote", "identifier", "url"}
_FIELDS = ("id", "source_id", "version", "section", "text", "effective_from", "effective_to", "superseded_by")


def main() -> int:
    """Print the figures; returns 0 always: budgets are judged by a reader, not by an exit code."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else CASES
    cases = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    found = [(case, focus(run(case), case)) for case in cases]
    show(path.name, found)
    if "-v" in sys.argv:
        errors(found)
    return 0


def run(case: dict[str, Any]) -> Report:
    """The report on one case; a case with `judge_reply` is run with a judge that answers exactly that."""
    reply = case.get("judge_reply")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        grounder = Grounder(judge=(lambda _prompt: reply) if reply is not None else None)
    return grounder.check(
        case["answer"],
        evidence=case["sources"],
        question=case["question"],
        as_of=case.get("as_of"),
        requester=case.get("requester"),
    )


def focus(report: Report, case: dict[str, Any]) -> Verdict | None:
    """The verdict that covers most of the statement in focus."""
    start = case["answer"].index(case["claim"])
    end = start + len(case["claim"])
    best = max(report.claims, key=lambda v: min(v.end, end) - max(v.start, start), default=None)
    return best if best and min(best.end, end) > max(best.start, start) else None


def show(name: str, found: list[tuple[dict[str, Any], Verdict | None]]) -> None:
    """One line for everything, one for each hardness, language and class, and one for the provenance family."""
    groups: dict[str, list[tuple[dict[str, Any], str]]] = defaultdict(list)
    for case, verdict in found:
        label = verdict.label.value if verdict else "MISSING"
        for group in ("all", f"hard:{case.get('hard', '?')}", f"lang:{case['lang']}", f"class:{case['class']}"):
            groups[group].append((case, label))
        if case["class"] in PROVENANCE:
            groups["family:provenance"].append((case, label))
    print(f"{name}: rules alone")
    print(
        f"{'':24} {'n':>4} {'label ok':>8} {'undec.':>6} {'right/decided':>13} {'flagged':>9} "
        f"{'passed':>7} {'false flags':>11}"
    )
    for group in sorted(groups, key=lambda g: (g != "all", g)):
        print(f"{group:24} {_row(groups[group])}")


def _row(rows: list[tuple[dict[str, Any], str]]) -> str:
    tally: Counter[str] = Counter()
    for case, label in rows:
        accepted = {case["label"], *case["also_ok"]}
        undecided = label == Label.UNVERIFIED and Label.UNVERIFIED not in accepted
        tally["ok"] += label in accepted
        tally["undecided"] += undecided
        tally["decided"] += not undecided
        if len({accept in PASS for accept in accepted}) > 1:
            continue
        side = "pass" if case["label"] in PASS else "flag"
        tally[side] += 1
        tally[f"{side} flagged"] += label not in PASS and not undecided
        tally[f"{side} passed"] += label in PASS
    n = len(rows)
    right = f"{tally['ok']}/{tally['decided']}={tally['ok'] / max(1, tally['decided']):.3f}"
    return (
        f"{n:4} {tally['ok'] / n:8.3f} {tally['undecided']:6} {right:>13} {tally['flag flagged']:4}/{tally['flag']:<4}"
        f" {tally['flag passed']:7} {tally['pass flagged']:5}/{tally['pass']:<5}"
    )


def errors(found: list[tuple[dict[str, Any], Verdict | None]]) -> None:
    """Every decided case that is wrong, with the reason given."""
    for case, verdict in found:
        label = verdict.label.value if verdict else "MISSING"
        accepted = {case["label"], *case["also_ok"]}
        if label not in accepted and (label != "UNVERIFIED" or "-u" in sys.argv):
            print(
                f"\n{case['id']} {case['hard'][0]} expected {case['label']}/{case.get('kind')} "
                f"got {label}: {case['claim']!r}"
            )
            print(f"   sources: {[s['text'][:300] for s in case['sources'][:3]]}")
            print(f"   {verdict.reason if verdict else ''}")


if __name__ == "__main__":
    sys.exit(main())
