"""Every recorded kind of reply, good or broken, ends with the labels the table states."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware.judges import Cascade, JudgeTask, LLMJudge, arun, run
from grounding_middleware.judges.prompts import repair
from grounding_middleware.records import Kind, Label

ROWS = [
    json.loads(line)
    for line in Path(__file__).with_name("data").joinpath("judge_replies.jsonl").read_text("utf-8").splitlines()[1:]
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['id']}-{row['name']}")
def test_row(row: dict[str, Any], recorded: tuple[JudgeTask, Any], scripted: Any) -> None:
    """Each row ends with its stated labels; only an unreadable reply is handed back for its form."""
    task, _ = recorded
    model = scripted(row["raw"])
    opinions, calls = run(LLMJudge(model).judge(task), {"llm": model})
    for opinion in opinions:
        expected = row["expected"][opinion.claim_id]
        assert opinion.label == expected["label"], opinion.reason
        assert opinion.label not in expected["never"]
        assert (opinion.kind is Kind.VERIFIER_FAILURE) == (opinion.label is Label.UNVERIFIED)
    asked_again = len(calls) > 1 and calls[1].role == repair.ROLE
    assert asked_again == (row["parse"] == "unreadable" and row["raw"] != "")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
async def test_async_is_the_same(row: dict[str, Any], recorded: tuple[JudgeTask, Any], scripted: Any) -> None:
    """Sync and async give the same opinions and the same calls, alone and in a cascade."""
    task, _ = recorded
    model = scripted(row["raw"])
    judge = LLMJudge(model)
    opinions, calls = run(judge.judge(task), {"llm": model})
    cascade = Cascade((judge,))
    again, acalls = await arun(cascade.judge(task), cascade.models)
    assert again == opinions
    assert [call.replace(latency_ms=0) for call in acalls] == [call.replace(latency_ms=0) for call in calls]


def test_true_offsets(recorded: tuple[JudgeTask, list[dict[str, Any]]], scripted: Any) -> None:
    """Offsets of a reply are hints: the quote is found again and the true ones are recorded."""
    task, rows = recorded
    row = next(row for row in rows if row["name"] == "offsets_wrong")
    model = scripted(row["raw"])
    (first, *_), _ = run(LLMJudge(model).judge(task), {"llm": model})
    (quote,) = first.quotes
    assert (quote.start, quote.end) == (0, 62)
    assert task.evidence[0].text[quote.start : quote.end] == quote.text
