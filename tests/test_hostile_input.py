"""Hostile answers and evidence end in a report: every character accounted for, nothing supported by nonsense."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grounding_middleware import Grounder, Label, Policy, Report
from grounding_middleware.errors import InputError

GROUNDER = Grounder(policy=Policy(needs_judge=False))
PIECES = [
    "[", "]", "(", ")", "[S1]", "[^1]", "【S1】", "|", "---", "```", "`", "#", "- ", "1. ", "9" * 40, "1,2.3", "%", "€",
    "\n", "\n\n", "\t", " ", "\u200b", "\u202e", "\ufeff", "\x00", '"', "“", "”", "»", "'", "{", "}", '{"a": 1}',
    "a" * 60, "...", "!?", "no", "not", "unless", "may", "must", "The fee is 5 euros.", "S1", "http://x.y/z?q=1", "A-1",
    "v1.2.3", "2026-01-01", "日本語", "Ł",
]  # fmt: skip
TEXT = st.lists(st.sampled_from(PIECES), min_size=1, max_size=60).map("".join)


def check(answer: str, evidence: str) -> Report | None:
    try:
        return GROUNDER.check(answer, evidence=[evidence])
    except InputError:  # a text without anything visible is refused, by name
        return None


@settings(max_examples=25)
@given(TEXT, TEXT)
def test_nonsense_is_reported_with_exact_offsets(answer: str, evidence: str) -> None:
    """Claims are slices of the answer, in order; quotes are slices of the evidence; what is shown was in the answer."""
    report = check(answer, evidence)
    if report is None:
        return
    assert all(answer[claim.start : claim.end] == claim.text for claim in report.claims)
    assert [claim.start for claim in report.claims] == sorted(claim.start for claim in report.claims)
    for quote in (quote for claim in report.claims for quote in claim.quotes):
        assert evidence[quote.start : quote.end] == quote.text
    assert Report.model_validate_json(report.model_dump_json()) == report


@settings(max_examples=15)
@given(TEXT)
def test_nothing_is_supported_by_unrelated_text(answer: str) -> None:
    """Whatever an answer looks like, a source that speaks of something else supports none of it."""
    report = check(answer, "Tulips are planted in autumn.")
    assert report is None or all(claim.label is not Label.SUPPORTED for claim in report.claims)


GROWING: dict[str, Callable[[int], tuple[str, str]]] = {
    "nested brackets": lambda n: ("[" * n + "]" * n, "x y"),
    "digits": lambda n: ("9" * n, "1" * n),
    "citations": lambda n: ("[S1]" * n, "x y"),
    "no spaces": lambda n: ("a" * n, "b" * n),
    "commas": lambda n: ("a, " * n, "b, " * n),
    "one long sentence": lambda n: ("the fee or " * n, "the fee and " * n),
    "quotes": lambda n: ('"a" ' * n, '"b" ' * n),
    "table cells": lambda n: ("| a " * n + "|", "| b " * n + "|"),
    "amounts": lambda n: ("5 km, " * n, "6 km, " * n),
    "negations": lambda n: ("not " * n, "never " * n),
}


@pytest.mark.parametrize("kind", GROWING)
def test_pathological_input_ends_in_bounded_time(kind: str) -> None:
    """Four times the input takes less than sixteen times as long: nothing here grows with the square."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        seconds = []
        for size in (150, 600):
            answer, evidence = GROWING[kind](size)
            runs = []
            for _ in range(2):
                begun = time.process_time()
                check(answer, evidence)
                runs.append(time.process_time() - begun)
            seconds.append(max(min(runs), 0.02))  # what is faster than that says nothing about growth
    assert seconds[1] < 12 * seconds[0], seconds
