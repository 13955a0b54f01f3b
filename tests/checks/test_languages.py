"""Golden table of the language of commitment beyond English: what must be flagged, and its honest twin."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware import Grounder, Label, Policy

ROWS = [json.loads(line) for line in (Path(__file__).parent / "languages.jsonl").read_text("utf-8").splitlines()]
FLAGGED = {Label.CONTRADICTED, Label.INSUFFICIENT_EVIDENCE}


def labels(row: dict[str, Any]) -> set[Label]:
    """What the rules say of the claim."""
    report = Grounder(policy=Policy(needs_judge=False)).check(row["claim"], evidence=[row["source"]])
    return {verdict.label for verdict in report.claims}


def named(row: dict[str, Any]) -> str:
    return f"{row['lang']}-{row['phenomenon']}-{row['flagged']}"


@pytest.mark.parametrize("row", [row for row in ROWS if row["flagged"]], ids=named)
def test_the_opposite_is_flagged(row: dict[str, Any]) -> None:
    """CH-3 to CH-7: what turns the sentence round is a conflict in this language, too."""
    assert labels(row) <= FLAGGED


@pytest.mark.parametrize("row", [row for row in ROWS if row["flagged"] is False], ids=named)
def test_the_honest_twin_is_not_flagged(row: dict[str, Any]) -> None:
    """The same statement, perhaps with a value written otherwise or its words in another order, is never flagged."""
    assert labels(row) <= {Label.SUPPORTED, Label.UNVERIFIED}


@pytest.mark.parametrize("row", [row for row in ROWS if row["flagged"] is None], ids=named)
def test_what_is_lost_is_never_supported(row: dict[str, Any]) -> None:
    """A lost condition, hedge, exception, or another modal under a negation, is not the same statement."""
    assert Label.SUPPORTED not in labels(row)
