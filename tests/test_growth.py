"""Work grows with the length of answer and evidence, not with their product (DESIGN §7): counted, so never flaky."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from grounding_middleware import Grounder
from grounding_middleware.checks.alignment import align
from grounding_middleware.reading import reader
from grounding_middleware.reading.tokens import tokenize

CANDIDATES = 6  # units of the evidence aligned with one claim
LOOKS = 6  # cited, the clauses of the claim, the other spans, a code of another source, sources that disagree
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # no judge is wanted here


def evidence(spans: int, words: str) -> list[str]:
    """Sentences that all share their words, so that the index can tell them apart by one number only."""
    return [f"Rule {n}: an order of {words} type {n} is delivered within {n + 2} days." for n in range(spans)]


def answer(sentences: int, words: str) -> str:
    return " ".join(
        f"An order of {words} type {n} is delivered within {n + 2} days [S{n + 1}]." for n in range(sentences)
    )


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """What a check did: alignments made, characters taken apart."""
    done: Counter[str] = Counter()

    def aligning(*arguments: Any) -> Any:
        done["alignments"] += 1
        return align(*arguments)

    def reading(text: str) -> Any:
        done["characters"] += len(text)
        return tokenize(text)

    replaced: tuple[tuple[str, Callable[..., Any], Callable[..., Any]], ...] = (
        ("align", align, aligning),
        ("tokenize", tokenize, reading),
    )
    for name, module in list(sys.modules.items()):
        for attribute, original, counted in replaced:
            own = name.startswith("grounding_middleware.checks") or module is reader
            if own and getattr(module, attribute, None) is original:
                monkeypatch.setattr(module, attribute, counted)
    return done


@pytest.mark.parametrize("spans", [20, 80, 160])
def test_a_claim_is_aligned_with_a_few_units_however_much_evidence_there_is(work: Counter[str], spans: int) -> None:
    """The index chooses candidates; nothing walks all claims over all sentences."""
    Grounder().check(answer(20, "green"), evidence=evidence(spans, "green"))
    assert 20 <= work["alignments"] <= 20 * CANDIDATES * LOOKS


def test_alignments_grow_with_the_claims(work: Counter[str]) -> None:
    """Four times as many claims make four times as many alignments."""
    counts = []
    for sentences in (20, 80):
        work.clear()
        Grounder().check(answer(sentences, "blue"), evidence=evidence(80, "blue"))
        counts.append(work["alignments"])
    assert counts[1] <= 4.4 * counts[0]


def test_a_text_is_read_a_fixed_number_of_times(work: Counter[str]) -> None:
    """Not once for every claim: the characters read grow as the answer does."""
    counts = []
    for sentences in (20, 80):
        work.clear()
        said, known = answer(sentences, f"white {sentences}"), evidence(sentences, f"white {sentences}")
        Grounder().check(said, evidence=known)
        counts.append(work["characters"] / (len(said) + sum(map(len, known))))
    assert counts[1] <= counts[0] <= 3
