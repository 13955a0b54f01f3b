"""Sentences that stand word for word in the evidence, behind the thing they are about there and behind another one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware import Grounder, Label, Policy

ROWS = [json.loads(line) for line in (Path(__file__).parent / "belonging.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['kind']}-{row['lang']}-{row['other'][-30:]}")
def test_only_the_same_thing_supports(row: dict[str, Any]) -> None:
    """Behind another thing the sentence is not supported; where `same` is given, behind its own it is."""
    grounder = Grounder(policy=Policy(needs_judge=False))
    assert grounder.check(row["other"], evidence=row["evidence"]).claims[-1].label is not Label.SUPPORTED
    if row["same"]:
        assert grounder.check(row["same"], evidence=row["evidence"]).claims[-1].label is Label.SUPPORTED
