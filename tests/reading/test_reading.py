"""Tokens, frames, segments, prepositions and cues: the offsets and structure the checks compare."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grounding_middleware.reading.frames import frame_length
from grounding_middleware.reading.lemmas import keys
from grounding_middleware.reading.lexicon import COVERED, lexicon
from grounding_middleware.reading.reader import read
from grounding_middleware.reading.tokens import Shape, tokenize
from grounding_middleware.reading.units import Unit


def unit(text: str, language: str = "en") -> Unit:
    return read(text, [(0, len(text))], language)[0]


@settings(deadline=None, derandomize=True)
@given(st.text())
def test_tokens_are_slices_in_order(text: str) -> None:
    """Every token is `text[start:end]`, in order, and only white space is in none."""
    end = 0
    for token in tokenize(text):
        assert text[token.start : token.end] == token.text
        assert not text[end : token.start].strip()
        end = token.end
    assert not text[end:].strip()


@pytest.mark.parametrize("piece", ["-", "a.", "1,", "x-", "_", "a@", "1a", "http://", "'", "é"])
def test_hostile_text_is_read_in_linear_time(piece: str) -> None:
    """Repetition of any piece costs time in proportion to its length."""
    begun = time.process_time()
    tokenize(piece * 50_000)
    assert time.process_time() - begun < 5  # seconds; quadratic behaviour takes minutes


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("ls-1", Shape.CODE),
        ("--force", Shape.CODE),
        ("a@b.example", Shape.CODE),
        ("1,250.50", Shape.NUMBER),
        ("e-mail", Shape.WORD),
        ("日", Shape.IDEOGRAPH),
    ],
)
def test_shapes(text: str, shape: Shape) -> None:
    """Codes, numbers, words and ideographs are told apart and not torn."""
    assert [token.shape for token in tokenize(text)] == [shape]


@pytest.mark.parametrize("word", ["isn't", "wasn’t", "cannot", "don't"])
def test_contracted_negations_are_negations(word: str) -> None:
    """A negation hidden in a contraction is a token of its own."""
    assert tokenize(word)[-1].norm == "not"


@pytest.mark.parametrize(
    ("left", "right"), [("cancelled", "cancels"), ("classes", "class"), ("billed", "bills"), ("approved", "approve")]
)
def test_inflected_forms_meet(left: str, right: str) -> None:
    """Forms of one word share a key, whether the dictionary knows them or not."""
    assert keys(left, "en") & keys(right, "en")


@pytest.mark.parametrize(
    ("left", "right"),
    [("provided", "provider"), ("insured", "insurance"), ("approval", "approver"), ("operation", "operator")],
)
def test_different_words_do_not_meet(left: str, right: str) -> None:
    """Derived words with another role stay apart."""
    assert not keys(left, "en") & keys(right, "en")


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("The statutes say that members vote.", "members"),
        ("According to passage 2, members vote.", "members"),
        ("In the report, members vote.", "members"),
        ("The maker claims that members vote.", "the"),
        ("Documents must be signed.", "documents"),
        ("In 2024, members voted.", "in"),
    ],
)
def test_frames_name_the_source_only(text: str, rest: str) -> None:
    """An attribution to the source itself is skipped; one to anybody else is content."""
    norms = [token.norm for token in tokenize(text)]
    assert norms[frame_length(norms, lexicon("en"))] == rest


def test_segments_prepositions_and_cues() -> None:
    """Conditions open a segment, a phrase keeps its preposition, cues know where they stand."""
    read_ = unit("Visitors must report to the warden before they enter, unless a guide is present.")
    assert [(item.text, item.segment, item.prep) for item in read_.items] == [
        ("Visitors", 0, ""),
        ("report", 0, ""),
        ("warden", 0, "to"),
        ("enter", 1, ""),
        ("guide", 2, ""),
        ("present", 2, ""),
    ]
    assert [cue.name for cue in read_.cues] == ["modality.duty", "time.before", "condition.unless"]


def test_one_letter_names_are_names() -> None:
    """The A of "Room A" is no article."""
    assert [item.text for item in unit("Meetings are held in room A.").items] == ["Meetings", "held", "room", "A"]


def test_values_are_no_words() -> None:
    """What is read as a value is compared as a value, not as content words."""
    read_ = unit("The fee is EUR 5 within 14 days.")
    assert [item.text for item in read_.items] == ["fee"]
    assert [value.text for value in read_.values] == ["EUR 5", "14 days"]


@pytest.mark.parametrize("language", COVERED)
def test_lexicons_are_sound(language: str) -> None:
    """No phrase is longer than the matcher looks, no word is its own opposite."""
    words = lexicon(language)
    assert max(len(phrase) for phrase in words.cues) <= 6  # the matcher's longest phrase
    assert not [word for word in words.antonyms if words.opposite(word, word)]


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.text(max_size=300))
def test_reading_never_fails_and_offsets_hold(text: str) -> None:
    """Any text is read, and every item and cue is a slice of it."""
    for language in ("en", "xx"):
        read_ = unit(text, language)
        assert all(text[item.start : item.end] == item.text for item in read_.items)
        assert all(text[cue.start : cue.end] == cue.text for cue in read_.cues)
