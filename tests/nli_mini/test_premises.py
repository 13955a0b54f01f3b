"""What the model reads of a long source: whole sentences near the claim, no more than there is room for."""

from __future__ import annotations

import random

from training.premises import cut, surrounded

TEXT = "\n".join(f"Line {at} speaks of subject number {at} and of nothing else. It ends." for at in range(30))


def count(text: str) -> int:
    return len(text.split())


def test_the_run_near_the_claim() -> None:
    """It holds the sentence that the claim repeats and fits the room."""
    source = cut(TEXT, "en", count)
    near = source.near("Line 17 speaks of subject number 17.", 30, "en")
    assert "subject number 17" in near
    assert count(near) <= 30
    assert near in TEXT


def test_a_part_elsewhere_says_something_else() -> None:
    """It shares some words with the claim, so that it is no giveaway, but not most of them."""
    source = cut(TEXT, "en", count)
    claim = "Line 17 speaks of subject number 17, which visitors like."
    part = source.far(claim, 15, "en")
    assert part == "" or "17" not in part


def test_a_long_line_is_cut_between_words() -> None:
    """A table row or a page without stops does not make the model read past its limit."""
    source = cut("word " * 500, "en", count)
    assert max(source.sizes) <= 64
    assert source.size == 500


def test_surroundings_keep_the_premise_whole() -> None:
    """Other sentences stand before and behind it, in a random place."""
    made = {surrounded("The premise.", ["One.", "", "Two."], random.Random(seed)) for seed in range(9)}
    assert len(made) > 1
    assert all("The premise." in text and "One." in text and "  " not in text for text in made)
