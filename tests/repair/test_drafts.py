"""Edits of edits: whatever is changed first and cut afterwards, the edits of the report lead from answer to text."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grounding_middleware.editing.removal import apply
from grounding_middleware.records import Edit
from grounding_middleware.repair.drafts import Change, Draft, composed

_NEW = st.text("XYZ", max_size=5)


@st.composite
def places(draw: st.DrawFn, length: int) -> list[tuple[int, int]]:
    """Ranges of a text of this length, in order, that do not overlap; some are empty."""
    edges = sorted(draw(st.sets(st.integers(0, length), max_size=6)))
    pairs = [(low, high if draw(st.booleans()) else low) for low, high in zip(edges[::2], edges[1::2], strict=False)]
    return [pair for pair in pairs if pair[0] <= pair[1]]


@st.composite
def drafts(draw: st.DrawFn) -> Draft:
    """An answer with up to three changes."""
    answer = draw(st.text("abcdef", max_size=20))
    return Draft.of(answer, [Change(low, high, draw(_NEW)) for low, high in draw(places(len(answer)))])


@given(drafts(), st.data())
def test_composed_edits_lead_to_the_same_text(draft: Draft, data: st.DataObject) -> None:
    """Edits of the draft, put behind its changes, give edits of the answer in order, with the same result."""
    text = draft.text
    cuts = [
        Edit(start=low, end=high, removed=text[low:high], replacement=data.draw(_NEW))
        for low, high in data.draw(places(len(text)))
    ]
    edits = composed(draft, cuts)
    assert apply(draft.answer, edits) == apply(text, cuts)
    assert all(left.end <= right.start for left, right in pairwise(edits))
    assert all(draft.answer[edit.start : edit.end] == edit.removed for edit in edits)


@given(drafts())
def test_what_no_change_touches_is_found_again(draft: Draft) -> None:
    """A range of the answer outside the changes stands at its new place; every change stands where it is said to."""
    for low in range(len(draft.answer)):
        moved = draft.moved((low, low + 1))
        if moved is not None:
            assert draft.text[slice(*moved)] == draft.answer[low]
    for change, (low, high) in zip(draft.changes, draft.placed, strict=True):
        assert draft.text[low:high] == change.text


def test_overlapping_changes_are_refused() -> None:
    """Two changes of the same characters have no result."""
    with pytest.raises(ValueError, match="same text"):
        Draft.of("abcdef", [Change(0, 3, "x"), Change(2, 4, "y")])


def test_region_holds_the_statement_and_its_marker() -> None:
    """The place of a statement in the draft runs from its first unchanged letter to the end of its new marker."""
    change = Change(8, 8, " [S2]")
    draft = Draft.of("A b c d e. F g.", [Change(0, 1, "Aaa"), change])
    assert draft.text[slice(*draft.region((2, 8), [change]))] == "b c d  [S2]"
