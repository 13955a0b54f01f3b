"""Truth values of JSON fields: a denial conflicts, and the words of the key alone never make a field SUPPORTED."""

from __future__ import annotations

import pytest

from grounding_middleware import Grounder, Label, Policy


def label(value: str, source: str) -> Label:
    answer = f'{{"room": "12", "breakfast": {value}, "source": "S1"}}'
    report = Grounder(policy=Policy(needs_judge=False)).check(answer, evidence=[source])
    return next(claim.label for claim in report.claims if "breakfast" in claim.text)


@pytest.mark.parametrize(
    ("value", "source"),
    [("true", "Room 12. Breakfast is not included."), ("false", "Room 12. Breakfast is included.")],
)
def test_the_opposite_conflicts(value: str, source: str) -> None:
    """What the source denies is not true, what it affirms is not false."""
    assert label(value, source) is Label.CONTRADICTED


@pytest.mark.parametrize("value", ["true", "false"])
@pytest.mark.parametrize(
    "source", ["Room 12 has a balcony and breakfast.", "Room 12: breakfast", "Breakfast for room 12 costs EUR 9."]
)
def test_words_of_the_key_support_nothing(value: str, source: str) -> None:
    """Neither value is SUPPORTED because the words stand in a sentence."""
    assert label(value, source) is not Label.SUPPORTED
