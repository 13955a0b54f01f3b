"""What a contradiction within the evidence does to claims, reports and decisions; hostile arrangements included."""

from __future__ import annotations

import json
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grounding_middleware import Grounder, Policy, Report
from grounding_middleware.audit.fingerprints import fingerprints
from grounding_middleware.audit.redaction import as_rules, redact
from grounding_middleware.diagnosis import diagnose
from grounding_middleware.evidence import EvidenceRules
from grounding_middleware.records import Action, Evidence, Kind, Label, Outcome
from grounding_middleware.report import to_text

QUICK, SLOW, SLOWER = (f"Refunds are paid within {days} days." for days in (14, 30, 60))
BY_VERSION = [{"by": "version"}]
OLD = {"id": "old", "source_id": "terms", "version": "1", "text": QUICK}
NEW = {"id": "new", "source_id": "terms", "version": "2", "text": SLOW}


def check(answer: str, evidence: Any, precedence: Any = (), **options: Any) -> Report:
    judge = options.pop("judge", None)
    rules = EvidenceRules(precedence=precedence)
    return Grounder(judge, policy=Policy(needs_judge=False), evidence_rules=rules).check(
        answer, evidence=evidence, **options
    )


def label(answer: str, evidence: Any, precedence: Any = (), **options: Any) -> Label:
    return check(answer, evidence, precedence, **options).claims[0].label


@pytest.mark.parametrize(
    "answer", [QUICK, "Refunds are paid within 14 days [old].", "Refunds are paid within 30 days [new]."]
)
def test_nothing_is_supported_while_no_rule_decides(answer: str) -> None:
    """Whichever side the claim takes and cites, it is not supported, and says why with both statements."""
    report = check(answer, [OLD, NEW])
    claim = report.claims[0]
    assert (claim.label, claim.kind) == (Label.INSUFFICIENT_EVIDENCE, Kind.CONFLICTING_SOURCES)
    assert {quote.text for quote in claim.quotes} == {QUICK, SLOW}
    assert "no rule says which prevails" in claim.reason
    assert report.conflicts[0].prevails == ""
    assert report.action is Action.ESCALATE


def test_one_contested_claim_among_many_goes_to_review() -> None:
    """It is cut, and a person hears of it: the answer is not merely `revised`."""
    others = ["The shop opens at 9 am.", "Parking at the shop is free.", "The lift holds four persons."]
    report = check(" ".join([QUICK, *others]), [OLD, NEW, *others])
    assert report.action is Action.REVIEW
    assert "1 of 4 claims rests on sources that contradict each other" in report.decision.reason
    assert "14 days" not in report.text


def test_the_prevailing_side_supports() -> None:
    """With a rule the claim on the prevailing side stays supported, and the finding names the rule."""
    report = check("Refunds are paid within 30 days [new].", [OLD, NEW], BY_VERSION)
    (conflict,) = report.conflicts
    assert report.claims[0].label is Label.SUPPORTED
    assert (conflict.prevails, conflict.rule, conflict.claim_ids) == (
        "new",
        "version: 2 over 1",
        (report.claims[0].id,),
    )
    assert any(one.check == "conflicts" and one.outcome is Outcome.MATCH for one in report.claims[0].findings)


def test_the_overridden_side_is_contradicted() -> None:
    """A claim that rests on the overridden side is contradicted by the prevailing one, which is quoted first."""
    claim = check("Refunds are paid within 14 days [old].", [OLD, NEW], BY_VERSION).claims[0]
    assert (claim.label, claim.kind) == (Label.CONTRADICTED, Kind.NUMBER)
    assert claim.quotes[0].span_id == "new"
    assert "new prevails by version: 2 over 1" in claim.reason


def test_dates_in_force_come_first() -> None:
    """Where the day of the question rules one side out, there is no conflict: the other is expired, not overridden."""
    old = {**OLD, "effective_to": "2025-12-31"}
    new = {**NEW, "effective_from": "2026-01-01"}
    cited = check("Refunds are paid within 14 days [old].", [old, new], as_of="2026-05-04")
    assert (cited.claims[0].label, cited.claims[0].kind) == (Label.INVALID_CITATION, Kind.EXPIRED)
    assert cited.conflicts == ()
    assert label(SLOW, [old, new], as_of="2026-05-04") is Label.SUPPORTED
    assert label(SLOW, [old, new]) is Label.INSUFFICIENT_EVIDENCE


