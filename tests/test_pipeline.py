"""The pipeline: order of decisions, sync and async alike, nothing that fails reads as supported."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from grounding_middleware import Action, Grounder, InputError, Kind, Label, Policy, Report

QUIET = Policy(needs_judge=False)
FERRY = "The ferry leaves at 07:45. Dogs travel free of charge. Bicycles may be taken on board."


def check(answer: str, *evidence: Any, judge: object | None = None, **more: Any) -> Report:
    return Grounder(judge=judge, policy=QUIET).check(answer, evidence=list(evidence), **more)


def says(*verdicts: dict[str, Any]) -> Callable[[str], str]:
    return lambda _prompt: json.dumps({"verdicts": list(verdicts)})


def test_a_supported_answer_is_ok_and_unchanged() -> None:
    """Every claim SUPPORTED: action ok, text byte-identical."""
    report = check("The ferry leaves at 07:45 [S1].", FERRY)
    assert (report.action, report.text) == (Action.OK, "The ferry leaves at 07:45 [S1].")


def test_a_contradicted_claim_goes_and_the_rest_stays() -> None:
    """The wrong sentence is removed with its marker, the right one stays."""
    report = check(
        "Dogs travel free of charge [S1]. The ferry leaves at 08:45 [S1]. Bicycles may be taken on board [S1].", FERRY
    )
    assert report.text == "Dogs travel free of charge [S1]. Bicycles may be taken on board [S1]."
    assert report.action is Action.REVISED


def test_provenance_comes_before_meaning() -> None:
    """A true sentence with an unknown marker is INVALID_CITATION, not SUPPORTED."""
    (claim,) = check("The ferry leaves at 07:45 [S7].", FERRY).claims
    assert (claim.label, claim.kind, claim.decided_by) == (Label.INVALID_CITATION, Kind.UNKNOWN_ID, "provenance")


def test_wrong_attribution_names_the_right_span() -> None:
    """True, but of another source: says which one (CI-3)."""
    (claim,) = check("The ferry leaves at 07:45 [S2].", FERRY, "The pier has a café.").claims
    assert (claim.label, claim.kind, claim.supported_elsewhere) == (
        Label.INSUFFICIENT_EVIDENCE,
        Kind.WRONG_ATTRIBUTION,
        "S1",
    )


def test_no_evidence_is_loud_and_supports_nothing() -> None:
    """Zero evidence is INSUFFICIENT_EVIDENCE with a notice, never nothing to flag (EV-8)."""
    report = check("The ferry leaves at 07:45.")
    assert [claim.label for claim in report.claims] == [Label.INSUFFICIENT_EVIDENCE]
    assert any("no usable evidence" in notice for notice in report.notices)


def test_undelivered_evidence_supports_nothing() -> None:
    """A span that was not in the prompt is no evidence for an uncited claim either (EV-4)."""
    report = check("The ferry leaves at 07:45.", {"id": "S1", "text": FERRY, "delivered": False})
    assert report.claims[0].label is Label.INSUFFICIENT_EVIDENCE


def test_a_cut_sentence_supports_nothing() -> None:
    """What was cut off may hold the exception, so a cut sentence is not enough for SUPPORTED."""
    span = {"id": "S1", "text": "Dogs travel free unless they are big.", "delivered_ranges": [[0, 16]]}
    assert check("Dogs travel free.", span).claims[0].label is Label.UNVERIFIED


def test_without_a_judge_undecided_claims_are_marked_and_never_ok() -> None:
    """Nobody checked it: it stays in the text, is UNVERIFIED in the report, and the action is review (DESIGN §5)."""
    report = check("Pets cost nothing.", FERRY)
    assert (report.claims[0].label, report.action) == (Label.UNVERIFIED, Action.REVIEW)
    assert report.text == "Pets cost nothing."


def test_a_judge_decides_what_rules_do_not() -> None:
    """A SUPPORTED verdict with an exact quote stands and carries it."""
    judge = says(
        {"claim": 1, "label": "SUPPORTED", "evidence": [{"source": "S1", "quote": "Dogs travel free of charge."}]}
    )
    report = check("Pets such as dogs cost nothing.", FERRY, judge=judge)
    assert report.action is Action.OK
    quote = report.claims[0].quotes[0]
    assert FERRY[quote.start : quote.end] == quote.text


@pytest.mark.parametrize(
    "reply",
    ["", "yes.", "{}", '{"verdicts": []}', '{"verdicts": [{"claim": 1, "label": "SUPPORTED", "evidence": []}]}',
     '{"verdicts": [{"claim": 1, "label": "SUPPORTED", "evidence": [{"source": "S1", "quote": "Cats travel free"}]}]}',
     '{"verdicts": [{"claim": 2, "label": "SUPPORTED", "evidence": [{"source": "S1", "quote": "Dogs"}]}]}'],
)  # fmt: skip
def test_a_judge_that_fails_supports_nothing(reply: str) -> None:
    """Empty, unreadable, unproven or missing verdicts are UNVERIFIED and count as unsupported."""
    report = check("Pets cost nothing.", FERRY, judge=lambda _prompt: reply)
    assert (report.claims[0].label, report.claims[0].kind) == (Label.UNVERIFIED, Kind.VERIFIER_FAILURE)
    assert report.action is Action.ESCALATE
    assert "Pets" not in report.text


def test_a_judge_that_raises_supports_nothing() -> None:
    """A crash of the judge is a named reason in the report, not an exception and not support."""

    def crash(_prompt: str) -> str:
        raise OSError("no route")

    report = check("Pets cost nothing.", FERRY, judge=crash)
    assert report.claims[0].label is Label.UNVERIFIED
    assert report.calls[0].error


def test_a_judge_cannot_overrule_a_conflict() -> None:
    """What a check calls a conflict is never put to a judge (CH-9)."""
    asked: list[str] = []
    report = check("The ferry leaves at 08:45.", FERRY, judge=lambda prompt: asked.append(prompt) or "")
    assert report.claims[0].label is Label.CONTRADICTED
    assert asked == []


def test_doubts_reach_the_judge() -> None:
    """The judge sees what the checks doubted about the claim."""
    asked: list[str] = []
    check("Bicycles should be taken on board.", FERRY, judge=lambda prompt: asked.append(prompt) or "")
    assert any("answer 'should'" in prompt for prompt in asked)


def test_two_reasons_in_one_sentence_are_two_claims() -> None:
    """The incident: both parts contradicted, each with the exact clause (SPEC, first page)."""
    source = (
        "Claims above SGD 500 must be reviewed by finance. "
        "Neither automatic approval nor a fixed turnaround is guaranteed."
    )
    report = check("Claims above SGD 500 automatically qualify for finance approval within two days [S1].", source)
    assert [(claim.label, claim.kind) for claim in report.claims] == [
        (Label.CONTRADICTED, Kind.CERTAINTY_SHIFT),
        (Label.CONTRADICTED, Kind.DEADLINE),
    ]
    assert report.claims[1].text == "within two days"
    assert report.action is Action.ESCALATE
    assert all(claim.quotes[0].text.startswith("Neither automatic") for claim in report.claims)


async def test_sync_and_async_give_the_same_report() -> None:
    """One pipeline, two drivers: the reports are equal but for the time a call took."""
    judge = says(
        {"claim": 1, "label": "CONTRADICTED", "evidence": [{"source": "S1", "quote": "Dogs travel free of charge."}]}
    )
    grounder = Grounder(judge=judge, policy=QUIET)
    answer = "Pets cost EUR 5 on board. The ferry leaves at 07:45."
    left = grounder.check(answer, evidence=[FERRY])
    right = await grounder.acheck(answer, evidence=[FERRY])
    assert left == right


def test_offsets_and_text_agree_everywhere() -> None:
    """Every claim and quote is a slice of the text it belongs to."""
    report = check("Hello! The ferry leaves at 08:45 [S1].\n\n- Dogs travel free of charge [S1].\n- Cats pay.", FERRY)
    assert all(report.answer[claim.start : claim.end] == claim.text for claim in report.claims)
    assert all(FERRY[quote.start : quote.end] == quote.text for claim in report.claims for quote in claim.quotes)


def test_a_report_survives_json() -> None:
    """The report is the audit format: it comes back from JSON as it was."""
    report = check("The ferry leaves at 08:45 [S1]. Dogs travel free of charge [S1].", FERRY)
    assert Report.model_validate_json(report.model_dump_json()) == report


def test_it_says_once_that_nobody_judges() -> None:
    """A policy that expects a judge warns at construction, in words an operator understands."""
    with pytest.warns(UserWarning, match="expects a judge"):
        Grounder()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Grounder(judge=lambda _prompt: "")


@pytest.mark.parametrize(("answer", "question"), [(None, ""), (3, ""), ("x", 3), ("x" * 1_000_001, "")])
def test_bad_input_is_an_input_error(answer: Any, question: Any) -> None:
    """Wrong types and sizes die with the field named."""
    with pytest.raises(InputError, match=r"answer|question"):
        Grounder(policy=QUIET).check(answer, evidence=["x"], question=question)


@pytest.mark.parametrize("answer", ["", " \n ", "...", "```\n```", "[S1]", "| a |\n|---|"])
def test_an_answer_without_any_statement_is_loud(answer: str) -> None:
    """Nothing said is unanswered or at least no claim; it is never a supported claim."""
    report = check(answer, FERRY)
    assert not any(claim.label is Label.SUPPORTED for claim in report.claims)
