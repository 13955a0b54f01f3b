"""No prompt changes without a word on why, and without the regression set having been looked at."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware.judges import JudgeItem, JudgeTask, LLMJudge, ModelReply
from grounding_middleware.judges.prompts import verification
from grounding_middleware.judges.prompts.registry import VERSIONS, history
from grounding_middleware.records import Claim, Finding, Kind, Label, Outcome, Span
from grounding_middleware.tokens import count_tokens

SET = Path(__file__).with_name("data") / "regression.jsonl"
CASES = [json.loads(line) for line in SET.read_text("utf-8").splitlines()]
BUDGET = 2_500


def build(case: dict[str, Any]) -> JudgeTask:
    """A case of the set as a judge gets it."""

    def items() -> Iterator[JudgeItem]:
        start = 0
        for number, one in enumerate(case["claims"], start=1):
            claim = Claim(id=f"c{number}", text=one["text"], start=start, end=start + len(one["text"]))
            doubts = tuple(Finding(check="-", rule="-", outcome=Outcome.DOUBT, message=text) for text in one["doubts"])
            yield JudgeItem(claim=claim, span_ids=tuple(one["cites"]), doubts=doubts, number=number)
            start += len(one["text"]) + 2

    answer = "".join(f"{one['text']}. " for one in case["claims"])
    spans = tuple(Span.model_validate(source) for source in case["sources"])
    return JudgeTask(question=case["question"], answer=answer, evidence=spans, items=tuple(items()), risk=case["risk"])


def reply(case: dict[str, Any]) -> str:
    """The reply of a judge that gets everything right."""
    verdicts = [
        {
            "claim": number,
            "evidence": [one["quote"]] if one["quote"] else [],
            "reason": "",
            "label": one["label"],
            **({"kind": one["kind"]} if one["kind"] else {}),
        }
        for number, one in enumerate(case["claims"], start=1)
    ]
    return json.dumps({"verdicts": verdicts})


def test_every_version_is_recorded() -> None:
    """The newest entry of each role is the prompt as it is now; a changed prompt needs a new one that says why."""
    newest = {change.role: change.version for change in history()}
    assert newest == {role: version() for role, version in VERSIONS.items()}


def test_history_is_sound() -> None:
    """Versions are unique, dated, explained, and in order of time."""
    assert len({change.version for change in history()}) == len(history())
    assert all(change.change and change.role in VERSIONS for change in history())
    dates = [change.date for change in history()]
    assert dates == sorted(dates)


def test_the_regression_set_was_run() -> None:
    """The newest verification prompt was run on the set as it is now; the figures, or why they say little, are kept."""
    newest = [change for change in history() if change.role == verification.ROLE][-1].regression
    assert newest is not None
    assert newest.set_version == hashlib.sha256(SET.read_bytes()).hexdigest()[:12]
    assert newest.missed == 0
    whole = newest.total == sum(len(case["claims"]) for case in CASES)
    assert newest.note or (whole and newest.right >= 0.9 * newest.total)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_every_case_is_one_small_request(case: dict[str, Any]) -> None:
    """A case costs one request within the budget that holds each claim, its passages and its doubts."""
    (call,) = next(LLMJudge(lambda _: "").judge(build(case)))
    assert count_tokens(call.system) + count_tokens(call.user) <= BUDGET
    for text in (case["question"], *(source["text"] for source in case["sources"])):
        assert text in call.user
    for one in case["claims"]:
        assert one["text"] in call.user
        assert all(f"- {doubt}" in call.user for doubt in one["doubts"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_right_reply_gives_the_right_labels(case: dict[str, Any]) -> None:
    """The set is sound: a judge that answers as it should gets every label through parsing and quote checking."""
    steps = LLMJudge(lambda _: "").judge(build(case))
    next(steps)
    with pytest.raises(StopIteration) as done:
        steps.send((ModelReply(text=reply(case)),))
    for one, opinion in zip(case["claims"], done.value.value, strict=True):
        assert opinion.label == Label(one["label"]), opinion.reason
        assert one["kind"] is None or opinion.kind is Kind(one["kind"])
