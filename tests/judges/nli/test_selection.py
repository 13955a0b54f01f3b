"""The parts of the evidence that are looked at are those that hold the claim's words, rare ones first."""

from __future__ import annotations

import pytest

from grounding_middleware.judges.nli.selection import nearest

PARTS = (
    "The office opens at nine on every day of the week.",
    "Parking permits are issued by the office.",
    "The canteen serves lunch on every day of the week.",
)


@pytest.mark.parametrize(
    ("claim", "first"),
    [
        ("The canteen has lunch every day of the week.", 2),
        ("The office issues a permit for parking.", 1),
        ("The office opened at nine.", 0),
    ],
)
def test_the_part_with_the_words_of_the_claim_comes_first(claim: str, first: int) -> None:
    """Inflected forms count, and a word that stands in few parts weighs more than one that stands in all."""
    assert nearest(claim, PARTS)[0] == first


def test_best_first_and_no_more_than_asked_for() -> None:
    """The order is by likeness, equal parts in their own order; a larger number than there are gives all."""
    assert nearest("Parking permits from the office.", PARTS, most=2)[0] == 1
    assert nearest("Nothing alike whatsoever", PARTS, most=9) == (0, 1, 2)
    assert nearest("anything", ()) == ()


def test_scripts_without_spaces_compare_by_letters() -> None:
    """Japanese has no words to cut at, so pairs of letters stand in."""
    parts = ("駐車場は無料です。", "食堂は毎日開いています。")
    assert nearest("食堂は日曜日も開いています。", parts, "ja") == (1,)
