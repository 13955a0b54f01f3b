"""What is no claim, or says that the sources are silent, is passed only when no source may say otherwise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grounding_middleware import Grounder, Kind, Label, Policy, Report

QUIET = Policy(needs_judge=False)
ROWS = [json.loads(line) for line in (Path(__file__).parent / "unconfirmed.jsonl").read_text("utf-8").splitlines()]
SOURCE = "Cats stay in the quiet wing. Each cat has an outdoor run."
ANSWER = "Whether cats can go outdoors is not stated."


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['lang']}-{row['answer'][:50]}")
def test_row(row: dict[str, str]) -> None:
    """Abstentions that may be answered and offers that smuggle a fact are undecided, provably honest ones are not."""
    report = Grounder(policy=QUIET).check(row["answer"], evidence=[row["source"]], question=row["question"])
    assert [verdict.label.value for verdict in report.claims] == [row["label"]]


def test_names_the_sentence() -> None:
    """An unconfirmed abstention shows the sentence that may answer it, in the reason and as a quotation."""
    verdict = Grounder(policy=QUIET).check(ANSWER, evidence=[SOURCE], question="Do cats get outside?").claims[0]
    assert verdict.quotes
    assert verdict.quotes[0].text.strip() in verdict.reason


def judged(label: str, quote: str) -> Report:
    """The report with a judge that says this of the abstention."""
    evidence = [{"source": "S1", "quote": quote}] if quote else []
    reply = json.dumps({"verdicts": [{"claim": 1, "label": label, "evidence": evidence}]})
    grounder = Grounder(judge=lambda _prompt: reply, policy=QUIET)
    return grounder.check(ANSWER, evidence=[{"id": "S1", "text": SOURCE}], question="Do cats get outside?")


def test_judge_contradicts() -> None:
    """A judge that quotes the answer makes an unconfirmed abstention a false one."""
    verdict = judged("CONTRADICTED", "Each cat has an outdoor run.").claims[0]
    assert (verdict.label, verdict.kind) == (Label.CONTRADICTED, Kind.FALSE_ABSTENTION)


def test_judge_agrees() -> None:
    """A judge that finds no answer either confirms the abstention."""
    assert judged("INSUFFICIENT_EVIDENCE", "").claims[0].label is Label.ABSTENTION


def test_judge_fails() -> None:
    """A judge that gives no readable opinion leaves the abstention unverified."""
    assert judged("MAYBE", "").claims[0].label is Label.UNVERIFIED
