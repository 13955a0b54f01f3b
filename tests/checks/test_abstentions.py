"""Golden table of abstentions: which questions the evidence answers although the answer says it does not (CL-6)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware import Grounder, Label, Policy

ROWS = [json.loads(line) for line in (Path(__file__).parent / "abstentions.jsonl").read_text("utf-8").splitlines()]


def named(row: dict[str, Any]) -> str:
    return f"{row['lang']}-{row['flagged']}-{row['question'][:30]}"


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_an_abstention_is_false_only_where_the_evidence_answers_the_question(row: dict[str, Any]) -> None:
    """An abstention about "this" is one about the question; a value of the kind asked for must be said of its topic.

    Where a sentence only comes near, the abstention is undecided, never called false.
    """
    grounder = Grounder(policy=Policy(needs_judge=False))
    report = grounder.check(row["claim"], evidence=[row["source"]], question=row["question"])
    allowed = {Label.CONTRADICTED} if row["flagged"] else {Label.ABSTENTION, Label.UNVERIFIED}
    assert {claim.label for claim in report.claims} <= allowed
    assert len(report.claims) == 1
