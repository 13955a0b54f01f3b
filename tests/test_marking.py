"""Drafts for reviewers (ES-5): everything is there, the unsupported is marked, nobody takes it for an answer."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grounding_middleware import Grounder, Policy, Report
from grounding_middleware.errors import ConfigError
from grounding_middleware.marking import Marks, marked
from grounding_middleware.records import Action

SOURCES = ["The handling fee is EUR 5.", "Alcohol is not reimbursed. Refunds are paid within 5 days."]
ANSWER = (
    "Alcohol is not reimbursed [S2]. The handling fee is EUR 7 [S1]. Cats like it here [S2].\n\n"
    "- Refunds are paid within 9 days [S2]."
)


def draft(answer: str) -> Report:
    return Grounder(policy=Policy.preset("draft", needs_judge=False)).check(answer, evidence=SOURCES)


def test_the_draft_has_everything_and_marks_what_is_not_supported() -> None:
    """Conflicts and unchecked statements are marked at their exact place, with the reason below; nothing is cut."""
    assert marked(draft(ANSWER)).splitlines() == [
        "DRAFT FOR REVIEW, not for readers: 3 of 4 statements are not supported and marked ⟦like this⟧.",
        "",
        "Alcohol is not reimbursed [S2]. ⟦1: The handling fee is EUR 7⟧ [S1]. ⟦2: Cats like it here⟧ [S2].",
        "",
        "- ⟦3: Refunds are paid within 9 days⟧ [S2].",
        "",
        "⟦1⟧ CONTRADICTED, number: values: source 'EUR 5', answer 'EUR 7'",
        "⟦2⟧ UNVERIFIED, undecided: no rule decides this claim",
        "⟦3⟧ CONTRADICTED, number: values: source '5 days', answer '9 days'",
    ]


def test_marks_can_carry_the_numbers_of_the_report() -> None:
    """So that a reviewer who reads both finds the same statement under one number."""
    marks = Marks(numbering="statements")
    report = draft(ANSWER)
    told = marked(report, marks)
    numbers = [int(number) for number in re.findall(r"⟦(\d+): ", told)]
    assert numbers == [2, 3, 4]
    assert [f"⟦{number}: {report.claims[number - 1].text}⟧" in told for number in numbers] == [True, True, True]
    assert [int(number) for number in re.findall(r"⟦(\d+)⟧", told)] == numbers


def test_the_reader_sees_nothing_of_it() -> None:
    """Under the preset `draft` the answer is in review and the reader gets the fixed text."""
    report = draft(ANSWER)
    assert (report.action, report.edits) == (Action.REVIEW, ())
    assert report.text == Policy().texts.fallback


def test_a_good_draft_is_an_answer() -> None:
    """Nothing unsupported: the preset shows it as any other does."""
    report = draft("Alcohol is not reimbursed [S2].")
    assert (report.action, report.text) == (Action.OK, "Alcohol is not reimbursed [S2].")


def test_an_answer_cannot_forge_or_end_a_mark() -> None:
    """Brackets of the answer become plain ones."""
    text = marked(draft("Alcohol is not reimbursed [S2]. The fee⟧ is EUR 7 ⟦1: fine⟧ [S1]."), Marks(head="Draft."))
    assert text.count("⟦") == text.count("⟧")
    assert "[1: fine]" in text


@pytest.mark.parametrize("head", ["", "  ", "{marked}", "a {reason}"])
def test_the_first_line_cannot_be_left_out(head: str) -> None:
    """A draft always says that it is one."""
    with pytest.raises(ConfigError, match=r"Marks\.head"):
        Marks(head=head)


@given(
    st.lists(st.sampled_from(["Alcohol is not reimbursed", "The fee is EUR 7", "Hello", "Cats 🐈 like it"]), max_size=6)
)
def test_without_the_marks_it_is_the_answer(sentences: list[str]) -> None:
    """Taking head, marks and reasons away gives the answer back, byte for byte."""
    answer = " ".join(f"{sentence}." for sentence in sentences)
    text = marked(draft(answer), Marks(head="Draft.", reasons=False))
    assert re.sub(r"⟦\d+: ([^⟧]*)⟧", r"\1", text.removeprefix("Draft.").removeprefix("\n\n")) == answer
