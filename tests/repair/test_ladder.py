"""The model-free ladder: which step repairs what, what a reader then sees, and what is left to removal (RE-5)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from grounding_middleware import Label, Policy, Report, Treatment
from grounding_middleware.editing.removal import apply
from grounding_middleware.records import Kind
from grounding_middleware.repair import Repair, Step, attribution, preserved

ROWS = yaml.safe_load((Path(__file__).parent / "ladder.yaml").read_text("utf-8"))
Check = Callable[..., Report]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["rule"])
def test_row(row: dict[str, Any], check: Check) -> None:
    """Each wrong statement is repaired by the step and to the text of the table, or by none."""
    report = check(row["answer"], row["evidence"], question=row.get("question", ""))
    steps = [one.step for one in report.repairs if one.accepted]
    assert steps == ([row["step"]] if row["step"] else [])
    if row["text"] is not None:
        assert report.text == row["text"]
    elif not row.get("keep"):
        assert report.action == "escalate"
    assert apply(report.answer, report.edits) == report.text or row["text"] is None


def test_report_survives_a_round_trip(check: Check) -> None:
    """A report with repairs is the same after JSON."""
    report = check("Employees must submit the form online [S1]. The shop opens at 09:00 [S2].")
    assert report.repairs
    assert report.drafts
    assert Report.model_validate_json(report.model_dump_json()) == report


def test_every_attempt_has_its_places(check: Check) -> None:
    """What stood there before and what stands there after are slices of the answer and of the draft."""
    report = check("Employees must submit the form online [S1]. Weekend delivery costs EUR 6 [S1]. The shop is nice.")
    assert {one.step for one in report.repairs} == {"recite", "correct"}
    for one in report.repairs:
        assert report.answer[one.start : one.end] == one.before
        if one.draft is not None:
            assert report.drafts[one.draft][one.after_start : one.after_end] == one.after
        assert one.accepted is (one.label is Label.SUPPORTED)
        assert one.accepted is not bool(one.reason)


def test_every_edit_says_why(check: Check) -> None:
    """An edit names its claim and that it is a repair; the original text is what it replaced."""
    report = check("Employees must submit the form online [S1]. The shop opens at 09:00 [S2].")
    (edit,) = report.edits
    assert (edit.removed, edit.replacement, edit.reason) == ("must", "may", "repaired: correct")
    assert edit.claim_id == report.claims[0].id


def test_default_is_removal(check: Check) -> None:
    """Without repair settings nothing is repaired, and the report has no trace of it."""
    report = check("Employees must submit the form online [S1]. The shop opens at 09:00 [S2].", repair=None)
    assert report.text == "The shop opens at 09:00 [S2]."
    assert (report.repairs, report.drafts) == ((), ())
    assert "repair" not in report.versions


@pytest.mark.parametrize(
    ("settings", "steps"),
    [
        (Repair(steps=(Step.REPLACE,)), ["replace"]),
        (Repair(steps=(Step.RECITE,)), []),
        (Repair(kinds=(Kind.NUMBER,)), []),
        (Repair(kinds=(Kind.MODALITY,)), ["correct"]),
        (Repair(labels=(Label.INSUFFICIENT_EVIDENCE,)), []),
        (Repair(treatments=(Treatment.REPAIR,)), []),
    ],
    ids=["only-replace", "only-recite", "other-kind", "kind", "other-label", "other-treatment"],
)
def test_settings_choose(settings: Repair, steps: list[str], check: Check) -> None:
    """Steps, kinds, labels and treatments of the settings decide what is tried; the rest is removed."""
    report = check("Employees must submit the form online [S1]. The shop opens at 09:00 [S2].", repair=settings)
    assert [one.step for one in report.repairs if one.accepted] == steps
    assert ("Employees" in report.text) is bool(steps)


def test_at_most_so_many_claims(check: Check) -> None:
    """Beyond the limit statements are removed without a try."""
    answer = (
        "Employees must submit the form online [S1]. Weekend delivery costs EUR 9 [S2]. The shop opens at 09:00 [S2]."
    )
    report = check(answer, repair=Repair(claims=1))
    assert report.text == "Employees may submit the form online [S1]. The shop opens at 09:00 [S2]."


def test_two_statements_do_not_become_the_same_sentence(check: Check) -> None:
    """The second of two statements that distort one sentence is removed: nobody wants to read it twice."""
    report = check(
        "Invoice 4471 was saved [S1]. Invoice 4471 was saved and printed [S1]. The shop opens at 09:00 [S2].",
        ["Invoice 4471 was not saved.", "The shop opens at 09:00."],
    )
    assert report.text.count("Invoice 4471 was not saved") == 1


def test_what_stands_in_the_answer_already_is_not_said_again(check: Check) -> None:
    """A statement is removed when the sentence that would replace it is in the answer."""
    report = check(
        "Invoice 4471 was not saved [S1]. Invoice 4471 was saved [S1]. The shop opens at 09:00 [S2].",
        ["Invoice 4471 was not saved.", "The shop opens at 09:00."],
    )
    assert report.text == "Invoice 4471 was not saved [S1]. The shop opens at 09:00 [S2]."


def test_measures(check: Check) -> None:
    """Attribution counts a repaired claim as supported; preservation counts words that stayed, also inside an edit."""
    report = check("Employees must submit the form online [S1]. The shop opens at 09:00 [S2].")
    assert attribution(report) == (0.5, 1.0)
    assert preserved(report) == 1 - len("must") / len(report.answer)
    clean = check("The shop opens at 09:00 [S2].")
    assert (attribution(clean), preserved(clean)) == ((1.0, 1.0), 1.0)
    assert attribution(check("")) == (None, None)
    assert preserved(check("")) == 1.0


def test_removed_neighbours_do_not_disturb(check: Check) -> None:
    """Repair and removal in one answer: the edits lead from the answer to the text."""
    answer = (
        "The moon is cheap [S9]. Employees must submit the form online [S1]. However, it is closed [S9]. "
        "The shop opens at 09:00 [S2]."
    )
    report = check(answer)
    assert report.text == "Employees may submit the form online [S1]. The shop opens at 09:00 [S2]."
    assert apply(answer, report.edits) == report.text
    assert [claim.treatment for claim in report.claims] == ["remove", "repair", "remove", "keep"]


def test_what_leans_on_a_removed_statement_goes_with_it(check: Check, judge_of: Any, rewriting: Any) -> None:
    """A repaired statement that hangs on a removed one is withdrawn, and its attempt says so."""
    answer = "The Orbit plan is blue [S9]. It is renewed by post [S1]. The shop opens at 09:00 [S2]."
    report = check(
        answer,
        ["The Orbit plan can be renewed online.", "The shop opens at 09:00."],
        judge=judge_of({"renewed online": ("S1", "The Orbit plan can be renewed online.")}),
        repair=Repair(steps=(Step.MODEL,)),
        model=rewriting(("", []), ("It can be renewed online", ["S1"])),
    )
    assert report.text == "The shop opens at 09:00 [S2]."
    assert [claim.treatment for claim in report.claims] == ["remove", "remove", "keep"]
    last = report.repairs[-1]
    assert (last.step, last.accepted, last.label) == ("model", False, Label.SUPPORTED)
    assert last.reason.startswith("dependent")


def test_policy_version_is_not_the_repair_version(check: Check) -> None:
    """The report names the settings of the repair by their hash, so that a replay can tell them apart."""
    versions = {check("Hello.", repair=settings).versions["repair"] for settings in (Repair(), Repair(cite=True))}
    assert versions == {Repair().version, Repair(cite=True).version}
    assert len(versions) == 2


def test_presets_without_repair_are_untouched(check: Check) -> None:
    """Under a policy that never shows edited text no repair is tried."""
    report = check("Employees must submit the form online [S1].", policy=Policy.preset("release-gate"))
    assert report.action in ("blocked", "review")
    assert report.repairs == ()
