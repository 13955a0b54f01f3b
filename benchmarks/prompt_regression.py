"""Runs the regression set of the prompts against a model: what has to be looked at before a prompt changes.

    OPENAI_BASE_URL=... OPENAI_API_KEY=... python benchmarks/prompt_regression.py MODEL

Prints each claim with the label it should have and got, and the line for `prompts/history.json`. Exits with 1 when a
claim that must be flagged was let through, or fewer than nine in ten labels are right: then the prompt does not change,
unless the old one did no better on the same model.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from grounding_middleware.judges import JudgeItem, JudgeTask, LLMJudge, Opinion, run
from grounding_middleware.judges.openai import OpenAIModel, Wire
from grounding_middleware.records import Claim, Finding, Label, Outcome, Span

SET = Path(__file__).parents[1] / "tests" / "judges" / "data" / "regression.jsonl"
ENOUGH = 0.9


def main() -> int:
    """The exit code."""
    model = OpenAIModel(sys.argv[1], wire=Wire(seconds=300.0))
    right = missed = total = 0
    for case in map(json.loads, SET.read_text("utf-8").splitlines()):
        judge = LLMJudge(model)
        opinions = run(judge.judge(task(case)), {judge.name: model}).result
        for claim, opinion in zip(case["claims"], opinions, strict=True):
            total += 1
            right += fits(claim, opinion)
            missed += claim["label"] != "SUPPORTED" and opinion.label is Label.SUPPORTED
            print(f"{case['id']:<10} {claim['label']:<22} {opinion.label:<22} {claim['text'][:60]}")
    digest = hashlib.sha256(SET.read_bytes()).hexdigest()[:12]
    print(json.dumps({"set_version": digest, "model": model.name, "right": right, "total": total, "missed": missed}))
    return int(missed > 0 or right < ENOUGH * total)


def task(case: dict[str, Any]) -> JudgeTask:
    """A case of the set as a judge gets it."""
    answer, items = "", []
    for number, one in enumerate(case["claims"], start=1):
        claim = Claim(id=f"c{number}", text=one["text"], start=len(answer), end=len(answer) + len(one["text"]))
        doubts = tuple(Finding(check="-", rule="-", outcome=Outcome.DOUBT, message=text) for text in one["doubts"])
        items.append(JudgeItem(claim=claim, span_ids=tuple(one["cites"]), doubts=doubts, number=number))
        answer += f"{one['text']}. "
    spans = tuple(Span.model_validate(source) for source in case["sources"])
    return JudgeTask(question=case["question"], answer=answer, evidence=spans, items=tuple(items), risk=case["risk"])


def fits(claim: dict[str, Any], opinion: Opinion) -> bool:
    """Whether the label is right, or one that reasonable readers give as well."""
    return opinion.label in (claim["label"], *claim["also_ok"])


if __name__ == "__main__":
    sys.exit(main())
