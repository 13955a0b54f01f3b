"""The golden table of quotations: what counts as the same text, where it stands, what it leaves out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware.quotations import Location, locate

ROWS = [
    json.loads(line)
    for line in Path(__file__).with_name("data").joinpath("ladder.jsonl").read_text("utf-8").splitlines()
]
FOUND = [row for row in ROWS if "found" in row]
MISSED = [row for row in ROWS if "miss" in row]


def _note(row: dict[str, Any]) -> str:
    return str(row["note"])


def _cut(text: str, place: Location) -> str:
    """The word of the negation that was cut off; a tilde before it when it stands elsewhere in the sentence."""
    if place.cut_negation:
        return text[slice(*place.cut_negation)].lower()
    return f"~{text[slice(*place.clause_negation)].lower()}" if place.clause_negation else ""


@pytest.mark.parametrize("row", FOUND, ids=_note)
def test_found(row: dict[str, Any]) -> None:
    """A quotation is found at its true place, on the first rung that fits, with what it leaves out."""
    text = row["text"]
    place = locate(row["quote"], text)
    assert place.range is not None, place.miss
    assert text[slice(*place.range)] == row["found"]
    assert place.rung == row["rung"]
    assert _cut(text, place) == row.get("cut", "")
    assert (text[slice(*place.cut_condition)].lower() if place.cut_condition else "") == row.get("condition", "")


@pytest.mark.parametrize("row", MISSED, ids=_note)
def test_missed(row: dict[str, Any]) -> None:
    """A text that is not the quotation is never found, and the reason is named."""
    place = locate(row["quote"], row["text"])
    assert place.range is None
    assert not place.faithful
    assert place.miss is not None
    assert place.miss.name == row["miss"]
    assert place.problem == place.miss.value


def test_cut_negation_is_no_proof() -> None:
    """A quotation that cuts off a negation is found, but not faithful."""
    place = locate("permitted to smoke", "It is not permitted to smoke.")
    assert place.range is not None
    assert not place.faithful
    assert place.problem == "the quotation cuts off a negation"


def test_doubtful_is_not_false() -> None:
    """A negation further off, or an ellipsis over a limit, is for a reader to look at; the rest is plainly false."""
    assert locate("may enter", "Not all guests may enter.").doubtful
    assert locate("Fees … are refunded", "Fees, unless waived, are refunded.").doubtful
    for quote in ("enter", "guests may leave", "Guests … enter"):
        assert not locate(quote, "Guests may not enter.").doubtful


def test_parts_of_an_ellipsis() -> None:
    """The pieces around an ellipsis are given one by one; the range covers them all."""
    text = "Reports go each month by post to the agent."
    place = locate("Reports go … to the agent", text)
    assert [text[low:high] for low, high in place.parts] == ["Reports go", "to the agent"]
    assert place.range == (0, len(text) - 1)


def test_one_character_sentence_pieces_keep_offsets() -> None:
    """Offsets stay exact behind characters that change their length."""
    text = "ﬃ… “a” — ﬁrst\u00a0 \u00adoﬃce"
    place = locate("first office", text)
    assert place.range is not None
    assert text[slice(*place.range)] == "ﬁrst\u00a0 \u00adoﬃce"
