"""What repair means for the decision: it rests on what the model said, and a repaired answer is revised (DE-2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from grounding_middleware import Label, Policy, Report
from grounding_middleware.policy import Texts
from grounding_middleware.repair import Repair, Step

Check = Callable[..., Report]
WRONG = "Employees must submit the form online [S1]."
RIGHT = "Employees may submit the form online [S1]."
GOOD = "The shop opens at 09:00 [S2]. Weekend delivery costs EUR 6 [S2]."


def test_a_repaired_answer_is_revised(check: Check) -> None:
    """One of three unsupported: share 0.33 and `revised`, as when it is removed, and nothing is withheld."""
    report = check(f"{GOOD} {WRONG}", policy=Policy())
    assert (report.action, report.decision.share, report.decision.unsupported) == ("revised", 0.33, 1)
    assert report.text == f"{GOOD} {RIGHT}"
    assert report.decision.reason == "1 of 3 claims repaired"
    assert [claim.treatment for claim in report.claims] == ["keep", "keep", "repair"]
    assert report.claims[2].label is Label.CONTRADICTED


def test_the_share_counts_what_the_model_said(check: Check) -> None:
    """Above the limit the answer is escalated however well it could be repaired, and nothing is tried."""
    report = check(f"The shop opens at 09:00 [S2]. {WRONG} Weekend delivery costs EUR 9 [S2].", policy=Policy())
    assert (report.action, report.decision.share) == ("escalate", 0.67)
    assert report.repairs == ()


def test_a_repaired_statement_is_left(check: Check) -> None:
    """An answer whose only statement could be repaired is not empty."""
    report = check(WRONG)
    assert (report.action, report.text) == ("revised", RIGHT)


def test_nothing_left_is_still_escalated(check: Check) -> None:
    """Repair falls back to removal, and removal of everything to escalation (RE-2)."""
    report = check("The moon is made of cheese [S9].")
    assert report.action == "escalate"
    assert report.decision.reason.startswith("no claim is left")


def test_a_blocked_claim_is_never_repaired(check: Check) -> None:
    """By severity a contradiction blocks; that it could be corrected changes nothing (DE-6)."""
    report = check(f"{GOOD} {WRONG}", policy=Policy.preset("by-severity"))
    assert report.action == "blocked"
    assert report.repairs == ()


def test_severity_major_is_repaired(check: Check, judge_of: Any, rewriting: Any) -> None:
    """By severity a fact that is not in the evidence is repaired, by a model when nothing else can (DE-6)."""
    answer = f"{GOOD} Returns are a pleasure for our staff [S1]."
    report = check(
        answer,
        policy=Policy.preset("by-severity"),
        judge=judge_of({}),
        repair=Repair(steps=(Step.RECITE, Step.CORRECT, Step.REPLACE, Step.MODEL)),
        model=rewriting(("Refunds are paid within 14 days.", ["S1"])),
    )
    assert report.text == f"{GOOD} Refunds are paid within 14 days [S1]."
    assert report.action == "revised"


def test_what_could_not_be_repaired_says_so(check: Check, judge_of: Any) -> None:
    """A claim that was to be repaired and was not is removed, and its treatment has the last reason."""
    answer = f"{GOOD} Returns are a pleasure for our staff [S1]."
    report = check(answer, policy=Policy.preset("by-severity"), judge=judge_of({}))
    assert report.claims[2].treatment == "remove"
    assert "not repaired: no sentence of the evidence" in report.claims[2].treatment_reason
    assert report.text == GOOD


def test_what_is_not_chosen_falls_back_to_removal(check: Check, judge_of: Any) -> None:
    """A claim the policy wants repaired, but the settings do not, is removed."""
    answer = f"{GOOD} Returns are a pleasure for our staff [S1]."
    settings = Repair(labels=(Label.CONTRADICTED,))
    report = check(answer, policy=Policy.preset("by-severity"), judge=judge_of({}), repair=settings)
    assert report.claims[2].treatment == "remove"
    assert report.text == GOOD


def test_the_notice_counts_what_is_withheld(check: Check) -> None:
    """A repaired statement is not withheld: the notice counts only what a reader does not get (RE-6)."""
    policy = Policy(escalate_above=1.0, texts=Texts(notice="{count} withheld."))
    both = check(f"{GOOD} {WRONG} The moon is made of cheese [S9].", policy=policy)
    assert both.text == f"{GOOD} {RIGHT}\n\n1 withheld."
    repaired = check(f"{GOOD} {WRONG}", policy=policy)
    assert repaired.text == f"{GOOD} {RIGHT}"


def test_review_stays_review(check: Check) -> None:
    """A repair does not make an answer better than what else stands in it."""
    report = check(f"{GOOD} {WRONG} Frogs are mostly green [S2].")
    assert report.action == "review"
    assert RIGHT in report.text


@pytest.mark.parametrize("kind", ["forbidden", "foreign"])
def test_what_rests_on_foreign_text_is_never_repaired(kind: str, check: Check) -> None:
    """A statement cited to what the reader may not see is removed, though another source says the same."""
    forbidden = {"id": "S3", "text": "Weekend delivery costs EUR 6.", "audience": {"tenant": "b"}}
    evidence = [{"id": "S2", "text": "Weekend delivery costs EUR 6. The shop opens at 09:00."}, forbidden]
    cited = "S3" if kind == "forbidden" else "tenant-b/S2"
    report = check(
        f"Weekend delivery costs EUR 6 [{cited}]. The shop opens at 09:00 [S2].",
        evidence,
        requester={"tenant": "a"},
    )
    assert report.text == "The shop opens at 09:00 [S2]."
    assert report.repairs == ()
