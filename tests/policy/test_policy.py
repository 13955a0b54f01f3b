"""The policy as data: presets, wrong values, versions, and which text is released."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from grounding_middleware.errors import ConfigError
from grounding_middleware.policy import Policy, Rule, Texts, explain, released, withheld
from grounding_middleware.policy.presets import PRESETS
from grounding_middleware.records import Action, Decision, Treatment

KEEPS = {"name": "x", "treatment": "keep"}
REMOVES = {"name": "x", "treatment": "remove"}


@pytest.mark.parametrize(
    ("wrong", "parts"),
    [
        ({"escalate_above": 2}, ["Policy.escalate_above", "2", "less than or equal to 1"]),
        ({"escalate_above": float("nan")}, ["Policy.escalate_above", "nan", "finite"]),
        ({"escalate_above": -0.1}, ["Policy.escalate_above", "-0.1", "greater than or equal to 0"]),
        ({"flag_review_above": "many"}, ["Policy.flag_review_above", "'many'", "number"]),
        ({"judge_sample": 1.5}, ["Policy.judge_sample", "1.5"]),
        ({"risk": "medium"}, ["Policy.risk", "'medium'", "'low', 'standard' or 'high'"]),
        ({"colour": "red"}, ["Policy.colour", "'red'", "not permitted"]),
        ({"name": ""}, ["Policy.name", "''", "at least 1 character"]),
        ({"rules": []}, ["rules", "no rule", "matches every claim"]),
        ({"rules": [{**REMOVES, "labels": ["CONTRADICTED"]}]}, ["rules", "'x'", "matches every claim"]),
        ({"rules": [REMOVES, REMOVES]}, ["rules", "'x'", "twice"]),
        ({"rules": [KEEPS]}, ["Policy.rules.0", "'x'", "SUPPORTED, NOT_A_CLAIM, ABSTENTION", "annotate"]),
        ({"rules": [{**KEEPS, "labels": ["SUPPORTED", "UNVERIFIED"]}, REMOVES]}, ["Policy.rules.0", "keeps silently"]),
        ({"rules": [{**REMOVES, "treatment": "drop"}]}, ["Policy.rules.0.treatment", "'drop'", "'remove'"]),
        ({"rules": [{**REMOVES, "labels": ["WRONG"]}]}, ["Policy.rules.0.labels.0", "'WRONG'", "'CONTRADICTED'"]),
        ({"shown": ["escalate"]}, ["Policy.shown.0", "'escalate'", "'ok', 'revised', 'review' or 'draft-review'"]),
        ({"when_no_claims": "revised"}, ["Policy.when_no_claims", "'revised'", "'unanswered'"]),
        ({"texts": {"escalation": "  "}}, ["Policy.texts.escalation", "visible"]),
        ({"texts": {"notice": "Something was left out."}}, ["Policy.texts.notice", "{count}"]),
        ({"texts": {"notice": "{count} {more}"}}, ["Policy.texts.notice", "{count}"]),
    ],
)
def test_wrong_values_die_at_construction(wrong: dict, parts: list[str]) -> None:
    """`ConfigError` names field, value and what is allowed, from the constructor, from data and from JSON."""
    for build in (lambda: Policy(**wrong), lambda: Policy.model_validate(wrong), lambda: Policy().replace(**wrong)):
        with pytest.raises(ConfigError) as caught:
            build()
        assert not [part for part in parts if part not in str(caught.value)], str(caught.value)


def test_json_that_is_none_dies_too() -> None:
    """Unreadable JSON is a `ConfigError`, not a traceback of the parser."""
    with pytest.raises(ConfigError, match="Policy"):
        Policy.model_validate_json("{")


def test_unknown_preset_names_the_known_ones() -> None:
    """The message lists every preset."""
    with pytest.raises(ConfigError, match=r"'strict' is wrong, allowed are low, standard, high, high-volume"):
        Policy.preset("strict")


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_presets_are_data(name: str) -> None:
    """A preset survives JSON, carries its name, and its version changes with any setting."""
    policy = Policy.preset(name)
    assert policy.name == name
    assert Policy.model_validate(json.loads(policy.model_dump_json())) == policy
    assert Policy.model_validate_json(policy.model_dump_json()).version == policy.version
    assert policy.replace(escalate_above=0.123).version != policy.version


def test_risk_alone_selects_the_preset() -> None:
    """`Policy(risk="high")` has the rules of high, not those of standard; given fields win."""
    assert Policy(risk="high") == Policy.preset("high")
    assert Policy(risk="low", escalate_above=0.1).escalate_above == 0.1
    assert Policy() == Policy.preset("standard")


@pytest.mark.parametrize(
    ("name", "part"),
    [("low", ""), ("standard", "stay in the text unchecked"), ("high", "are withheld"),
     ("high-volume", "stay in the text unchecked"), ("release-gate", "are withheld")],
)  # fmt: skip
def test_needs_judge_is_said(name: str, part: str) -> None:
    """A preset that expects a judge says what happens without one."""
    policy = Policy.preset(name)
    assert bool(policy.judge_message) is policy.needs_judge is bool(part)
    assert part in policy.judge_message


def test_sampling_is_stable_and_close_to_its_rate() -> None:
    """The same answers are sampled every time, about as many as asked for; 0 is none and 1 is all (JU-11)."""
    names = [f"answer-{number}" for number in range(5000)]
    policy = Policy.preset("high-volume")
    chosen = [name for name in names if policy.samples(name)]
    assert chosen == [name for name in names if policy.samples(name)]
    assert 420 < len(chosen) < 580
    assert not any(Policy(judge_sample=0).samples(name) for name in names)
    assert all(Policy(judge_sample=1).samples(name) for name in names)


@pytest.mark.parametrize(
    ("action", "text"),
    [("ok", "edited"), ("revised", "edited"), ("review", "edited"), ("escalate", "E"), ("blocked", "F"),
     ("unanswered", "U"), ("draft-review", "F")],
)  # fmt: skip
def test_released_text(action: str, text: str) -> None:
    """Withheld answers are replaced by the configured text; nothing of the answer leaks."""
    policy = Policy(texts=Texts(unanswered="U", escalation="E", fallback="F"))
    assert released(Decision(action=Action(action), reason=""), "edited", policy) == text


def test_gate_shows_only_drafts() -> None:
    """Under the release gate a text with unsupported claims is not shown."""
    policy = Policy.preset("release-gate")
    assert released(Decision(action=Action.DRAFT_REVIEW, reason=""), "edited", policy) == "edited"
    assert released(Decision(action=Action.REVIEW, reason=""), "edited", policy) == policy.texts.fallback


def test_empty_edited_text_is_never_released() -> None:
    """An answer of nothing is replaced by the fallback."""
    assert released(Decision(action=Action.REVISED, reason=""), " \n", Policy()) == Policy().texts.fallback


@pytest.mark.parametrize(
    ("text", "count", "expected"),
    [("A.", 2, "A.\n\n2 withheld."), ("A.\n", 1, "A.\n\n1 withheld.\n"), ("A.", 0, "A."),
     ("- a\n", 3, "- a\n\n3 withheld.\n")],
)  # fmt: skip
def test_notice(text: str, count: int, expected: str) -> None:
    """A configured notice counts what is missing, below the text, only when something is (RE-6)."""
    policy = Policy(texts=Texts(notice="{count} withheld."))
    assert released(Decision(action=Action.REVISED, reason=""), text, policy, count) == expected


def test_notice_counts_claims(verdicts: Callable) -> None:
    """Supported claims that had to go along count, headings and abstentions do not."""
    gone = [verdict.replace(treatment=Treatment.REMOVE) for verdict in verdicts(["S", "C", "N", "A"])]
    assert withheld([*gone, *verdicts(["S"])]) == 2


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_explanation_names_every_rule(name: str) -> None:
    """Each rule stands in the explanation with its treatment, in the order it is tried; limits are named."""
    policy = Policy.preset(name)
    lines = explain(policy)
    assert name in lines[0]
    for line, rule in zip(lines[1:], policy.rules, strict=False):
        assert f". {rule.name}: " in line
        assert f"-> {rule.treatment}" in line
    assert f"{policy.escalate_above:g}" in lines[len(policy.rules) + 1]


def test_rules_are_frozen() -> None:
    """A rule cannot be changed after construction."""
    rule = Rule(**REMOVES)
    with pytest.raises(ValueError, match="frozen"):
        rule.name = "y"