def test_a_judge_cannot_choose_a_side() -> None:
    """What a judge accepts on the word of one source is not supported while another denies it (CH-9)."""

    def accept(prompt: str) -> str:
        quote = {"source": "old", "quote": QUICK}
        verdict = {"claim": 1, "label": "SUPPORTED", "evidence": [quote], "reason": "it says so"}
        return json.dumps({"verdicts": [verdict]})

    answer = "You have your money back after 14 days at most [old]."
    alone = check(answer, [OLD], judge=accept).claims[0]
    report = check(answer, [OLD, NEW], judge=accept)
    assert alone.label is Label.SUPPORTED, alone.reason
    assert (report.claims[0].label, report.claims[0].kind) == (Label.INSUFFICIENT_EVIDENCE, Kind.CONFLICTING_SOURCES)
    assert label(answer, [OLD, NEW], BY_VERSION, judge=accept) is Label.CONTRADICTED


def test_duplicates_are_no_conflict() -> None:
    """The same sentence in many passages agrees with itself, and hides no conflict behind it."""
    copies = [{"id": f"c{n}", "text": QUICK} for n in range(40)]
    assert check(QUICK, copies).conflicts == ()
    assert label(QUICK, [*copies, NEW]) is Label.INSUFFICIENT_EVIDENCE
    assert label(QUICK, [NEW, *copies]) is Label.INSUFFICIENT_EVIDENCE


def test_a_span_that_contradicts_itself() -> None:
    """No attribute tells two sentences of one span apart, so no precedence decides."""
    span = {"id": "s", "source_id": "terms", "version": "1", "text": f"{QUICK} Call us any time. {SLOW}"}
    report = check(SLOW, [span], BY_VERSION)
    assert report.claims[0].kind is Kind.CONFLICTING_SOURCES
    assert report.conflicts[0].first.span_id == report.conflicts[0].second.span_id == "s"


def test_three_ways() -> None:
    """A side prevails only over all others; an overridden one is contradicted, whoever else there is."""
    faq = {"id": "faq", "source_id": "faq", "version": "9", "text": SLOWER}
    assert label("Refunds are paid within 30 days [new].", [OLD, NEW, faq], BY_VERSION) is Label.INSUFFICIENT_EVIDENCE
    assert label("Refunds are paid within 14 days [old].", [OLD, NEW, faq], BY_VERSION) is Label.CONTRADICTED
    ranked = [*BY_VERSION, {"by": "source", "order": ["terms", "faq"]}]
    assert label("Refunds are paid within 30 days [new].", [OLD, NEW, faq], ranked) is Label.SUPPORTED
    assert len(check(SLOW, [OLD, NEW, faq], ranked).conflicts) == 2


