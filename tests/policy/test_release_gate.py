"""The release gate end to end (DE-3): the worst state wins, whatever the order of sentences, markers and sources."""

from __future__ import annotations

import itertools

import pytest

from grounding_middleware import Grounder, Kind, Policy, Report
from grounding_middleware.records import Action, Risk

GATE = Grounder(policy=Policy.preset("release-gate", needs_judge=False))
SOURCES = [
    {"id": "S1", "text": "Dogs travel in the last car. The pier was built in 1898. The day pass costs EUR 9."},
    {"id": "S2", "text": "The board meets on Friday.", "audience": {"tenant": "other"}},
]
SUPPORTED = "Dogs travel in the last car [S1]."
WRONG_FACT = "The pier was built in 1899 [S1]."
WRONG_ACTION = "The day pass costs EUR 7 [S1]."
FORBIDDEN = "The board meets on Friday [S2]."
GREETING = "Hello!"

CASES = [
    ([GREETING], Action.UNANSWERED),
    ([SUPPORTED, GREETING], Action.DRAFT_REVIEW),
    ([SUPPORTED, WRONG_FACT], Action.REVIEW),
    ([SUPPORTED, WRONG_ACTION], Action.BLOCKED),
    ([SUPPORTED, FORBIDDEN], Action.BLOCKED),
    ([SUPPORTED, WRONG_FACT, WRONG_ACTION], Action.BLOCKED),
    ([SUPPORTED, WRONG_FACT, FORBIDDEN, GREETING], Action.BLOCKED),
]


def gate(answer: str) -> Report:
    return GATE.check(answer, evidence=SOURCES, requester={"tenant": "ours"})


@pytest.mark.parametrize(("sentences", "action"), CASES, ids=[f"{len(case[0])}-{case[1]}" for case in CASES])
def test_every_order_gives_the_worst_state(sentences: list[str], action: Action) -> None:
    """The same action and counts in every order; only a draft shows anything of the answer."""
    for order in itertools.permutations(sentences):
        report = gate(" ".join(order))
        assert report.action is action, report.decision.reason
        assert (report.text == report.answer) is (action is Action.DRAFT_REVIEW)


def test_the_table_is_about_what_it_says() -> None:
    """The wrong fact only informs, the wrong price makes somebody pay."""
    risks = {sentence: gate(sentence).claims[0].risk for sentence in (SUPPORTED, WRONG_FACT, WRONG_ACTION)}
    assert risks == {SUPPORTED: Risk.INFORMATION, WRONG_FACT: Risk.INFORMATION, WRONG_ACTION: Risk.ACTION}


@pytest.mark.parametrize("markers", [*itertools.permutations(["[S2]", "[S9]", "[S1]"])], ids="".join)
def test_a_forbidden_source_is_named_before_other_faults(markers: tuple[str, ...]) -> None:
    """A claim with several markers blocks when one of them is forbidden, wherever that one stands."""
    report = gate(f"Dogs travel in the last car {''.join(markers)}.")
    assert (report.action, report.claims[0].kind) == (Action.BLOCKED, Kind.FORBIDDEN)
