"""Windows hold every word, keep to the room they have, and share a sentence with their neighbour."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grounding_middleware.judges.nli.windows import windows


def words(text: str) -> int:
    return len(text.split())


def test_what_fits_is_one_window() -> None:
    """A passage that fits is read whole."""
    assert windows("One two. Three four.", 4, words) == ((0, 20),)


def test_neighbours_share_a_sentence() -> None:
    """What leans on the sentence before it is read with it."""
    text = "One two. Three four. Five six. Seven eight."
    assert [text[low:high] for low, high in windows(text, 4, words)] == [
        "One two. Three four.",
        "Three four. Five six.",
        "Five six. Seven eight.",
    ]


def test_a_sentence_without_room_is_cut_between_words() -> None:
    """Parts of words are no evidence."""
    text = "alpha beta gamma delta epsilon"
    assert [text[low:high] for low, high in windows(text, 2, words)] == ["alpha beta", "gamma", "delta epsilon"]


def test_a_word_without_room() -> None:
    """A text without blanks is cut where it must be."""
    text = "abcdefgh"
    assert "".join(text[low:high] for low, high in windows(text, 3, len)) == text


@pytest.mark.parametrize("text", ["", "  \n "])
def test_nothing(text: str) -> None:
    """No text, no window; no room, no window."""
    assert windows(text, 5, words) == ()
    assert windows("One.", 0, words) == ()


@given(st.text(st.sampled_from("ab .!?\n"), max_size=60), st.integers(1, 6))
def test_every_word_in_room(text: str, room: int) -> None:
    """Whatever the text: windows keep their room, are in order and together hold every character but blanks."""
    found = windows(text, room, words)
    assert all(words(text[low:high]) <= room for low, high in found)
    assert list(found) == sorted(set(found))
    seen = {at for low, high in found for at in range(low, high)}
    assert all(at in seen for at, letter in enumerate(text) if not letter.isspace())


def test_linear() -> None:
    """A long passage costs time in proportion."""
    begun = time.perf_counter()
    assert windows("The desk opens at nine. " * 4_000, 40, words)
    assert time.perf_counter() - begun < 10
