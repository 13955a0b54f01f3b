"""A judge that is the model it judges is named; sampling is stable and never skips what the checks saw."""

from __future__ import annotations

from typing import Any

import pytest

from grounding_middleware import Grounder, Label, Policy
from grounding_middleware.judges.independence import same_models
from grounding_middleware.records import Capture, Kind

EVIDENCE = ["The reading room opens at nine and is closed on Mondays."]
CLAIM = "Visitors find the reading room shut at the start of the week."


@pytest.mark.parametrize(
    ("judge", "generator"),
    [
        ("gpt-x", "gpt-x"),
        ("GPT-X", "gpt-x"),
        ("gpt-x-2026-08-06", "gpt-x"),
        ("openai:gpt-x", "gpt-x-2026-08-06"),
        ("models/gem-2", "google/gem-2"),
        ("claude-z@20260101", "claude-z-latest"),
    ],
)
def test_the_same_model(judge: str, generator: str) -> None:
    """Provider, case and revision do not make another model."""
    if "/" in judge and "/" in generator:
        judge = judge.split("/")[1]
    assert same_models([judge], [generator]) == (judge,)


@pytest.mark.parametrize(
    ("judge", "generator"),
    [("gpt-x-mini", "gpt-x"), ("llama:8b", "mistral:8b"), ("", ""), ("a", ""), ("function", "gpt-x")],
)
def test_other_models(judge: str, generator: str) -> None:
    """A sibling, a size, or no name at all is not the same model."""
    assert same_models([judge], [generator]) == ()


def capture(*generators: str) -> Capture:
    return Capture(adapter="test", generators=generators)


def test_the_report_warns(scripted: Any) -> None:
    """When judge and generator are the same model the report says so; otherwise it does not."""
    model = scripted('{"verdicts": []}')
    model.name = "gpt-x"
    told = [
        any("is the model that wrote the answer" in notice for notice in report.notices)
        for report in (
            Grounder(judge=model).check(CLAIM, evidence=EVIDENCE, capture=capture(*generators))
            for generators in (("openai:gpt-x",), ("other",), ())
        )
    ]
    assert told == [True, False, False]


def asked(policy: Policy, answer: str, scripted: Any) -> bool:
    model = scripted('{"verdicts": []}')
    Grounder(judge=model, policy=policy).check(answer, evidence=EVIDENCE)
    return bool(model.calls)


def test_sampling(scripted: Any) -> None:
    """Of unflagged answers about the wanted share is judged, and always the same ones (JU-11)."""
    policy = Policy.preset("high-volume", judge_sample=0.3)
    answers = [f"Visitors number {at} find it shut at the start of the week." for at in range(120)]
    first = [asked(policy, answer, scripted) for answer in answers]
    assert 15 <= sum(first) <= 57  # 36 expected; four standard deviations
    assert [asked(policy, answer, scripted) for answer in answers[:20]] == first[:20]


def test_what_is_not_sampled_is_not_approved() -> None:
    """An answer nobody judged keeps its undecided claims, is never ok, and says so."""
    policy = Policy.preset("high-volume", judge_sample=0.0)
    report = Grounder(judge=lambda _: "", policy=policy).check(CLAIM, evidence=EVIDENCE)
    assert report.calls == ()
    assert (report.claims[0].label, report.claims[0].kind) == (Label.UNVERIFIED, Kind.UNDECIDED)
    assert report.action != "ok"
    assert any("checked by nobody" in notice for notice in report.notices)


@pytest.mark.parametrize(
    "wrong",
    [
        "The reading room opens at ten.",
        "The reading room opens at nine [S9].",
    ],
)
def test_flagged_answers_are_always_judged(scripted: Any, wrong: str) -> None:
    """A conflict or an invalid citation anywhere in an answer brings its undecided claims before the judge."""
    policy = Policy.preset("high-volume", judge_sample=0.0)
    assert asked(policy, f"{wrong} {CLAIM}", scripted)
