"""Every preset on whole answers, end to end: real splitting, citations, checks and editing, and a judge that is right.

`presets_on_answers.json` has the action of each preset for each answer. Where an action shows no text, the preset
withholds the whole answer by design: `blocked`, `escalate`, and in `release-gate` and `draft` everything but what a
person has still to see.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware import Grounder, Policy, Report, Span
from grounding_middleware.judges.models import CallableModel
from grounding_middleware.judges.protocol import Batch, JudgeItem, JudgeTask, Opinion, Replies
from grounding_middleware.marking import Marks, marked
from grounding_middleware.policy.presets import PRESETS
from grounding_middleware.records import Label, Quote

HERE = Path(__file__).parent
LINES = (HERE.parent / "cases" / "answers.jsonl").read_text(encoding="utf-8").splitlines()
CASES = {case["id"]: case for case in map(json.loads, LINES)}
TABLE = json.loads((HERE / "presets_on_answers.json").read_text(encoding="utf-8"))
UNSUPPORTED = (Label.CONTRADICTED, Label.INSUFFICIENT_EVIDENCE, Label.INVALID_CITATION)
KEPT_ON_PURPOSE = {"by-severity": ("certainty_shift", "modality")}
"""What a preset leaves in the text, recorded, because only its certainty differs from the evidence (DE-6)."""


class Oracle:
    """Gives every claim the worst gold label of the sentences it covers; quotes the first span for what it decides."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.name = "oracle"
        self.model = CallableModel(lambda _prompt: "", "oracle")
        self._gold: list[tuple[int, int, dict[str, Any]]] = []
        at = 0
        for sentence in case["sentences"]:
            start = case["answer"].index(sentence["text"], at)
            at = start + len(sentence["text"])
            self._gold.append((start, at, sentence))

    def judge(self, task: JudgeTask) -> Generator[Batch, Replies, tuple[Opinion, ...]]:
        """The gold labels, without asking anybody."""
        yield from ()
        return tuple(self._opinion(item, task) for item in task.items)

    def _opinion(self, item: JudgeItem, task: JudgeTask) -> Opinion:
        covered = [gold for start, end, gold in self._gold if start < item.claim.end and item.claim.start < end]
        wrong = [gold for gold in covered if gold["label"] != "SUPPORTED"] or covered
        span = next(one for one in task.evidence if one.id in item.span_ids or not item.span_ids)
        quote = Quote(span_id=span.id, start=0, end=len(span.text), text=span.text)
        label = (
            Label(wrong[0]["label"])
            if wrong[0]["label"] in ("SUPPORTED", "CONTRADICTED")
            else Label.INSUFFICIENT_EVIDENCE
        )
        decided = label is not Label.INSUFFICIENT_EVIDENCE  # the prompt asks for no quotation where nothing decides
        return Opinion(
            claim_id=item.claim.id, label=label, kind=wrong[0].get("kind"), quotes=(quote,) if decided else ()
        )


@cache
def report(name: str, preset: str) -> Report:
    case = CASES[name]
    spans = [{key: value for key, value in source.items() if key in Span.model_fields} for source in case["sources"]]
    policy = Policy.preset(preset, judge_sample=1.0)  # the sample leaves claims to nobody, which is tested elsewhere
    more = {key: case[key] for key in ("question", "as_of", "requester") if case.get(key)}
    return Grounder(judge=Oracle(case), policy=policy).check(case["answer"], evidence=spans, **more)


PAIRS = [(name, preset) for preset in PRESETS for name in CASES]


@pytest.mark.parametrize(("name", "preset"), PAIRS)
def test_action(name: str, preset: str) -> None:
    """The action of the table; nothing that must not be released is in the text, what must be is, if any text is."""
    found = report(name, preset)
    assert found.action == TABLE[preset][name]
    expected, policy = CASES[name]["expected"], Policy.preset(preset)
    kinds = {sentence["text"]: sentence.get("kind") for sentence in CASES[name]["sentences"]}
    banned = [
        text for text in expected["released_must_not_contain"] if kinds.get(text) not in KEPT_ON_PURPOSE.get(preset, ())
    ]
    assert not [text for text in banned if text in found.text]
    if found.action in policy.shown:
        assert not [text for text in expected["released_must_contain"] if text not in found.text]
    else:
        assert found.text in (policy.texts.escalation, policy.texts.fallback, policy.texts.unanswered)


def test_the_table_is_complete() -> None:
    """A new preset or a new answer needs its row."""
    assert {preset: set(row) for preset, row in TABLE.items()} == {preset: set(CASES) for preset in PRESETS}


@pytest.mark.parametrize("name", CASES)
def test_every_decision_says_why(name: str) -> None:
    """In every preset each claim names the rule that treats it, and the decision its reasons with figures."""
    for preset in PRESETS:
        found = report(name, preset)
        rules = {rule.name for rule in Policy.preset(preset).rules} | {"dependent"}  # went along with another statement
        assert {claim.treatment_reason.split(":")[0] for claim in found.claims} <= rules
        assert found.decision.reason
        assert found.decision.policy == preset


@pytest.mark.parametrize("name", CASES)
def test_drafts_mark_what_is_not_supported(name: str) -> None:
    """In a reviewer's draft every unsupported sentence is marked, and nothing else is."""
    inside = re.findall(r"⟦\d+: ([^⟧]*)⟧", marked(report(name, "draft"), Marks(reasons=False)))
    wrong = [one["text"] for one in CASES[name]["sentences"] if Label(one["label"]) in UNSUPPORTED]
    assert not [text for text in wrong if not any(text in one or one in text for one in inside)]
    assert len(inside) == CASES[name]["expected"]["unsupported"]
