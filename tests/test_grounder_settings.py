"""Settings of a `Grounder` that say what an answer may rest on and how it is read."""

from __future__ import annotations

from typing import Any

import pytest

from grounding_middleware import Action, ConfigError, Grounder, InputError, Label, Policy, Report, Risk
from grounding_middleware.citations import CitationSyntax
from grounding_middleware.claims.risk import RiskRules
from grounding_middleware.evidence import EvidenceRules, build

QUIET = Policy(needs_judge=False)
FERRY = "The ferry leaves at 07:45."
RIGHT = "The ferry leaves at 07:45 [S1]."


def check(rules: EvidenceRules, *spans: Any, **more: Any) -> Report:
    return Grounder(policy=QUIET, evidence_rules=rules).check(RIGHT, evidence=spans or [FERRY], **more)


def test_less_evidence_than_there_must_be_supports_nothing() -> None:
    """Below the minimum the answer is not released and the notice says how many spans there are (EV-8)."""
    report = check(EvidenceRules(minimum=2), FERRY)
    assert report.claims[0].label is Label.INSUFFICIENT_EVIDENCE
    assert (report.action, "1 usable spans, at least 2" in report.notices[0]) == (Action.ESCALATE, True)
    assert check(EvidenceRules(minimum=2), FERRY, "The pier has a café.").action is Action.OK


def test_only_usable_spans_count() -> None:
    """A span that was not delivered does not make up the minimum."""
    unseen = {"id": "S2", "text": "The pier has a café.", "delivered": False}
    assert check(EvidenceRules(minimum=2), FERRY, unseen).action is Action.ESCALATE


def test_the_minimum_holds_for_ready_evidence_too() -> None:
    """Adapters hand over evidence that is already built; it cannot lower the minimum."""
    evidence = build([FERRY])
    report = Grounder(policy=QUIET, evidence_rules=EvidenceRules(minimum=2)).check(RIGHT, evidence=evidence)
    assert (report.action, evidence.minimum) == (Action.ESCALATE, 1)


def test_access_keys_are_configurable_and_fail_closed() -> None:
    """A key that decides access hides the span from everybody whose value is unknown; by default it only limits use."""
    span = {"id": "S1", "text": FERRY, "audience": {"desk": "north"}}
    assert check(EvidenceRules(), span).action is Action.OK
    guarded = EvidenceRules(access=("desk",))
    assert check(guarded, span).evidence.span("S1") is None
    assert check(guarded, span, requester={"desk": "north"}).action is Action.OK


@pytest.mark.parametrize("name", ["as_of", "requester"])
def test_what_is_required_must_be_given(name: str) -> None:
    """A question without its day, or without who asks, is refused where the rules ask for it."""
    rules = EvidenceRules.model_validate({f"require_{name}": True})
    with pytest.raises(InputError, match=name):
        check(rules)
    with pytest.raises(InputError, match=name):
        Grounder(policy=QUIET, evidence_rules=rules).check(RIGHT, evidence=build([FERRY]))
    check(rules, as_of="2026-01-01", requester={"region": "EU"})


def test_the_citation_syntax_is_the_configured_one() -> None:
    """With parentheses off `(S1)` is text, so the claim has no citation."""
    answer = "The ferry leaves at 07:45 (S1)."
    cited = [
        len(Grounder(policy=QUIET, citations=syntax).check(answer, evidence=[FERRY]).citations)
        for syntax in (CitationSyntax(), CitationSyntax(parentheses=False))
    ]
    assert cited == [1, 0]


def test_risk_rules_are_the_configured_ones() -> None:
    """A pattern of the user's own makes a claim one of action risk."""
    report = Grounder(policy=QUIET, risks=RiskRules(patterns=(r"\bferry\b",))).check(RIGHT, evidence=[FERRY])
    assert report.claims[0].risk is Risk.ACTION


def test_versions_of_the_application_stand_in_the_report() -> None:
    """What the user names beside what the package names; the package's own entries cannot be overwritten."""
    report = Grounder(policy=QUIET, versions={"app": "7", "package": "x"}).check(RIGHT, evidence=[FERRY])
    assert report.versions["app"] == "7"
    assert report.versions["package"] != "x"


@pytest.mark.parametrize("wrong", [{"minimum": 0}, {"access": ("",)}, {"minimun": 2}])
def test_wrong_evidence_rules_die_at_construction(wrong: dict[str, Any]) -> None:
    """The error names the field."""
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        EvidenceRules(**wrong)


@pytest.mark.parametrize("field", ["answer", "question"])
def test_half_a_character_is_refused(field: str) -> None:
    """A lone surrogate cannot be written anywhere; the error says where it stands."""
    texts = {"answer": RIGHT, "question": "When?"} | {field: "The fee\ud800 is 5."}
    with pytest.raises(InputError, match=rf"{field}: half a character .* at 7"):
        Grounder(policy=QUIET).check(texts["answer"], evidence=[FERRY], question=texts["question"])