def test_a_side_is_as_strong_as_its_strongest_statement() -> None:
    """An old source that says what the newest says again is not overridden by one between them."""
    newest = {"id": "newest", "source_id": "terms", "version": "3", "text": QUICK}
    assert label("Refunds are paid within 14 days [old].", [OLD, NEW, newest], BY_VERSION) is Label.SUPPORTED
    assert label("Refunds are paid within 30 days [new].", [OLD, NEW, newest], BY_VERSION) is Label.CONTRADICTED


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"audience": {"region": "EU"}}, {"audience": {"region": "US"}}),
        ({"source_id": "t", "section": "2 Shops"}, {"source_id": "t", "section": "3 Online orders"}),
        ({"source_id": "a", "section": "Basic plan"}, {"source_id": "b", "section": "Pro plan"}),
        ({"source_id": "a", "section": "Terms 2024"}, {"source_id": "b", "section": "Terms 2025"}),
        ({"source_id": "a"}, {"source_id": "b", "delivered": False}),
        ({"source_id": "a"}, {"source_id": "b", "superseded_by": "c"}),
        ({"source_id": "a"}, {"source_id": "b", "audience": {"tenant": "other"}}),
    ],
)
def test_what_stands_around_tells_apart(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Another audience, section or item is another matter; what was not shown or is void contradicts nothing."""
    spans = [{"id": "x", "text": QUICK, **one}, {"id": "y", "text": SLOW, **other}]
    report = check("Refunds are paid within 14 days [x].", spans)
    assert report.claims[0].label is Label.SUPPORTED
    assert report.conflicts == ()


@pytest.mark.parametrize(("one", "other"), [("2 Period", "4 Refunds"), ("2 Period", "2 Period"), ("", "Refunds")])
def test_authors_name_sections_as_they_like(one: str, other: str) -> None:
    """Between two documents other section titles are no excuse."""
    spans = [{"id": "x", "source_id": "a", "section": one, "text": QUICK}]
    spans.append({"id": "y", "source_id": "b", "section": other, "text": SLOW})
    assert label("Refunds are paid within 14 days [x].", spans) is Label.INSUFFICIENT_EVIDENCE


def test_the_rule_for_the_requester_prevails() -> None:
    """A rule for everybody and one for the requester's region are in conflict, and the narrower can be made prevail."""
    spans = [{"id": "x", "text": QUICK}, {"id": "y", "text": SLOW, "audience": {"region": "SG"}}]
    narrower = [{"by": "audience", "key": "region"}]
    sg = {"region": "SG"}
    assert label("Refunds are paid within 30 days [y].", spans, narrower, requester=sg) is Label.SUPPORTED
    assert label("Refunds are paid within 14 days [x].", spans, narrower, requester=sg) is Label.CONTRADICTED
    assert label("Refunds are paid within 30 days [y].", spans, narrower) is Label.INSUFFICIENT_EVIDENCE
    assert label("Refunds are paid within 14 days [x].", spans, narrower, requester={"region": "DE"}) is Label.SUPPORTED


def test_an_undecided_claim_tells_the_judge() -> None:
    """A claim no rule decides carries the contradiction as a doubt, so that a judge hears of it."""
    report = check("Refunds are usually paid in 14 days.", [OLD, NEW])
    doubts = [one for one in report.claims[0].findings if one.check == "conflicts"]
    assert report.claims[0].label is Label.UNVERIFIED
    assert [one.outcome for one in doubts] == [Outcome.DOUBT]
    assert report.conflicts[0].claim_ids == (report.claims[0].id,)


SPANS = [
    OLD,
    NEW,
    {"id": "faq", "source_id": "faq", "text": SLOWER},
    {"id": "pets", "text": "Pets are allowed in the hotel."},
    {"id": "pets2", "text": "Pets are not allowed in the hotel."},
]


@pytest.mark.parametrize("precedence", [(), BY_VERSION])
def test_the_order_of_the_spans_does_not_matter(precedence: Any) -> None:
    """All orders of the evidence give the same labels, reasons and conflicts."""
    answer = "Refunds are paid within 30 days [new]. Pets are allowed in the hotel [pets]."
    found = []
    for spans in list(permutations(SPANS))[::7]:
        report = check(answer, spans, precedence)
        found.append(([(one.label, one.kind, one.reason) for one in report.claims], report.conflicts))
    assert all(one == found[0] for one in found)
    assert len(found[0][1]) == 3


DAYS = st.lists(st.sampled_from([14, 30, 60]), min_size=1, max_size=6)


@settings(max_examples=40)
@given(DAYS, st.sampled_from([14, 30, 60]), st.sampled_from([(), BY_VERSION]))
def test_support_needs_agreement_or_a_rule(days: list[int], claimed: int, precedence: Any) -> None:
    """Among versions of one source a claim is supported exactly when all agree with it, or the highest one does."""
    spans = [
        {"id": f"s{n}", "source_id": "terms", "version": str(n), "text": f"Refunds are paid within {each} days."}
        for n, each in enumerate(days, 1)
    ]
    found = label(f"Refunds are paid within {claimed} days.", spans, precedence)
    right = days[-1] == claimed if precedence else set(days) == {claimed}
    assert (found is Label.SUPPORTED) == right


def test_shown_stored_and_diagnosed() -> None:
    """Terminal, JSON, hash-only record, redaction and diagnosis all tell of the conflict."""
    report = check("Refunds are paid within 14 days [old].", [OLD, NEW])
    shown = to_text(report)
    assert "Sources that contradict each other" in shown
    assert all(f"“{text}”" in shown for text in (QUICK, SLOW, "14 days", "30 days"))
    assert Report.model_validate_json(report.model_dump_json()) == report
    kept = fingerprints(report)["conflicts"]
    assert kept[0]["first"] == {"span_id": "new", "start": 0, "end": len(SLOW)}
    assert diagnose(report)[0].cause == "source_conflict"


def test_redaction_keeps_the_offsets() -> None:
    """A masked conflict still is a slice of the masked span."""
    spans = [
        {"id": n, "text": f"Refunds to ann@example.com are paid within {d} days."} for n, d in (("x", 3), ("y", 5))
    ]
    report = check(spans[0]["text"], spans)
    masked, _ = redact(report, as_rules(["email"]))
    conflict = masked.conflicts[0]
    evidence: Evidence = masked.evidence
    span = evidence.span(conflict.first.span_id)
    assert span is not None
    assert "ann@" not in masked.model_dump_json()
    assert span.text[conflict.first.start : conflict.first.end] == conflict.first.text
