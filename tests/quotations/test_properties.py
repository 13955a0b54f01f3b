"""Properties of the search: every whole-word slice is found at its place, offsets are exact, time is linear."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from grounding_middleware.quotations import Rung, fold, inside_word, locate

ALPHABET = "ab Z1-2.,'\n’“”«»…—\u00a0\u00ad\u200bﬁé*_`$%()not不可ない"
TEXTS = st.text(st.sampled_from(ALPHABET), min_size=1, max_size=60)


@given(TEXTS, st.data())
def test_whole_word_slices_are_found(text: str, data: st.DataObject) -> None:
    """Any slice of whole words is found, exactly, and what is found reads as the slice does."""
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    piece = text[start:end]
    assume(piece == piece.strip() and any(map(str.isalnum, piece)))
    assume(not inside_word(text, start) and not inside_word(text, end))
    place = locate(piece, text)
    assert place.range is not None
    found = text[slice(*place.range)]
    assert place.rung is Rung.EXACT
    assert piece.strip(" .,;:'\"«»“”’").casefold() in found.casefold()


@given(st.text(max_size=40), st.text(max_size=80))
@example("a", "")
@example("\ud800a", "\ud800a")
def test_anything_may_be_asked(quote: str, text: str) -> None:
    """No input raises; whatever is found equals the quotation after the ladder, apart from its edges."""
    place = locate(quote, text)
    if place.range is None:
        assert place.miss is not None
        return
    start, end = place.range
    assert 0 <= start < end <= len(text)
    assert place.parts[0][0] == start
    assert place.parts[-1][1] == end


@given(st.text(max_size=60), st.sampled_from([Rung.TYPOGRAPHY, Rung.LAYOUT]), st.data())
def test_folding_maps_back(text: str, rung: Rung, data: st.DataObject) -> None:
    """Every piece of a folded text comes from a range of the original that holds its letters."""
    folded = fold(text, rung)
    assume(folded.text)
    start = data.draw(st.integers(0, len(folded.text) - 1))
    end = data.draw(st.integers(start + 1, len(folded.text)))
    low, high = folded.original(start, end)
    assert 0 <= low < high <= len(text)
    letters = [one for one in folded.text[start:end] if one.isalnum()]
    assert len(letters) <= sum(map(str.isalnum, unicodedata.normalize("NFKC", text[low:high])))


@given(st.text(max_size=80))
def test_folding_is_stable(text: str) -> None:
    """Folding a folded text changes no letter or digit."""
    once = fold(text, Rung.TYPOGRAPHY).text
    twice = fold(once, Rung.TYPOGRAPHY).text
    assert [one for one in once if one.isalnum()] == [one for one in twice if one.isalnum()]


HOSTILE = ["a", " ", "- ", "_a ", "*", "`", "\n", "-\n", "not ", "a\u0301", "«", ". ", "\u00ad", "… ", "1 000 ", "不"]


@pytest.mark.parametrize("unit", HOSTILE)
def test_time_is_linear(unit: str) -> None:
    """Four times the hostile text costs nowhere near sixteen times the time."""
    small, large = (_seconds(unit * (size // len(unit))) for size in (20_000, 80_000))
    assert large < 10 * small + 0.2


def _seconds(text: str) -> float:
    begun = time.process_time()
    for quote in (f"{text[:50]}b c", f"a … {text[:500]}b", f"{text}b"):
        locate(quote, text)
    return time.process_time() - begun
