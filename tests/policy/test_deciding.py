"""Treatments and actions (SPEC DE-1 to DE-7): reference outcomes, every order, nothing unsupported reads as fine."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grounding_middleware.policy import Policy, Rule, complete, decide, first_pass, severity_of, weigh
from grounding_middleware.policy.presets import PRESETS
from grounding_middleware.policy.rules import CRITICAL_WITHHOLDS
from grounding_middleware.records import Action, Claim, Kind, Label, Risk, Severity, Treatment, Verdict

Make = Callable[[Sequence[str]], tuple[Verdict, ...]]
OUTCOMES = json.loads((Path(__file__).parent / "outcomes.json").read_text(encoding="utf-8"))
WITHHELD = (Treatment.REMOVE, Treatment.REPAIR, Treatment.BLOCK)


@pytest.mark.parametrize("case", OUTCOMES, ids=[case["name"] for case in OUTCOMES])
def test_outcome(case: dict, verdicts: Make) -> None:
    """Each preset gives the stated action and share."""
    _, decision = decide(verdicts(case["claims"]), Policy.preset(case["policy"]))
    assert (decision.action, decision.share) == (case["action"], case["share"])


@pytest.mark.parametrize("case", [case for case in OUTCOMES if len(case["claims"]) <= 5], ids=lambda case: case["name"])
def test_order_of_claims_never_matters(case: dict, verdicts: Make) -> None:
    """Every order of the same claims gives the same decision, word for word."""
    policy = Policy.preset(case["policy"])
    decisions = {decide(order, policy)[1] for order in itertools.permutations(verdicts(case["claims"]))}
    assert len(decisions) == 1


def test_missing_verdicts_count_as_unsupported(verdicts: Make) -> None:
    """Three claims of which the verifier returned only the first: escalate, share 0.67 (DE-2)."""
    claims = [Claim(id=f"c{n}", text="x", start=2 * n, end=2 * n + 1) for n in range(3)]
    filled = complete(claims, verdicts(["S"]))
    _, decision = decide(filled, Policy())
    assert [verdict.kind for verdict in filled] == [None, Kind.VERIFIER_FAILURE, Kind.VERIFIER_FAILURE]
    assert (decision.action, decision.share, decision.unsupported) == (Action.ESCALATE, 0.67, 2)


@pytest.mark.parametrize(
    ("letter", "severity"),
    [("S", None), ("N", None), ("A", None), ("U", None), ("C", "CRITICAL"), ("I", "MAJOR"), ("X", "MAJOR"),
     ("F", "MAJOR"), ("M", "MINOR"), ("G", "NEGLIGIBLE")],
)  # fmt: skip
def test_severity_table(letter: str, severity: str | None, verdicts: Make) -> None:
    """Label and kind give the severity of the documented table."""
    assert severity_of(verdicts([letter])[0]) == severity


@pytest.mark.parametrize("letter", ["C", "X", "F"])
def test_stated_severity_never_plays_down(letter: str, verdicts: Make) -> None:
    """A judge cannot talk a contradiction, a bad citation or a failed check down to a matter of form."""
    (verdict,) = verdicts([letter])
    assert severity_of(verdict.replace(severity=Severity.NEGLIGIBLE)) in (Severity.MAJOR, Severity.CRITICAL)


def test_minor_counts_as_major_at_high_risk(verdicts: Make) -> None:
    """At risk high a certainty shift is treated as a new fact, and the reason says so (DE-6)."""
    by_severity = Policy.preset("by-severity")
    (standard,), _ = decide(verdicts(["M"]), by_severity)
    (high,), _ = decide(verdicts(["M"]), Policy(risk="high", rules=by_severity.rules))
    assert (standard.treatment, high.treatment) == (Treatment.ANNOTATE, Treatment.REPAIR)
    assert "counts as MAJOR" in high.treatment_reason
    assert high.severity is Severity.MINOR


def test_deciding_again_under_another_policy_leaves_no_trace(verdicts: Make) -> None:
    """Replay: what one policy wrote into the verdicts does not influence the next."""
    fresh = verdicts(list("SCIMGXPUFAN"))
    for first, second in itertools.product(PRESETS, repeat=2):
        replayed = decide(decide(fresh, Policy.preset(first))[0], Policy.preset(second))
        assert replayed == decide(fresh, Policy.preset(second))


def test_one_critical_claim_can_withhold_everything(verdicts: Make) -> None:
    """The option of DE-4 is one rule in front of the others."""
    policy = Policy(rules=(CRITICAL_WITHHOLDS, *Policy().rules))
    _, decision = decide(verdicts(["S"] * 99 + ["C"]), policy)
    assert decision.action is Action.BLOCKED
    assert "critical-withholds" in decision.reason


def test_a_judge_that_abstains_is_not_nobody(verdicts: Make) -> None:
    """UNDECIDED only excuses claims nobody was asked about; said by a configured judge it is a failure to verify."""
    (undecided,) = verdicts(["U"])
    (treated,), decision = decide([undecided.replace(decided_by="some-judge")], Policy())
    assert treated.treatment is Treatment.REMOVE
    assert (decision.unsupported, decision.undecided, decision.action) == (1, 0, Action.ESCALATE)


def test_false_abstention_counts(verdicts: Make) -> None:
    """An abstention the evidence answers is labelled CONTRADICTED and stands in the denominator."""
    false = verdicts(["A"])[0].replace(label=Label.CONTRADICTED, kind=Kind.FALSE_ABSTENTION, id="f")
    _, decision = decide([*verdicts(["S", "S"]), false], Policy())
    assert (decision.claims, decision.share, decision.action) == (3, 0.33, Action.REVISED)


def test_more_removals_by_editing_are_weighed_again(verdicts: Make) -> None:
    """When editing takes the last supported claim too, nothing is left: escalate, not an empty answer."""
    treated, decision = decide(verdicts(["S", "S", "I"]), Policy())
    emptied = [verdict.replace(treatment=Treatment.REMOVE) for verdict in treated]
    assert decision.action is Action.REVISED
    assert weigh(emptied, Policy()).action is Action.ESCALATE


def test_every_treatment_names_its_rule(verdicts: Make) -> None:
    """`treatment_reason` starts with the name of a rule of the policy, in every preset."""
    for preset in PRESETS:
        policy = Policy.preset(preset)
        treated, _ = decide(verdicts(list("SCIMGXPUFAN")), policy)
        names = {rule.name for rule in policy.rules}
        assert {verdict.treatment_reason.split(":")[0] for verdict in treated} <= names


def test_own_rule_by_label_kind_severity_and_claim_risk() -> None:
    """A rule applies only when all four conditions fit (DE-1)."""
    rule = Rule(
        name="mine",
        treatment="annotate",
        labels=["INSUFFICIENT_EVIDENCE"],
        kinds=["added_detail"],
        severities=["MAJOR"],
        risks=["information"],
    )
    policy = Policy(rules=(rule, *Policy().rules))
    fits = {"label": Label.INSUFFICIENT_EVIDENCE, "kind": Kind.ADDED_DETAIL, "risk": Risk.INFORMATION, "severity": None}
    others = [{"label": Label.CONTRADICTED}, {"kind": Kind.MERGED_FACTS}, {"risk": Risk.ACTION}, {"severity": "MINOR"}]
    for change in [{}, *others]:
        verdict = Verdict(id="c", text="x", start=0, end=1, **{**fits, **change})
        assert (policy.rule_for(verdict).name == "mine") is (not change)


@given(
    st.lists(st.sampled_from(["S", "C", "I", "M", "G", "X", "P", "U", "F", "A", "N", "I!", "U!"]), max_size=12),
    st.sampled_from(sorted(PRESETS)),
)
def test_ok_means_nothing_unsupported(verdicts: Make, letters: list[str], preset: str) -> None:
    """`ok` and `draft-review` come only when no claim is unsupported or unchecked; counts always add up."""
    treated, decision = decide(verdicts(letters), Policy.preset(preset))
    bad = [verdict for verdict in treated if verdict.label.is_claim and verdict.label is not Label.SUPPORTED]
    assert decision.unsupported + decision.undecided == len(bad)
    if decision.action in (Action.OK, Action.DRAFT_REVIEW):
        assert all(verdict.severity is Severity.NEGLIGIBLE for verdict in bad)
        assert not any(verdict.treatment in WITHHELD for verdict in treated)
    kept_bad = [verdict for verdict in bad if verdict.treatment is Treatment.KEEP]
    assert all(verdict.severity is Severity.NEGLIGIBLE for verdict in kept_bad)


@pytest.mark.parametrize(
    ("flagged", "sentences", "treatment"),
    [(0, 10, "keep"), (1, 10, "remove"), (3, 10, "remove"), (4, 10, "review"), (1, 3, "review"), (0, 0, "review"),
     (10, 10, "review"), (31, 100, "review"), (30, 100, "remove")],
)  # fmt: skip
def test_first_pass_reviews_instead_of_dropping(flagged: int, sentences: int, treatment: str) -> None:
    """More than 30 % of the sentences flagged goes to review; nothing to look at is never clean (DE-7)."""
    assert first_pass(flagged, sentences, Policy()) == treatment
