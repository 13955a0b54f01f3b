"""Which parts of a span a model saw, when prompts are packed, cut and overlapped."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from grounding_middleware.capture import deliver
from grounding_middleware.records import Span

WORDS = [f"w{number}" for number in range(40)]


def span(text: str) -> Span:
    return Span(id="s", text=text, delivered=False)


def shown(text: str, *prompts: str) -> list[str] | None:
    """The delivered pieces; the whole text as the only piece; None when nothing was delivered."""
    (found,) = deliver([span(text)], prompts)
    if not found.delivered:
        assert found.delivered_ranges is None
        return None
    return [text[low:high] for low, high in found.delivered_ranges or ((0, len(text)),)]


def test_white_space_may_differ() -> None:
    """Frameworks strip and rewrap; the words decide."""
    assert shown("Refunds are\n  paid.", 'Context: "Refunds are paid." Answer:') == ["Refunds are\n  paid."]


def test_a_text_that_is_not_there_is_not_delivered() -> None:
    """Retrieved is not delivered."""
    assert shown("Refunds are paid.", "Parcels travel by rail.") is None
    assert shown("Refunds are paid.") is None


def test_a_text_cut_over_two_prompts_is_delivered_whole() -> None:
    """Packing cuts nodes; with the overlap, or without it, both halves were seen."""
    text = " ".join(WORDS)
    assert shown(text, "x " + " ".join(WORDS[:20]), " ".join(WORDS[20:]) + " y") == [text]
    assert shown(text, " ".join(WORDS[:20]), " ".join(WORDS[15:])) == [text]


def test_a_short_rest_at_the_end_of_a_span_counts() -> None:
    """The last words of a node may begin the next prompt."""
    text = " ".join(WORDS)
    assert shown(text, " ".join(WORDS[:36]), " ".join(WORDS[36:])) == [text]
    assert shown(text, " ".join(WORDS[:38]), "no " + " ".join(WORDS[38:])) == [" ".join(WORDS[:38])]


def test_what_was_left_out_in_between_is_not_delivered() -> None:
    """A compressor drops "not be"; that these words stand elsewhere in the prompt proves nothing."""
    before, after = "claims above five hundred dollars shall", "approved without a review by regional finance"
    pieces = shown(f"{before} not be {after}", f"It will not be long. {before} {after}")
    assert pieces == [before, after]


def test_a_truncated_text_is_delivered_up_to_the_cut() -> None:
    """`simple_summarize` truncates: the tail supports nothing."""
    text = " ".join(WORDS)
    assert shown(text, " ".join(WORDS[:12]) + " wxyz") == [" ".join(WORDS[:12])]


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=40), st.lists(st.sampled_from("abc"), max_size=60))
def test_ranges_are_in_order_and_hold_only_words_of_the_prompt(words: list[str], prompt: list[str]) -> None:
    """Offsets are those of the span's text; every delivered piece of one prompt stands in it."""
    text = "  ".join(words)
    (found,) = deliver([span(text)], [" ".join(prompt)])
    last = -1
    for low, high in found.delivered_ranges or ():
        assert last < low < high <= len(text)
        assert set(text[low:high].split()) <= set(prompt)
        last = high


def test_repetition_is_not_quadratic() -> None:
    """Boilerplate without end costs no more than text."""
    text = "same words again and again " * 4_000
    start = time.process_time()
    deliver([span(text + "end")], [text])
    assert time.process_time() - start < 5
