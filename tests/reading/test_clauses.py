"""Clauses that stand on their own: exact ranges, and none where something outside reaches in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grounding_middleware.reading.clauses import clauses
from grounding_middleware.reading.reader import read, within

STEPS = "Drain the tank, remove the old filter, and wipe the seal."


def found(text: str, language: str = "en") -> list[str]:
    unit = read(text, [(0, len(text))], language)[0]
    return [text[start:end] for start, end in clauses(unit)]


def test_every_run_of_steps_stands() -> None:
    """One step, or several in a row, is stated by the sentence that lists them."""
    assert found(STEPS) == [
        "Drain the tank",
        "Drain the tank, remove the old filter",
        "remove the old filter",
        "remove the old filter, and wipe the seal.",
        "wipe the seal.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "If the tank is full, drain it and wipe the seal.",
        "Do not drain the tank and wipe the seal.",
        "Drain the tank or wipe the seal.",
        "Entry is free; weekdays only.",
        "The following is free: entry on Monday; lockers are extra.",
        "Remind them to drain the tank and wipe the seal.",
    ],
)
def test_nothing_stands_that_something_outside_limits(text: str) -> None:
    """A condition, a negation, a choice, a list or a governing verb holds the sentence together."""
    assert not [clause for clause in found(text) if clause.startswith(("wipe", "Entry", "lockers"))]


@given(st.lists(st.sampled_from([*STEPS.split(), ";", "(", ")", "not", "it", "then", "F.", "or"]), max_size=14))
def test_ranges_are_read_as_their_text_alone(words: list[str]) -> None:
    """A clause read as part of its sentence has the tokens of its own text, at the same offsets."""
    text = " ".join(words)
    unit = read(text, [(0, len(text))], "en")[0]
    for start, end in clauses(unit):
        part = within(unit, text, (start, end))
        assert 0 <= start < end <= len(text)
        assert part.text == text[start:end]
        assert all(start <= token.start < end and text[token.start : token.end] == token.text for token in part.tokens)
