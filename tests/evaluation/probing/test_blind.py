"""Mutations change what is said, and no mutation of a supported claim stays SUPPORTED."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grounding_middleware import Grounder, Label, Policy
from grounding_middleware.evaluation import MUTATIONS

ROWS = [
    json.loads(line) for line in (Path(__file__).parents[2] / "checks" / "golden.jsonl").read_text("utf-8").splitlines()
]
SUPPORTED = [row for row in ROWS if row["outcome"] == "supported" and row["lang"] == "en"]


@pytest.mark.parametrize("name", MUTATIONS)
def test_no_mutation_keeps_support(name: str) -> None:
    """Support by rules is sound: change a value, negation, modal, quantifier, role or condition and it is gone."""
    grounder = Grounder(policy=Policy(needs_judge=False))
    leaks = [
        variant
        for row in SUPPORTED
        for variant in MUTATIONS[name](row["claim"])
        if {verdict.label for verdict in grounder.check(variant, evidence=[row["source"]]).claims} == {Label.SUPPORTED}
    ]
    assert leaks == []


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_mutation_never_yields_its_input(name: str) -> None:
    """A transformation that changes nothing would count as a leak."""
    for row in SUPPORTED:
        assert row["claim"] not in MUTATIONS[name](row["claim"])
