"""Golden table of the checks: one source, one claim, what the named rule must say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware import Grounder, Label, Policy, Verdict

TABLES = sorted(Path(__file__).parent.glob("golden*.jsonl"))
ROWS = [json.loads(line) for table in TABLES for line in table.read_text("utf-8").splitlines()]


def verdicts(row: dict[str, Any]) -> tuple[Verdict, ...]:
    return Grounder(policy=Policy(needs_judge=False)).check(row["claim"], evidence=[row["source"]]).claims


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['rule']}-{row['lang']}-{row['claim'][:40]}")
def test_rule(row: dict[str, Any]) -> None:
    """Each rule decides its golden rows as written, and nothing else flags or supports them wrongly."""
    found = verdicts(row)
    outcomes = {(f.rule, f.outcome.value) for verdict in found for f in verdict.findings}
    labels = {verdict.label for verdict in found}
    match row["outcome"]:
        case "supported":
            assert labels == {Label.SUPPORTED}, outcomes
        case "not supported":
            assert Label.SUPPORTED not in labels
        case "no conflict":
            assert not {rule for rule, outcome in outcomes if outcome == "conflict"}
            assert labels <= {Label.SUPPORTED, Label.UNVERIFIED}
        case "conflict":
            assert (row["rule"], "conflict") in outcomes
            assert labels <= {Label.CONTRADICTED, Label.INSUFFICIENT_EVIDENCE}
        case outcome:
            assert (row["rule"], outcome) in outcomes
