"""One answer beside its gold labels: matched by offsets, worst part first, and a crash is data."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grounding_middleware import Grounder, Policy
from grounding_middleware.citations import CitationSyntax
from grounding_middleware.claims.risk import RiskRules
from grounding_middleware.evaluation import Example
from grounding_middleware.evaluation.facts import states
from grounding_middleware.evaluation.golden import CriticalFact
from grounding_middleware.evaluation.matching import about, unclaimed, worst
from grounding_middleware.evaluation.runs import Fate, Stage
from grounding_middleware.evaluation.scoring import ascore, checked, score
from grounding_middleware.records import Action, Kind, Label, Report, Risk, Verdict
from grounding_middleware.repair import Repair

SOURCES = ("Refunds are paid within 5 days.", "The fee is 5 EUR.")
NO_JUDGE = Policy(needs_judge=False)


def example(answer: str, *claims: tuple[str, str], **fields: Any) -> Example:
    given = [{"text": text, "label": label} for text, label in claims]
    return Example(**{"id": "e", "sources": SOURCES, "answer": answer, "claims": given, **fields})


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    return Grounder(policy=NO_JUDGE)


def test_a_wrong_claim_is_flagged_and_removed(grounder: Grounder) -> None:
    """Gold, verdict, evidence and fate stand side by side."""
    answer = "Refunds are paid within 9 days [S1]. The fee is 5 EUR [S2]. The fee is 5 EUR [S9]."
    found = score(
        example(
            answer,
            ("Refunds are paid within 9 days", "CONTRADICTED"),
            facts=["The fee is 5 EUR", "within 5 days"],
            forbidden=["9 days"],
            actions=["escalate"],
        ),
        Grounder(policy=NO_JUDGE.replace(escalate_above=0.9)),
    )
    wrong, right, badly_cited = found.claims
    assert (wrong.gold, wrong.label, wrong.stage) == (Label.CONTRADICTED, Label.CONTRADICTED, Stage.CHECKS)
    assert wrong.kind in (Kind.NUMBER, Kind.DEADLINE)
    assert (wrong.cited, wrong.fate, wrong.right) == (("S1",), Fate.REMOVED, True)
    assert wrong.rules
    assert (right.gold, right.label, right.fate, right.quotes[0].text) == (
        None, Label.SUPPORTED, Fate.KEPT, SOURCES[1],
    )  # fmt: skip
    assert (badly_cited.label, badly_cited.invalid_markers) == (Label.INVALID_CITATION, 1)
    assert [(fact.in_answer, fact.in_text) for fact in found.facts] == [(True, True), (False, False)]
    assert (found.shown, found.leaked, found.forbidden, found.action in found.actions) == (True, (), 1, False)
    assert (found.before, found.after) == (
        {"CONTRADICTED": 1, "SUPPORTED": 1, "INVALID_CITATION": 1}, {"SUPPORTED": 1},
    )  # fmt: skip
    assert found.markers == {"resolved": 2, "unknown_id": 1}


def test_a_withheld_answer_tells_nothing() -> None:
    """No statement of it reaches the reader, whatever its label."""
    found = score(
        example("Refunds are paid within 9 days.", ("Refunds are paid within 9 days", "CONTRADICTED"), facts=["fee"]),
        Grounder(policy=NO_JUDGE),
    )
    assert (found.action, found.shown, found.silent, found.after) == (Action.ESCALATE, False, True, {})
    assert [claim.fate for claim in found.claims] == [Fate.WITHHELD]


def test_a_repaired_claim_is_told_apart() -> None:
    """Its new words were verified; it neither stands as it was nor is it lost."""
    found = score(
        example("Refunds are paid within 9 days [S1].", ("Refunds are paid within 9 days", "CONTRADICTED")),
        Grounder(policy=NO_JUDGE.replace(escalate_above=1.0), repair=Repair()),
    )
    assert ([claim.fate for claim in found.claims], found.after) == ([Fate.REPAIRED], {"SUPPORTED": 1})
    assert (found.repairs_tried, found.repairs_made) == (1, 1)


def test_an_undecided_claim_reaches_the_reader_marked(grounder: Grounder) -> None:
    """UNVERIFIED is its own label: not caught, not supported, still in the text."""
    text = "Customers like the quick service"
    found = score(example(f"{text} [S1].", (text, "INSUFFICIENT_EVIDENCE")), grounder)
    assert [(claim.label, claim.fate, claim.stage) for claim in found.claims] == [
        (Label.UNVERIFIED, Fate.KEPT, Stage.NOBODY)
    ]
    assert found.action is Action.REVIEW


def test_who_answers_nothing_is_seen(grounder: Grounder) -> None:
    """Abstention is told from an answer, before and after."""
    found = score(example("The documents do not say.", facts=["within 5 days"], answerable=True), grounder)
    assert (found.abstained, found.silent, found.facts[0].in_text) == (True, True, False)


def test_a_crash_is_data(grounder: Grounder) -> None:
    """The error is told, the gold claims are kept, and no label is made up."""
    found = score(example("Yes.", ("Yes", "SUPPORTED"), sources=({"id": "S1"},)), grounder)
    assert found.error.startswith("InputError: ")
    assert [claim.label for claim in found.claims] == [None]
    assert (found.action, found.before, found.elapsed_ms) == (None, {}, None)
    assert checked(example("Yes.", sources=({"id": "S1"},)), grounder)[1] is None


async def test_async_is_the_same(grounder: Grounder) -> None:
    """With an async judge, too."""

    async def judge(prompt: str) -> str:
        assert "quick service" in prompt
        return "?"

    one = example("Customers like the quick service [S1].", ("Customers like the quick service", "SUPPORTED"))
    judged = Grounder(judge=judge)
    untimed = [
        each.model_copy(update={"elapsed_ms": None, "tiers": tuple(tier.tier for tier in each.tiers)})
        for each in (score(one, judged), await ascore(one, judged))
    ]
    assert untimed[0] == untimed[1]
    assert (await ascore(one, grounder)).claims == score(one, grounder).claims
    assert score(one, judged).tiers[0].calls >= 1


def test_a_scripted_judge_answers_for_the_configured_one() -> None:
    """An example that was labelled for one judge reply is checked with that reply."""
    asked: list[str] = []
    reply = json.dumps({"verdicts": []})
    one = example("Customers like the quick service [S1].", judge_reply=reply)
    found = score(one, Grounder(judge=lambda prompt: asked.append(prompt) or ""))
    assert not asked
    assert found.claims[0].label is not Label.SUPPORTED


def test_a_scripted_judge_reads_citations_as_configured() -> None:
    """Only the judge is another one: markers mean what the measured grounder takes them for."""
    one = example("The fee is 5 EUR (S1).", ("The fee is 5 EUR", "INVALID_CITATION"), judge_reply="{}")
    found = [
        score(one, Grounder(policy=NO_JUDGE, citations=CitationSyntax(parentheses=wanted))).markers
        for wanted in (True, False)
    ]
    assert found == [{"resolved": 1}, {}]


def test_a_scripted_judge_changes_nothing_but_the_judge() -> None:
    """Repairs, risk rules, versions and the repair's own model are those of the measured grounder."""
    answer = "Refunds are paid within 9 days [S1]. The fee is 5 EUR [S2]. Customers like the quick service [S1]."
    policy, risks = NO_JUDGE.replace(escalate_above=0.9), RiskRules(words=("service",))
    measured = Grounder(policy=policy, repair=Repair(), risks=risks, versions={"build": "7"})
    one = example(answer, judge_reply="{}")
    report = checked(one, measured)[1]
    assert report is not None
    assert report.repairs
    assert report.claims[2].risk is Risk.ACTION
    assert {call.tier for call in report.calls} == {"llm"}
    assert report.versions["build"] == "7"
    assert measured.cascade is None, "the grounder itself is as it was"


