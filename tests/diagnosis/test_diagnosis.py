"""Probable causes of failed claims (SPEC §12): one row per cause, and the causes each is easily confused with."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from grounding_middleware import Grounder, Policy, Report, Span
from grounding_middleware.diagnosis import Cause, diagnose, table, totals
from grounding_middleware.judges import LLMJudge
from grounding_middleware.records import Label

ROWS = yaml.safe_load((Path(__file__).parent / "causes.yaml").read_text(encoding="utf-8"))

CASES = Path(__file__).parents[1] / "cases" / "claims.jsonl"
QUIET = Grounder(policy=Policy(needs_judge=False))


def judge(row: dict[str, Any]) -> Callable[[str], str] | None:
    said = row.get("judge")
    if said is None:
        return None
    verdicts = [] if said == "fails" else [_opinion(number, *fields) for number, fields in said.items()]

    def scripted(_prompt: str) -> str:
        if said == "fails":
            raise TimeoutError
        return json.dumps({"verdicts": verdicts})

    return scripted


def _opinion(number: int, label: str, source: str = "", quote: str = "", kind: str = "") -> dict[str, Any]:
    found = {"claim": number, "label": label, "reason": "as the judge sees it", "evidence": []}
    if kind:
        found["kind"] = kind
    return {**found, "evidence": [{"source": source, "quote": quote}]} if quote else found


def report_of(row: dict[str, Any]) -> Report:
    """The report on a row; made once, whatever asks for it."""
    return _report_on(row["name"])


@cache
def _report_on(name: str) -> Report:
    row = next(row for row in ROWS if row["name"] == name)
    scripted = judge(row)
    checks = {"checks": ()} if row.get("skip_checks") else {}
    grounder = Grounder(judge=scripted and LLMJudge(scripted, "llm"), policy=Policy(needs_judge=False), **checks)
    more = {key: row[key] for key in ("question", "requester") if key in row}
    return grounder.check(row["answer"], evidence=row["sources"], **more)


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_cause(row: dict[str, Any]) -> None:
    """Each failed claim gets the cause of the table, with the evidence for it, and no other claim gets one."""
    report = report_of(row)
    numbers = {verdict.id: number for number, verdict in enumerate(_claims(report), 1)}
    found = diagnose(report)
    assert {numbers[one.claim_id]: one.cause.value for one in found} == row["causes"], [v.label for v in report.claims]
    assert row.get("not") not in [one.cause.value for one in found]
    if "quote" in row:
        assert row["quote"] in [quote.text.strip() for one in found for quote in one.quotes]
    if "words" in row:
        assert [report.answer[low:high] for one in found for low, high in one.words] == row["words"]


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_evidence_is_exact(row: dict[str, Any]) -> None:
    """Quotes are slices of spans that are in the report, indexes lead somewhere, the same report gives the same."""
    report = report_of(row)
    found = diagnose(report)
    assert found == diagnose(report) == diagnose(Report.model_validate_json(report.model_dump_json()))
    for one in found:
        assert one.reason
        assert all(report.evidence.span(q.span_id).text[q.start : q.end] == q.text for q in one.quotes)
        assert all(report.citations[index] for index in one.citations)
        assert all(report.calls[index] for index in one.calls)


def test_every_cause_has_rows() -> None:
    """No cause is named that the table does not show, in at least one row each."""
    assert {cause for row in ROWS for cause in row["causes"].values()} == set(Cause)


def test_a_failed_judge_is_told_by_its_calls() -> None:
    """The evidence of a verifier failure is the call that failed."""
    (one,) = diagnose(report_of(next(row for row in ROWS if row.get("judge") == "fails")))
    assert one.calls
    assert one.reason.startswith("llm: ")


def test_forbidden_text_is_not_quoted() -> None:
    """A diagnosis shows nothing of a source the requester may not see."""
    row = next(row for row in ROWS if "requester" in row)
    assert "31 May" not in diagnose(report_of(row))[0].model_dump_json(exclude={"words"})


def test_totals_stream_and_add_up() -> None:
    """Counts by cause, source and judge over a stream; the shares of every group add up to one."""
    seen: list[str] = []

    def reports() -> Iterator[Report]:
        for row in ROWS:
            seen.append(row["name"])
            yield report_of(row)

    found = totals(reports())
    assert len(seen) == found.answers == len(ROWS)
    assert found.diagnosed == sum(len(row["causes"]) for row in ROWS)
    everything = {row.cause: row for row in found.rows if row.group == "all"}
    assert sum(row.count for row in everything.values()) == found.diagnosed
    assert sum(row.share for row in everything.values()) == pytest.approx(1, abs=0.001)
    assert everything[Cause.CONTRADICTION].count == sum(
        cause == "contradiction" for row in ROWS for cause in row["causes"].values()
    )
    assert {row.name for row in found.rows if row.group == "judge"} == {"checks", "llm", "nobody", "provenance"}
    leave = [(row.cause, row.count, row.share) for row in found.rows if row.name == "leave"]
    assert leave == [(Cause.RESOLVER, 1, 1.0)]


def test_totals_of_nothing_and_as_text() -> None:
    """An empty set gives zeroes; the table names every row."""
    assert table(totals([])) == "0 answers, 0 claims, 0 failed, 0 probable causes"
    text = table(totals([report_of(ROWS[0])]))
    assert text.splitlines()[0] == "1 answers, 1 claims, 1 failed, 1 probable causes"
    assert [line.split() for line in text.splitlines()[2:]] == [
        ["all", "-", "resolver", "1", "100%"],
        ["source", "S4", "resolver", "1", "100%"],
        ["judge", "provenance", "resolver", "1", "100%"],
    ]


def _claims(report: Report) -> list[Any]:
    abstentions = [verdict for verdict in report.claims if verdict.kind == "false_abstention"]
    return abstentions or [verdict for verdict in report.claims if verdict.label.is_claim]


def test_judges_are_suspected_far_more_often_when_they_are_wrong() -> None:
    """Of the claims a judge wrongly accepts three times the share is suspected as of those it rightly accepts.

    Shares of what the judge was asked, so that the measure stays the same when the checks decide more by themselves.
    """
    right, wrong = _suspected(reverse=False), _suspected(reverse=True)
    assert wrong[Cause.FALSE_NEGATIVE] >= 1 / 5, "most of what an always-wrong judge accepts looks fine to checks"
    assert right[Cause.FALSE_NEGATIVE] <= 1 / 10
    assert wrong[Cause.FALSE_NEGATIVE] >= 3 * right[Cause.FALSE_NEGATIVE]
    assert wrong[Cause.FALSE_POSITIVE] > right[Cause.FALSE_POSITIVE] == 0


def _suspected(*, reverse: bool) -> dict[Cause, float]:
    """The share of the accepted claims that are suspected, and of the refused ones, for a right or a wrong judge."""
    causes, judged = Counter[Cause](), Counter[bool]()
    for case, checked in _checked_cases():
        report = _judged(case, checked, reverse=reverse)
        judged.update(one.label is Label.SUPPORTED for one in report.claims if one.decided_by == "oracle")
        causes.update(one.cause for one in diagnose(report) if one.decided_by == "oracle")
    assert min(judged[True], judged[False]) >= 30, "too few claims are left to judges for shares"
    suspicions = {Cause.FALSE_NEGATIVE: True, Cause.FALSE_POSITIVE: False}
    return {cause: causes[cause] / judged[accepted] for cause, accepted in suspicions.items()}


@cache
def _checked_cases() -> list[tuple[dict[str, Any], Report]]:
    """Every case, and what the checks alone say of it."""
    found = []
    for case in map(json.loads, CASES.read_text(encoding="utf-8").splitlines()):
        spans = [{key: source[key] for key in source.keys() & Span.model_fields.keys()} for source in case["sources"]]
        more = {key: case[key] for key in ("question", "as_of", "requester") if key in case}
        found.append((case, QUIET.check(case["answer"], evidence=spans, **more)))
    return found


def _judged(case: dict[str, Any], report: Report, *, reverse: bool) -> Report:
    """The report in which the undecided claim of a case has its gold label, or the opposite."""
    bad = case["label"] if case["label"] != "SUPPORTED" else "INSUFFICIENT_EVIDENCE"
    label = bad if (case["label"] == "SUPPORTED") is reverse else "SUPPORTED"
    claims = (
        verdict.replace(label=label, kind=None, decided_by="oracle")
        if verdict.decided_by == "nobody" and (case["claim"] in verdict.text or verdict.text in case["claim"])
        else verdict
        for verdict in report.claims
    )
    return report.model_copy(update={"claims": tuple(claims)})


LABELS = st.sampled_from([label for label in Label if label.is_claim])


@given(st.lists(st.tuples(LABELS, st.sampled_from(["oracle", "checks"])), min_size=4, max_size=4), st.integers(0, 60))
def test_every_failed_claim_has_one_cause(given_labels: list[tuple[Label, str]], cut: int) -> None:
    """Whatever labels stand in a report and wherever its spans were cut: one cause a failed claim, exact quotes."""
    text = "The kiosk opens at dawn, unless it rains. Dogs stay outside. Tickets cost EUR 4."
    span = Span(id="S1", text=text, delivered_ranges=((0, cut),) if cut else None)
    answer = "The kiosk opens at dawn [S1]. Dogs stay outside [S1]. Tickets cost EUR 5 [S2]. Cats like it [S1]."
    report = QUIET.check(answer, evidence=[span, "Tickets cost EUR 5."] if cut % 2 else [span])
    claims = [
        verdict.replace(label=label, kind=None, decided_by=who)
        for verdict, (label, who) in zip(report.claims, given_labels, strict=True)
    ]
    report = report.model_copy(update={"claims": tuple(claims)})
    found = diagnose(report)
    named = [one.claim_id for one in found]
    assert len(named) == len(set(named))
    assert {claim.id for claim in claims if claim.label is not Label.SUPPORTED} <= set(named)
    assert all(report.evidence.span(q.span_id).text[q.start : q.end] == q.text for one in found for q in one.quotes)
