"""Labelled cases, rules alone against rules and model, by class: what is wrongly withheld, what wrongly released.

    python -m training.cases CASES.jsonl MODEL_FOLDER

A claim that must pass is withheld when it is flagged or undecided; one that must be flagged is released when it is
supported. Undecided claims are told apart, as what happens to them is the policy's choice.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, Final

from grounding_middleware import Grounder, Label, Verdict
from grounding_middleware.judges.nli import NLIJudge, OnnxModel

_PASS: Final = frozenset({"SUPPORTED", "NOT_A_CLAIM", "ABSTENTION"})


def main() -> int:
    """Print one line a class for each of the two."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", type=Path)
    parser.add_argument("model", type=Path)
    args = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    cases = [json.loads(line) for line in args.cases.read_text("utf-8").splitlines() if line.strip()]
    both = {"rules": Grounder(), "rules and model": Grounder(judge=NLIJudge(OnnxModel(args.model)))}
    tallies = {name: tallied(grounder, cases) for name, grounder in both.items()}
    print(f"{'class':28} {'':16} must pass: passed, flagged | must flag: flagged, passed")
    for group in sorted(tallies["rules"], key=lambda name: (name != "all", name)):
        for name, tally in tallies.items():
            print(f"{group:28} {name:16} {_told(tally[group])}")
    return 0


def tallied(grounder: Grounder, cases: list[dict[str, Any]]) -> dict[str, Counter[str]]:
    """By class: how many must pass and must be flagged, and how many are."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for case in cases:
        accepted = {case["label"], *case["also_ok"]}
        if len({label in _PASS for label in accepted}) > 1:
            continue
        label = _focus(grounder, case)
        said = "passed" if label in _PASS else "undecided" if label == Label.UNVERIFIED else "flagged"
        side = "pass" if case["label"] in _PASS else "flag"
        for group in ("all", case["class"]):
            found[group].update((side, f"{side} {said}"))
    return found


def _focus(grounder: Grounder, case: dict[str, Any]) -> str:
    """The label of the verdict that covers most of the statement in focus."""
    report = grounder.check(
        case["answer"],
        evidence=case["sources"],
        question=case["question"],
        as_of=case.get("as_of"),
        requester=case.get("requester"),
    )
    start = case["answer"].index(case["claim"])
    end = start + len(case["claim"])

    def shared(verdict: Verdict) -> int:
        return min(verdict.end, end) - max(verdict.start, start)

    best = max(report.claims, key=shared, default=None)
    return best.label.value if best and shared(best) > 0 else "MISSING"


def _told(tally: Counter[str]) -> str:
    return (
        f"{tally['pass passed']:4}/{tally['pass']:<4} {tally['pass flagged']:4} | "
        f"{tally['flag flagged']:4}/{tally['flag']:<4} {tally['flag passed']:4}"
    )


if __name__ == "__main__":
    sys.exit(main())
