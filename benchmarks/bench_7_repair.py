"""The model-free ladder on every CONTRADICTED case: corrected, replaced by evidence, removed; each result to read.

The cases have gold labels, so a judge that knows them stands in for the semantic tier: it calls the statement in focus
unsupported and supports nothing, so that whatever is repaired is supported by rules alone. Every repaired text is then
verified once more by a grounder of its own. Run with a file of further cases in the same format to measure those.
"""

from __future__ import annotations

import json
import re
import sys
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

from grounding_middleware import Grounder, Label, Policy, Report
from grounding_middleware.repair import Repair, attribution, preserved

CASES = Path(__file__).parent.parent / "tests" / "cases" / "claims.jsonl"
_CLAIM = re.compile(r"^\w{8} claim (\d+) .*\n(.*)$", re.MULTILINE)
_LOST = "(nothing is left)"


def main() -> int:
    """Print every result and the shares; returns 1 when a repaired text does not pass verification again."""
    warnings.simplefilter("ignore", UserWarning)
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else CASES
    cases = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    tally: Counter[str] = Counter()
    gained: list[tuple[float, float]] = []
    kept: list[float] = []
    for case in (case for case in cases if case["label"] == Label.CONTRADICTED):
        report = run(case)
        how = outcome(report)
        tally[how] += 1
        print(f"{case['id']:6} {how:8} {case['answer']}\n{'':16}{report.text if shown(report) else _LOST}")
        if how in ("recite", "correct", "replace"):
            kept.append(preserved(report))
        before, after = attribution(report)
        gained.append((before or 0.0, after if after is not None else 0.0))
        if not stands(report, case):
            tally["failed"] += 1
            print("       FAILED verification of the repaired text")
    show(path.name, tally, gained, kept)
    return 1 if tally["failed"] else 0


def run(case: dict[str, Any]) -> Report:
    """The report on one case; nothing is escalated for its share, because each case is a single statement."""
    grounder = Grounder(lambda prompt: gold(prompt, case), policy=Policy(escalate_above=1.0), repair=Repair())
    return check(grounder, case["answer"], case)


def check(grounder: Grounder, answer: str, case: dict[str, Any]) -> Report:
    """`answer` against the sources of the case."""
    return grounder.check(
        answer,
        evidence=case["sources"],
        question=case["question"],
        as_of=case.get("as_of"),
        requester=case.get("requester"),
    )


def gold(prompt: str, case: dict[str, Any]) -> str:
    """What a judge says that knows the gold label: unsupported, for the statement in focus and for new text."""
    source = case["sources"][0]
    quote = [{"source": source["id"], "quote": source["text"].split("\n")[0]}]
    verdicts = []
    for number, text in _CLAIM.findall(prompt):
        other = text in case["answer"] and case["claim"] not in text and text not in case["claim"]
        label = "SUPPORTED" if other else "INSUFFICIENT_EVIDENCE"
        evidence = quote if other else []
        verdicts.append({"claim": int(number), "evidence": evidence, "reason": "gold", "label": label})
    return json.dumps({"verdicts": verdicts})


def shown(report: Report) -> bool:
    """Whether the reader sees anything of the answer."""
    return report.action in ("revised", "review", "ok")


def outcome(report: Report) -> str:
    """The step that repaired the statement, "removed", or "kept" when nobody saw that it is wrong."""
    steps = [one.step for one in report.repairs if one.accepted]
    if steps:
        return steps[-1]
    return "removed" if any(claim.treatment == "remove" for claim in report.claims) else "kept"


def stands(report: Report, case: dict[str, Any]) -> bool:
    """Whether rules alone support every repaired statement in the text as it is shown."""
    repaired = [one for one in report.repairs if one.accepted]
    if not repaired:
        return True
    again = check(Grounder(policy=Policy(escalate_above=1.0)), report.text, case)
    labels = {claim.text: claim.label for claim in again.claims}
    words = [one.after.split(" [")[0].rstrip(".") for one in repaired]
    return all(any(word in text and labels[text] is Label.SUPPORTED for text in labels) for word in words)


def show(name: str, tally: Counter[str], gained: list[tuple[float, float]], kept: list[float]) -> None:
    """The shares, and both measures."""
    total = sum(tally[how] for how in ("recite", "correct", "replace", "removed", "kept"))
    print(f"\n{name}: {total} contradicted statements")
    for how in ("recite", "correct", "replace", "removed", "kept"):
        print(f"  {how:9} {tally[how]:4} {tally[how] / max(1, total):6.1%}")
    print(f"  failed verification afterwards: {tally['failed']}")
    before, after = (sum(values) / max(1, total) for values in zip(*gained, strict=True))
    print(f"  claims supported: {before:.3f} before, {after:.3f} after (an answer with nothing left counts 0)")
    print(f"  text preserved where repaired: {sum(kept) / max(1, len(kept)):.3f}")


if __name__ == "__main__":
    sys.exit(main())
