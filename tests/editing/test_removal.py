"""Removal a reader does not notice (RE-1): golden table, and properties over every subset of statements."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from grounding_middleware.editing import edit
from grounding_middleware.records import Treatment

ROWS = yaml.safe_load((Path(__file__).parent / "removal.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_golden(row: dict, case: Callable) -> None:
    """The text that stays, and exactly the statements that have to go along."""
    answer, verdicts, citations = case(
        row["answer"], row.get("language", "en"), row.get("cites"), row.get("form", "sentence")
    )
    text, edits, final = edit(answer, verdicts, citations)
    assert text == row["text"]
    gone = [
        after.text
        for before, after in zip(verdicts, final, strict=True)
        if after.treatment is Treatment.REMOVE and before.treatment is not Treatment.REMOVE
    ]
    assert gone == row.get("goes", [])
    assert all(answer[change.start : change.end] == change.removed and change.reason for change in edits)
