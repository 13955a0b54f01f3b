"""Documents are cut where no thought is cut, with exact offsets (EV-2, EV-3)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grounding_middleware.sources.passages import passages

GOLDEN = json.loads(Path(__file__).with_name("passages.json").read_text("utf-8"))


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["rule"])
def test_golden_cuts(case: dict[str, object]) -> None:
    """Each row of the table states the rule it guards."""
    text = str(case["text"])
    assert [[p.section, text[p.start : p.end]] for p in passages(text)] == case["passages"]


PIECES = st.sampled_from(
    ["# A", "## Why?", "text", "intro:", "- item", "| a | b |", "```", "~~~", "---", "===", "", " ", "\r", "2. X"]
)


@given(st.lists(PIECES, max_size=20).map("\n".join) | st.text(max_size=80))
@example("```\nnever closed\n\n# not a heading")
@example("a\u2028b\x0c\nc")
def test_passages_are_ordered_disjoint_and_trimmed(text: str) -> None:
    """Passages lie inside the text, in order, never overlap, are never blank, and exist whenever there is text."""
    found = passages(text)
    position = 0
    for passage in found:
        assert position <= passage.start < passage.end <= len(text)
        assert text[passage.start : passage.end].strip()
        position = passage.end
    assert bool(found) == bool(text.strip())


def test_offsets_count_from_the_whole_text() -> None:
    """Offsets locate a passage in the file, front matter included."""
    text = "---\na: b\n---\n\nBody here.\n"
    (only,) = passages(text, text.index("\n\nBody"))
    assert text[only.start : only.end] == "Body here."


def test_a_hostile_document_is_cut_in_linear_time() -> None:
    """A megabyte of markers and blanks takes no longer than a megabyte of text."""
    for hostile in (
        "#" * 500_000,
        "- " * 250_000 + "x",
        "# " + " " * 500_000 + "x",
        "1" * 500_000 + "\t" * 500_000 + "A",
    ):
        assert len(passages(hostile)) == 1
    assert passages(" \n" * 300_000) == ()
