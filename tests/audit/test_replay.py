"""Replay: the stored answer under another policy or verifier changes only what it should (AU-4)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grounding_middleware import Action, Grounder, Label, Policy, Report, Treatment
from grounding_middleware.audit import AuditSink, Entry, JsonlTrail, RecordKind, purge
from grounding_middleware.audit.comparing import Comparison
from grounding_middleware.audit.records import AuditRecord
from grounding_middleware.audit.replay import Skipped, policy_of, replay, verifier_of
from grounding_middleware.audit.rescoring import under_policy
from grounding_middleware.policy.presets import PRESETS

from .conftest import FERRY, QUIET, checked

MIXED = (
    "Dogs travel free of charge [S1]. The ferry leaves at 08:45 [S1]. Pets are welcome guests [S1]. "
    "Bicycles may be taken on board [S9]. The fare is 12 euros [S1]. Is that all? "
    "The documents do not say who the captain is."
)


QUESTION = "Who is the captain, and what about the fare?"


def finds_no_captain(_: str) -> str:
    """A judge that decides the abstention, the last of the six statements, and nothing else."""
    said = {"claim": 6, "evidence": [], "reason": "nothing about a captain", "label": "INSUFFICIENT_EVIDENCE"}
    return json.dumps({"verdicts": [said]})


@pytest.fixture(scope="module")
def mixed() -> Report:
    """A claim of every label."""
    return Grounder(finds_no_captain, policy=QUIET).check(MIXED, evidence=[FERRY], question=QUESTION)


def records(trail: JsonlTrail) -> list[AuditRecord]:
    return [found for _, found in trail.records() if isinstance(found, AuditRecord)]


def replayed(trail: JsonlTrail, rescore: Any) -> list[Comparison | Skipped]:
    return list(replay(records(trail), rescore))


def test_the_example_has_every_label(mixed: Report) -> None:
    """So that the tests below compare something."""
    assert {claim.label for claim in mixed.claims} == set(Label)


def test_the_same_policy_changes_nothing(mixed: Report) -> None:
    """Decided again, the report is the same to the last character."""
    assert under_policy(mixed, QUIET) == mixed


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_another_policy_changes_only_treatments_action_and_text(mixed: Report, name: str) -> None:
    """Labels, kinds, quotes, findings, deciders, offsets and the evidence are what they were."""
    again = under_policy(mixed, Policy.preset(name))
    decided = {"treatment", "treatment_reason", "severity"}
    assert [claim.model_dump(exclude=decided) for claim in again.claims] == [
        claim.model_dump(exclude=decided) for claim in mixed.claims
    ]
    open_ = {"claims", "decision", "text", "edits", "versions", "repairs", "drafts"}
    assert again.model_dump(exclude=open_) == mixed.model_dump(exclude=open_)


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_replay_gives_what_a_check_under_that_policy_gives(mixed: Report, name: str) -> None:
    """The same text and action as if the answer had been checked under it in the first place."""
    policy = Policy.preset(name, needs_judge=False)
    fresh = Grounder(finds_no_captain, policy=policy).check(MIXED, evidence=[FERRY], question=QUESTION)
    assert under_policy(mixed, policy) == fresh


def test_a_comparison_tells_what_changes_and_why(trail: JsonlTrail, report: Report) -> None:
    """Action, text, the claim, its treatment before and after, and the rule behind it."""
    AuditSink(trail)(report)
    (found,) = replayed(trail, policy_of(Policy.preset("high")))
    assert isinstance(found, Comparison)
    assert (found.before, found.after, found.text_changed) == (Action.REVISED, Action.BLOCKED, True)
    (change,) = found.claims
    assert (change.before and change.before.treatment, change.after and change.after.treatment) == (
        Treatment.REMOVE,
        Treatment.BLOCK,
    )
    assert not change.relabelled
    assert "withholds the whole answer" in change.why


def test_the_same_rules_find_the_same(trail: JsonlTrail, report: Report) -> None:
    """A replay by the verifier that decided changes nothing."""
    AuditSink(trail)(report)
    (found,) = replayed(trail, verifier_of(Grounder(policy=QUIET)))
    assert isinstance(found, Comparison)
    assert not found.changed


def test_another_verifier_is_compared_claim_by_claim(trail: JsonlTrail) -> None:
    """What was undecided then is judged now, and the reason is the judge's."""

    def judge(_: str) -> str:
        quote = {"source": "S1", "quote": "Dogs travel free of charge."}
        said = {"claim": 1, "evidence": [quote], "reason": "dogs are pets", "label": "SUPPORTED"}
        return json.dumps({"verdicts": [said]})

    AuditSink(trail)(checked("Pets cost nothing [S1]."))
    (found,) = replayed(trail, verifier_of(Grounder(judge)))
    assert isinstance(found, Comparison)
    (change,) = found.claims
    assert (change.before and change.before.label, change.after and change.after.label) == (
        Label.UNVERIFIED,
        Label.SUPPORTED,
    )
    assert (change.why, found.after) == ("dogs are pets", Action.OK)


