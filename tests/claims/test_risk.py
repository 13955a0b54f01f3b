"""Action risk (CL-9): visible rules, four languages, several domains, both directions, extendable by the user."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware import Grounder, Policy
from grounding_middleware.claims.risk import RULES, RiskRules, classify_risk, explain
from grounding_middleware.errors import ConfigError
from grounding_middleware.records import Claim, Risk

DATA = Path(__file__).parent / "data"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


def named(row: dict[str, Any]) -> str:
    return f"{row['lang']}: {row['text'][:50]}"


DOMAINS = rows("risk_domains.jsonl")


@pytest.mark.parametrize("row", [*rows("risk.jsonl"), *DOMAINS], ids=named)
def test_risk_names_the_rules_that_fired(row: dict[str, Any]) -> None:
    """CL-9: each rule and its reason are visible, whether the classification is right or a known miss."""
    assert list(RiskRules().reasons(row["text"], row["lang"], row.get("form", "sentence"))) == row["reasons"]


def test_action_claims_are_found_and_others_left_alone() -> None:
    """Sentences written before the rules were read again: at least 80 % found, none of the harmless ones flagged."""
    found = Counter((row["set"], row["risk"], bool(row["reasons"])) for row in DOMAINS)
    assert found["unseen", "action", True] / (found["unseen", "action", True] + found["unseen", "action", False]) > 0.8
    assert found["tuned", "action", False] <= 3
    assert found["tuned", "information", True] == found["unseen", "information", True] == 0


def test_every_language_has_every_rule() -> None:
    """The four languages covered most fully have cues for all rules but that on code."""
    for language in ("en", "de", "fr", "es"):
        assert not [line for line in explain(RiskRules(), language) if "no cues" in line]


@pytest.mark.parametrize("rule", sorted(set(RULES) - {"command"}))
def test_each_rule_can_be_switched_off(rule: str) -> None:
    """CL-9: a rule that is off gives no reason, and the explanation says that it is off."""
    rules = RiskRules(**{rule: False})
    assert not [row for row in DOMAINS if rule in rules.reasons(row["text"], row["lang"], "sentence")]
    assert f"action risk by {rule}: off" in explain(rules)


def test_own_words_and_patterns() -> None:
    """Whole words in any case and language, prefixes with a star, patterns; each names itself as the reason."""
    rules = RiskRules(words=("Escrow", "dose*", "hot standby", "保証金"), patterns=(r"\bZone [A-F]\b",))
    said = {
        "The ESCROW is open.": ("Escrow",),
        "Escrows differ.": (),
        "Dosages differ by age.": (),
        "Doses differ by age.": ("dose*",),
        "There is a hot\n standby.": ("hot standby",),
        "保証金があります。": ("保証金",),
        "zone B is north": (r"\bZone [A-F]\b",),
    }
    off = rules.replace(**dict.fromkeys(RULES, False))
    assert {text: off.reasons(text, "en", "sentence") for text in said} == said


@pytest.mark.parametrize(
    ("wrong", "parts"),
    [
        ({"patterns": ["("]}, ["patterns", "'('", "no regular expression"]),
        ({"patterns": ["a*"]}, ["patterns", "'a*'", "every claim"]),
        ({"patterns": [""]}, ["patterns", "''", "every claim"]),
        ({"words": [""]}, ["words", "''"]),
        ({"words": ["*"]}, ["words", "'*'"]),
        ({"words": ["re*fund"]}, ["words", "'re*fund'"]),
        ({"words": "escrow"}, ["RiskRules.words", "'escrow'", "tuple"]),
        ({"monney": True}, ["RiskRules.monney", "not permitted"]),
        ({"money": "perhaps"}, ["RiskRules.money", "'perhaps'"]),
    ],
)
def test_wrong_settings_die_at_construction(wrong: dict[str, Any], parts: list[str]) -> None:
    """`ConfigError` names field, value and what is allowed."""
    with pytest.raises(ConfigError) as caught:
        RiskRules.model_validate(wrong)
    assert not [part for part in parts if part not in str(caught.value)], str(caught.value)


def test_what_is_no_claim_has_no_risk_of_its_own() -> None:
    """CL-9: a question about a refund makes nobody act."""
    question = Claim(id="a", text="Do you want a refund?", start=0, end=21, language="en", statement="question")
    assert classify_risk([question], RiskRules())[0].risk is Risk.INFORMATION


def test_the_report_says_which_rule_it_was() -> None:
    """Risk and reason stand in the verdict, for checks, judges, policy and reviewers alike."""
    grounder = Grounder(policy=Policy(needs_judge=False), risks=RiskRules(words=("ferry",)))
    report = grounder.check(
        "The ferry costs EUR 5. The pier is old.", evidence=["The ferry costs EUR 5. The pier is old."]
    )
    assert [(claim.risk, claim.risk_reason) for claim in report.claims] == [
        (Risk.ACTION, "money, ferry"),
        (Risk.INFORMATION, ""),
    ]


def test_the_explanation_shows_what_is_matched() -> None:
    """Every rule with its cues, then own words and patterns, in the order in which reasons are given."""
    lines = explain(RiskRules(words=("escrow",), patterns=("x+y",)), "fr")
    assert len(lines) == len(RULES) + 2
    assert lines[0].startswith("action risk by money: ")
    assert "rembours" in lines[0]
    assert lines[-2:] == ("action risk by own word: escrow", "action risk by own pattern: x+y")
    assert "no cues in 'sw'" in explain(RiskRules(), "sw")[0]
