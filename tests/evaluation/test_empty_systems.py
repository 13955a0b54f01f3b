"""A system that answers nothing says nothing wrong; the figures must not call it good (SPEC ME-1)."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from grounding_middleware import Grounder, Policy
from grounding_middleware.evaluation import RunHeader, load
from grounding_middleware.evaluation.metrics import Summary, summarise
from grounding_middleware.evaluation.scoring import score
from grounding_middleware.policy.rules import Rule
from grounding_middleware.records import Treatment

Golden = Callable[[int], Path]
HEADER = RunHeader(package="0", created=datetime(2026, 5, 4, tzinfo=UTC))
NO_JUDGE = Policy(needs_judge=False)


def figures(path: Path, grounder: Grounder) -> Summary:
    return summarise(HEADER, (score(example, grounder) for example in load([path])))


@pytest.fixture
def silent(golden: Golden, tmp_path: Path) -> Path:
    """The same questions; every answer says that the documents do not tell."""
    path = tmp_path / "silent.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for line in golden(20).read_text("utf-8").splitlines():
            row = {**json.loads(line), "answer": "The documents do not say.", "claims": []}
            file.write(f"{json.dumps(row)}\n")
    return path


def test_who_answers_nothing_looks_bad(golden: Golden, silent: Path) -> None:
    """No claim is no rate of unsupported claims; every fact is missing, every answerable question unanswered."""
    honest, mute = figures(golden(20), Grounder(policy=NO_JUDGE)), figures(silent, Grounder(policy=NO_JUDGE))
    for name in ("unsupported_before", "unsupported_after", "whole_supported_after", "supported_precision", "recall"):
        assert mute.rate(name).value is None
    for name in ("missing_facts_before", "missing_facts_after", "abstention_after", "not_found_wrong"):
        assert mute.rate(name).value == 1.0
        assert (honest.rate(name).value or 0.0) < 1.0
    assert mute.rate("complete_after").value == 0.0
    assert mute.rate("not_found_right").value == 1.0  # the one thing it is good at
    assert (honest.rate("whole_supported_after").value or 0.0) > 0.0


def test_who_withholds_everything_looks_bad(golden: Golden) -> None:
    """The safest policy there is: nothing wrong leaves, and the figures say at what price."""
    block = Policy(needs_judge=False, rules=(Rule(name="all", treatment=Treatment.BLOCK),))
    found = figures(golden(20), Grounder(policy=block))
    assert found.rate("unsupported_after").value is None
    assert found.rate("found_wrong_after").value is None
    assert found.rate("whole_supported_after").value == 0.0
    assert found.rate("supported_lost").value == 1.0
    assert found.rate("missing_facts_after").value == 1.0
    assert (found.rate("withheld").value or 0.0) >= 0.8  # an abstention has no claim to block
