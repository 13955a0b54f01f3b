"""Golden table of pairs of statements: which cannot both hold, and which only look like it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware import Grounder, Label, Policy, Report

ROWS = [json.loads(line) for line in (Path(__file__).parent / "statements.jsonl").read_text("utf-8").splitlines()]
PAIRS = [(row, one, other) for row in ROWS for one, other in (("first", "second"), ("second", "first"))]


def check(answer: str, *texts: str) -> Report:
    return Grounder(policy=Policy(needs_judge=False)).check(answer, evidence=list(texts))


def test_the_table_holds_both_directions() -> None:
    """A table of one kind of rows could be passed by a detector that always says the same."""
    english = [bool(row["kind"]) for row in ROWS if row["lang"] == "en"]
    others = [bool(row["kind"]) for row in ROWS if row["lang"] != "en"]
    assert min(english.count(True), english.count(False)) >= 25
    assert len(others) >= 8
    assert len(set(others)) == 2


@pytest.mark.parametrize(("row", "one", "other"), PAIRS, ids=lambda value: str(value)[:60])
def test_pair(row: dict[str, Any], one: str, other: str) -> None:
    """A pair that excludes each other is a conflict with what differs, whichever is claimed; a twin is none."""
    report = check(row[one], row["first"], row["second"])
    kinds = [conflict.kind.value for conflict in report.conflicts]
    assert kinds == ([row["kind"]] if row["kind"] else [])
    labels = {verdict.label for verdict in report.claims if verdict.label.is_claim}
    if row["kind"]:
        assert Label.SUPPORTED not in labels
    else:
        assert labels == {check(row[one], row[one]).claims[0].label}


@pytest.mark.parametrize("row", [row for row in ROWS if row["kind"]], ids=lambda row: row["first"][:60])
def test_offsets(row: dict[str, Any]) -> None:
    """Both statements and both differing pieces are slices of their spans, the pieces inside the statements."""
    report = check(row["first"], row["first"], row["second"])
    for conflict in report.conflicts:
        for whole, piece in ((conflict.first, conflict.first_differs), (conflict.second, conflict.second_differs)):
            span = report.evidence.span(whole.span_id)
            assert span is not None
            assert span.text[whole.start : whole.end] == whole.text
            assert span.text[piece.start : piece.end] == piece.text
            assert whole.start <= piece.start < piece.end <= whole.end