def test_measuring_leaves_no_trace() -> None:
    """Sinks, audit trail and review queue see nothing, and the example is not changed."""
    seen: list[Report] = []
    one = example("The fee is 5 EUR [S2].", ("The fee is 5 EUR", "SUPPORTED"))
    before = one.model_dump_json()
    score(one, Grounder(policy=NO_JUDGE, sinks=(seen.append,)))
    assert not seen
    assert one.model_dump_json() == before


def verdict(start: int, end: int, label: Label) -> Verdict:
    return Verdict(id=f"{start}", text="x" * (end - start), start=start, end=end, label=label)


def test_the_worst_part_speaks_for_a_sentence() -> None:
    """A sentence split into three is contradicted when a part is, undecided when a part is, else supported."""
    parts = [verdict(0, 10, Label.SUPPORTED), verdict(11, 20, Label.UNVERIFIED), verdict(21, 30, Label.CONTRADICTED)]
    assert worst(about((0, 30), parts)) is parts[2]
    assert worst(about((0, 20), parts)) is parts[1]
    assert worst(about((0, 9), parts)) is parts[0]
    assert worst(about((2, 6), parts)) is parts[0]
    assert worst(()) is None


def test_a_bracket_in_common_is_no_match() -> None:
    """Neighbours that share a full stop, or touch, are not about each other; a claim of two letters still is."""
    parts = [verdict(0, 10, Label.SUPPORTED), verdict(9, 20, Label.CONTRADICTED)]
    assert about((0, 10), parts) == (parts[0],)
    assert about((10, 12), parts) == (parts[1],)
    assert about((20, 30), parts) == ()
    assert unclaimed(parts, [(0, 10)]) == (parts[1],)


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("Approval takes two days.", True),
        ("Approval\ntakes **two** days", True),
        ("Approval takes 2 days.", True),  # a listed wording
        ("Approval does not take two days.", False),
        ("Approval takes twenty-two days.", False),
        ("Approval takes 12 days.", False),
        ("", False),
    ],
)
def test_a_critical_fact(text: str, there: bool) -> None:  # noqa: FBT001  # a table
    """By one of its wordings, whole words, and never under a negation."""
    assert states(text, CriticalFact(id="f", text="takes two days", also=("takes 2 days",))) is there