def test_replay_calls_no_sink(trail: JsonlTrail, report: Report) -> None:
    """Looking at old answers records nothing and queues nothing."""
    AuditSink(trail)(report)
    calls: list[Report] = []
    replayed(trail, verifier_of(Grounder(policy=QUIET, sinks=[calls.append])))
    assert not calls
    assert len(records(trail)) == 1


def test_hidden_text_is_not_judged_again(trail: JsonlTrail) -> None:
    """Two different hidden addresses of one length would look alike: such a claim keeps its verdict, and it is said."""
    report = checked("Write to bob@corp.example for help [S1].", "Write to eve@corp.example for help.")
    AuditSink(trail, redact=["email"])(report)
    (found,) = replayed(trail, verifier_of(Grounder(policy=QUIET)))
    assert isinstance(found, Comparison)
    assert report.claims[0].label is Label.CONTRADICTED
    assert not found.claims
    assert found.notes == ("1 claim(s) hold hidden text and keep their verdict",)


def test_what_cannot_be_replayed_is_told(trail: JsonlTrail, report: Report) -> None:
    """Purged answers and hash-only records are named with the reason; other kinds of records are no answers."""
    AuditSink(trail)(report)
    purge(trail, subject=report.answer_id)
    AuditSink(trail, keep="hashes")(report)
    trail.append(Entry(kind=RecordKind.ADJUDICATION, subject=report.answer_id))
    found = replayed(trail, policy_of(QUIET))
    assert [(one.seq, one.reason) for one in found if isinstance(one, Skipped)] == [
        (1, "record 1: its content was purged"),
        (3, "record 3 holds hashes only"),
    ]
    assert len(found) == 2


def test_a_report_of_another_version_is_told(trail: JsonlTrail, report: Report) -> None:
    """A field this version does not know: skipped with the reason, the others are replayed."""
    strange = {"report": {**report.model_dump(mode="json"), "from_the_future": 1}}
    trail.append(Entry.salted(RecordKind.ANSWER, "strange", {}, strange))
    AuditSink(trail)(report)
    skipped, compared = replayed(trail, policy_of(QUIET))
    assert isinstance(skipped, Skipped)
    assert "record 1 holds a report of another version: from_the_future" in skipped.reason
    assert isinstance(compared, Comparison)


def test_a_claim_that_is_cut_differently_is_told() -> None:
    """A verifier that cuts the answer into other claims shows as such, not as a changed verdict."""
    whole = checked("Dogs travel free of charge [S1]. Bicycles may be taken on board [S1].")
    half = whole.model_copy(update={"claims": whole.claims[:1]})
    from grounding_middleware.audit.comparing import compare  # noqa: PLC0415  # only here

    (gone,) = compare(whole, half).claims
    assert (gone.after, gone.why) == (None, "the answer is cut into other claims")
    (new,) = compare(half, whole).claims
    assert new.before is None
