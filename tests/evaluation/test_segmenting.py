"""Segments an answer tells by itself (SPEC ME-6)."""

from __future__ import annotations

from typing import Any

import pytest

from grounding_middleware import Grounder, Policy, Span
from grounding_middleware.evaluation import Example, score
from grounding_middleware.evaluation.segmenting import derived

OLD = Span(id="S1", source_id="policy", version="1", text="Refunds are paid within 5 days.")
NEW = Span(id="S2", source_id="prices", version="2", text="The fee is 5 EUR.")
TABLE = "| item | fee |\n|---|---|\n| card | 5 EUR |\n"


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    return Grounder(policy=Policy(needs_judge=False))


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (
            "Refunds are paid within 5 days [S1].",
            {"length": "1 claim", "citations": "one a claim", "documents": "one", "version": "1", "tables": "no"},
        ),
        (
            "Refunds are paid within 5 days [S1]. The fee is 5 EUR [S2].",
            {"length": "2 to 4 claims", "documents": "several", "version": "several"},
        ),
        ("Refunds are paid within 5 days [S1]. The fee is 5 EUR.", {"citations": "fewer than claims"}),
        ("Refunds are paid within 5 days [S1][S2].", {"citations": "more than claims"}),
        ("Refunds are paid within 5 days.", {"citations": "none", "documents": "several"}),
        ("The documents do not say.", {"length": "no claims", "risk": "information"}),
        ("Delete the volume, then pay 500 EUR to the supplier [S1].", {"risk": "action"}),
        (TABLE, {"tables": "yes"}),
        ("Die Erstattung dauert laut der Richtlinie nicht länger als fünf Tage.", {"lang": "de"}),
        ("The fee is 5 EUR. " * 12, {"length": "10 claims and more"}),
    ],
)
def test_what_an_answer_tells(grounder: Grounder, answer: str, found: dict[str, Any]) -> None:
    """Its length, citations, tables, documents and their version, risk and language."""
    segments = derived(grounder.check(answer, evidence=[OLD, NEW]))
    assert {name: segments.get(name) for name in found} == found


def test_the_golden_set_knows_better(grounder: Grounder) -> None:
    """A segment that is named there replaces what we would find."""
    example = Example(id="e", answer="The fee is 5 EUR.", sources=("The fee is 5 EUR.",), segments={"lang": "en-GB"})
    segments = score(example, grounder).segments
    assert (segments["lang"], segments["length"]) == ("en-GB", "1 claim")


def test_without_versions_there_is_no_segment_of_them(grounder: Grounder) -> None:
    """Rather no figure than one about an empty name."""
    assert "version" not in derived(grounder.check("The fee is 5 EUR.", evidence=["The fee is 5 EUR."]))
