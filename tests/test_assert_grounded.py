"""assert_grounded: what passes, what fails, and what the message says."""

from __future__ import annotations

import pytest

from grounding_middleware import Grounder, InputError
from grounding_middleware.testing import assert_grounded

SOURCE = "Refunds are paid within 5 to 7 business days. Gift cards are not refunded."


def test_a_supported_answer_passes_and_gives_its_report() -> None:
    """Every statement is in the evidence."""
    report = assert_grounded("Gift cards are not refunded.", evidence=[SOURCE])
    assert [verdict.label for verdict in report.claims] == ["SUPPORTED"]


@pytest.mark.parametrize(
    ("answer", "label"),
    [
        ("Gift cards are refunded.", "CONTRADICTED"),
        ("Gift cards are not refunded [9].", "INVALID_CITATION"),
        ("The shop was founded by two sisters.", "UNVERIFIED"),
    ],
)
def test_anything_else_fails_and_the_message_names_it(answer: str, label: str) -> None:
    """The label, the place and the words stand in the message."""
    with pytest.raises(AssertionError, match=rf"1 of 1 statements are not grounded.*\n.*{label}.*\[0:\d+\] "):
        assert_grounded(answer, evidence=[SOURCE])


def test_the_message_shows_the_evidence() -> None:
    """What contradicts the statement is quoted."""
    with pytest.raises(AssertionError, match=r"evidence .*Gift cards are not refunded"):
        assert_grounded("Gift cards are refunded.", evidence=[SOURCE])


def test_undecided_statements_may_be_allowed_and_conflicts_never() -> None:
    """`undecided` relaxes one label only."""
    assert_grounded("The shop was founded by two sisters.", evidence=[SOURCE], undecided="allow")
    with pytest.raises(AssertionError, match="CONTRADICTED"):
        assert_grounded("Gift cards are refunded.", evidence=[SOURCE], undecided="allow")


@pytest.mark.parametrize("answer", ["", "  \n", "Hello! How can I help you?"])
def test_an_answer_that_states_nothing_fails(answer: str) -> None:
    """Otherwise a broken chain that answers nothing would pass every test."""
    with pytest.raises(AssertionError, match="states nothing"):
        assert_grounded(answer, evidence=[SOURCE])


def test_a_sound_abstention_passes_and_a_false_one_fails() -> None:
    """The documents must really be silent: rules can prove that of a price alone."""
    say_no = "The documents do not say whether gift cards are refunded."
    no_price = "The documents do not state the price of a gift card."
    assert_grounded(no_price, evidence=["Gift cards are sold at the desk."], question="What does a gift card cost?")
    with pytest.raises(AssertionError, match="CONTRADICTED"):
        assert_grounded(say_no, evidence=[SOURCE], question="Are gift cards refunded?")


def test_no_evidence_fails() -> None:
    """Missing evidence never reads as supported."""
    with pytest.raises(AssertionError):
        assert_grounded("Gift cards are not refunded.", evidence=[])


def test_a_grounder_of_ones_own_is_used() -> None:
    """Its judge is asked what the rules cannot decide; an unreadable reply is no support."""
    asked: list[str] = []

    def judge(prompt: str) -> str:
        asked.append(prompt)
        return "looks fine to me"

    with pytest.raises(AssertionError, match="UNVERIFIED"):
        assert_grounded("The shop keeps the money of gift cards.", evidence=[SOURCE], grounder=Grounder(judge=judge))
    assert asked


def test_a_finished_report_is_looked_at_as_it_is() -> None:
    """What a wrapped chain returned needs no evidence."""
    report = Grounder.from_spec("draft").check("Gift cards are refunded.", evidence=[SOURCE])
    with pytest.raises(AssertionError, match="CONTRADICTED"):
        assert_grounded(report)


def test_arguments_that_do_not_fit_are_named() -> None:
    """InputError with the field and what is allowed."""
    report = Grounder.from_spec("draft").check("Gift cards are not refunded.", evidence=[SOURCE])
    with pytest.raises(InputError, match="evidence: the report is finished"):
        assert_grounded(report, evidence=[SOURCE])  # type: ignore[call-overload]
    with pytest.raises(InputError, match="evidence: is missing"):
        assert_grounded("Gift cards are not refunded.")  # type: ignore[call-overload]
    with pytest.raises(InputError, match="undecided: got 'never'; allowed is one of fail, allow"):
        assert_grounded(report, undecided="never")  # type: ignore[call-overload]


def test_hostile_text_in_the_message_is_harmless() -> None:
    """Control characters of an answer do not reach the terminal."""
    with pytest.raises(AssertionError) as caught:
        assert_grounded("Gift cards are \x1b[31mrefunded\u202e.", evidence=[SOURCE])
    assert "\x1b" not in str(caught.value)
    assert "\u202e" not in str(caught.value)
