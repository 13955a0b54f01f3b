"""What people ruled becomes cases that can be checked again: nothing is lost on the way, and nothing is made up."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware import Grounder, InputError, Span
from grounding_middleware.records import Label, Report
from grounding_middleware.review import (
    AnswerRuling,
    ClaimRuling,
    GoldenCase,
    ReviewQueue,
    export,
    golden_cases,
    load_golden,
)

Reports = Callable[..., Report]
FIXTURE = Path(__file__).parents[1] / "cases" / "claims.jsonl"
SPANS = [
    Span(id="S1", text="Refunds are paid within 5 to 7 business days.", version="2", effective_from=date(2026, 1, 1)),
    Span(id="S2", text="Refunds are paid within 30 days.", effective_to=date(2025, 12, 31), metadata={"page": 3}),
    Span(id="S3", text="The fee is 5 EUR.\u2028\x1b[2J", delivered_ranges=((0, 17),), audience={"region": ["EU"]}),
]
ANSWER = "Refunds are paid within 10 days [S1]. The fee is 5 EUR [S3]. Refunds are paid within 30 days [S2]."


@pytest.fixture
def decided(local_queue: ReviewQueue) -> ReviewQueue:
    """A real report, ruled on claim by claim."""
    report = Grounder(judge=lambda _: "").check(
        ANSWER, evidence=SPANS, question="When?", as_of="2026-05-04", requester={"region": "EU"}
    )
    item_id = local_queue.submit(report)
    local_queue.take(item_id, "ana")
    first, second, third = (claim.id for claim in report.claims)
    rulings = [
        ClaimRuling(claim_id=first, ruling="agree"),
        ClaimRuling(claim_id=second, ruling="edit", text="The fee is EUR 5."),
        ClaimRuling(
            claim_id=third, ruling="overrule", label="INSUFFICIENT_EVIDENCE", kind="outside_knowledge", note="old"
        ),
    ]
    local_queue.decide(item_id, "ana", AnswerRuling(ruling="overrule", action="blocked"), rulings)
    return local_queue


def test_the_round_trip(decided: ReviewQueue, tmp_path: Path) -> None:
    """Export, load, check again: the same evidence gives the same verdicts, and the gold labels say who is right."""
    path = tmp_path / "golden.jsonl"
    path.write_text("\n".join(export(golden_cases(decided.decided()))), "utf-8")
    cases = load_golden(path)
    (before,) = (case.report for case in decided.decided())
    first, second, _ = before.claims
    assert [(case.claim, case.label, case.kind) for case in cases] == [
        ("Refunds are paid within 10 days", first.label, first.kind),
        ("The fee is 5 EUR", second.label, second.kind),
        ("Refunds are paid within 30 days", "INSUFFICIENT_EVIDENCE", "outside_knowledge"),
    ]
    for case in cases:
        again = case.check(Grounder(judge=lambda _: ""))
        assert again.evidence == before.evidence
        assert [(each.label, each.kind) for each in again.claims] == [(each.label, each.kind) for each in before.claims]
        verdict = case.verdict(again)
        assert verdict is not None
        assert (verdict.text, verdict.label) == (case.claim, case.was)
    assert [case.accepts(case.was or Label.UNVERIFIED) for case in cases] == [True, True, False]


def test_only_what_the_machine_got_wrong(decided: ReviewQueue) -> None:
    """Adjudicated failures join the regression set (ES-4)."""
    (case,) = golden_cases(decided.decided(), only_overruled=True)
    assert (case.label, case.kind, case.was, case.why) == (
        Label.INSUFFICIENT_EVIDENCE,
        "outside_knowledge",
        Label.INVALID_CITATION,
        "old",
    )


def test_who_ruled_and_how_it_should_read(decided: ReviewQueue) -> None:
    """Reviewer, moment, note and wording go along."""
    cases = list(golden_cases(decided.decided()))
    assert [case.correction for case in cases] == ["", "The fee is EUR 5.", ""]
    assert {case.reviewer for case in cases} == {"ana"}
    assert all(case.at for case in cases)


def test_a_line_is_a_line_and_harmless(decided: ReviewQueue) -> None:
    """Whatever the sources hold: no line break of any kind, no control character."""
    for line in export(golden_cases(decided.decided())):
        assert len(line.splitlines()) == 1
        assert line.isprintable()
        assert json.loads(line)["sources"][2]["text"] == SPANS[2].text


def test_the_fields_are_those_of_our_own_cases(decided: ReviewQueue) -> None:
    """One reader reads both: the cases of this project load as a golden set."""
    cases = load_golden(FIXTURE)
    assert len(cases) > 10
    assert all(case.answer[case.start : case.end] == case.claim for case in cases)
    common = set.intersection(*(set(json.loads(line)) for line in FIXTURE.read_text("utf-8").splitlines()))
    for line in export(golden_cases(decided.decided())):
        assert common <= set(json.loads(line))


CASE: dict[str, Any] = {"id": "1", "answer": "Yes. Yes.", "claim": "Yes.", "label": "SUPPORTED", "sources": []}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "occurs 2 times in the answer; then start and end are needed"),
        ({"claim": "No."}, "occurs 0 times"),
        ({"start": 1, "end": 5}, r"answer\[1:5\] is not the claim"),
        ({"start": 5, "end": 9, "label": "RIGHT"}, "label: "),
        ({"start": 5, "end": 9, "lable": "x"}, "lable: "),
        ({"start": 5, "end": 9, "id": ""}, "id: "),
        ({"start": 5, "end": 9, "sources": None}, "sources: "),
    ],
)
def test_a_wrong_case_is_refused(tmp_path: Path, changes: dict[str, Any], told: str) -> None:
    """By file and line."""
    path = tmp_path / "golden.jsonl"
    good = {**CASE, "start": 0, "end": 4}
    path.write_text(f"{json.dumps(good)}\n\n{json.dumps({**CASE, **changes})}\n", "utf-8")
    with pytest.raises(InputError, match=rf"golden\.jsonl:3: .*{told}"):
        load_golden(path)


@pytest.mark.parametrize("content", [b"{", b"[1]", b"[" * 100_000, b'"text"', b"\xff"])
def test_what_is_no_case_is_refused(tmp_path: Path, content: bytes) -> None:
    """Also what is no JSON, no object, no text."""
    path = tmp_path / "golden.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"golden\.jsonl"):
        load_golden(path)
    with pytest.raises(InputError, match="No such file"):
        load_golden(tmp_path / "nothing.jsonl")


def test_a_verdict_that_covers_nothing_is_none(report: Reports) -> None:
    """The shortest statement around the claim, or nothing."""
    case = GoldenCase.model_validate({**CASE, "answer": report().answer, "claim": "10 days"})
    found = case.verdict(report())
    assert found is not None
    assert found.id == "c1"
    assert (
        GoldenCase.model_validate({**CASE, "answer": report().answer, "claim": "days. The"}).verdict(report()) is None
    )
