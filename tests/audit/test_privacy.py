"""What is written of an answer: everything, everything but what a rule hides, or no text at all (AU-1, AU-2)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import pytest

from grounding_middleware import AnswerWithheldError, ConfigError, Label, Report, Span
from grounding_middleware.audit import AuditSink, JsonlTrail, RecordKind, report_of
from grounding_middleware.audit.records import AuditRecord
from grounding_middleware.audit.redaction import MASK, RULES, as_rules, redact
from grounding_middleware.errors import InputError

from .conftest import checked, lines

MAIL, CARD, NAME = "bob.smith@corp.example", "4111 1111 1111 1111", "Ada Quill"
SOURCE = f"Questions go to {MAIL}. The desk of {NAME} is in room 12. Parking costs 4 euros."
LEAKY = f"Questions go to {MAIL} [S1]. The desk of {NAME} is in room 14 [S1]. Parking costs 4 euros [S1]."


def names(text: str) -> Iterator[tuple[int, int]]:
    """A rule of a user's own."""
    at = text.find(NAME)
    while at >= 0:
        yield at, at + len(NAME)
        at = text.find(NAME, at + 1)


@pytest.fixture(scope="module")
def leaky() -> Report:
    """Personal data in answer, question, source, reasons, requester and metadata."""
    span = Span(id="S1", text=SOURCE, section=f"Room plan of {NAME}", metadata={"owner": MAIL, "mails": [MAIL]})
    return checked(LEAKY, span, question=f"Where does {NAME} sit?", requester={"user": MAIL})


def recorded(trail: JsonlTrail, report: Report, **options: Any) -> AuditRecord:
    AuditSink(trail, **options)(report)
    (found,) = [found for _, found in trail.records() if isinstance(found, AuditRecord)]
    return found


def test_everything_of_an_answer_is_recorded(trail: JsonlTrail, report: Report) -> None:
    """AU-1: the report comes back whole, and the facts tell action, labels, sources and versions without it."""
    record = recorded(trail, report)
    assert report_of(record) == report
    assert record.subject == report.answer_id
    assert record.kind is RecordKind.ANSWER
    facts = record.facts
    assert (facts["action"], facts["labels"]) == ("revised", {"CONTRADICTED": 1, "SUPPORTED": 2})
    assert facts["sources"] == [["S1", ""]]
    assert facts["versions"]["policy"] == report.versions["policy"]
    assert facts["keep"] == "report"


def test_facts_hold_no_text_of_anybody(trail: JsonlTrail, leaky: Report) -> None:
    """What survives a purge names no person and quotes nothing."""
    record = recorded(trail, leaky)
    kept = json.dumps(dict(record.facts))
    assert not any(word in kept for word in (MAIL, NAME, "desk", "Parking"))


def test_content_cannot_be_guessed_from_its_hash(trail: JsonlTrail, report: Report) -> None:
    """Two records of one report have different hashes: the salt is random."""
    sink = AuditSink(trail)
    sink(report)
    sink(report)
    first, second = (found for _, found in trail.records() if isinstance(found, AuditRecord))
    assert first.content_hash != second.content_hash
    assert len(first.data()["salt"]) == 32


def test_nothing_hidden_reaches_the_file(trail: JsonlTrail, leaky: Report) -> None:
    """Neither in the answer nor in sources, reasons, requester, metadata or section."""
    recorded(trail, leaky, redact=["email", names])
    stored = "\n".join(lines(trail))
    assert all(json.dumps(word)[1:-1] not in stored for word in (MAIL, NAME, "bob.smith", "Quill"))
    assert "Parking costs 4 euros" in stored


def test_a_redacted_report_is_a_report_with_the_same_offsets(trail: JsonlTrail, leaky: Report) -> None:
    """Every slice is still a slice, and labels, decision and edits are what they were."""
    stored = report_of(recorded(trail, leaky, redact=["email", names]))
    assert len(stored.answer) == len(leaky.answer)
    for claim, before in zip(stored.claims, leaky.claims, strict=True):
        assert stored.answer[claim.start : claim.end] == claim.text
        assert (claim.label, claim.start, claim.end, claim.treatment) == (
            before.label,
            before.start,
            before.end,
            before.treatment,
        )
        for quote in claim.quotes:
            span = stored.evidence.span(quote.span_id)
            assert span is not None
            assert span.text[quote.start : quote.end] == quote.text
    assert stored.decision == leaky.decision
    assert MASK * len(MAIL) in stored.answer


def test_the_record_tells_what_was_hidden_by_which_rules(trail: JsonlTrail, leaky: Report) -> None:
    """A redacted record never looks like a complete one."""
    facts = recorded(trail, leaky, redact=["email", "card", names]).facts
    assert facts["redaction"]["rules"] == ["email", "card", "names"]
    assert facts["redaction"]["texts"] > 3


def test_no_hash_of_hidden_text_is_kept(leaky: Report) -> None:
    """A hash of a passage or of a claim would let anybody test guesses of what is hidden in it."""
    masked, _ = redact(leaky, as_rules(["email", names]))
    kept = masked.model_dump_json()
    assert leaky.evidence.spans[0].sha256 not in kept
    hidden = [claim.id for claim in leaky.claims if MAIL in claim.text or NAME in claim.text]
    assert len(hidden) == 2
    assert not any(f'"{name}"' in kept for name in hidden)
    assert masked.claims[2].id == leaky.claims[2].id
    assert {edit.claim_id for edit in masked.edits} <= {claim.id for claim in masked.claims}


def test_what_a_rule_finds_in_a_source_is_hidden_everywhere(leaky: Report) -> None:
    """A rule that knows a name by its context hides it also where that context is missing."""

    def by_context(text: str) -> Iterator[tuple[int, int]]:
        at = text.find("desk of ")
        if at >= 0:
            yield at + 8, at + 8 + len(NAME)

    masked, _ = redact(leaky, as_rules([by_context]))
    assert NAME in leaky.question
    assert NAME not in masked.model_dump_json()


def test_a_rule_that_cuts_a_claim_leaves_its_slice_right(leaky: Report) -> None:
    """A range over the border of two claims hides its part of both."""
    border = leaky.claims[0].end - 5

    def across(text: str) -> Iterator[tuple[int, int]]:
        if text == leaky.answer:
            yield border, leaky.claims[1].start + 3

    masked, _ = redact(leaky, {"across": across})
    for claim in masked.claims:
        assert masked.answer[claim.start : claim.end] == claim.text
    assert masked.claims[0].text.endswith(MASK * 5)
    assert masked.claims[1].text.startswith(MASK * 3)


def test_numbers_of_people_are_hidden_too() -> None:
    """A phone number kept as a number, a field called `id`; offsets and counts of the report are no such numbers."""
    span = Span(id="S1", text="Dogs travel free of charge.", metadata={"desk": {"phone": 4930123456789, "id": MAIL}})
    report = checked("Dogs travel free of charge [S1].", span, requester={"user": 4930123456789})
    masked, _ = redact(report, as_rules(["email", lambda text: [(0, 13)] if text.startswith("4930") else []]))
    assert masked.evidence.spans[0].metadata["desk"] == {"phone": MASK * 13, "id": MASK * len(MAIL)}
    assert masked.evidence.requester == {"user": MASK * 13}
    assert masked.claims == report.claims


def test_nothing_found_changes_nothing(report: Report) -> None:
    """The report is recorded as it is."""
    assert redact(report, as_rules(["email", "iban"])) == (report, 0)


@pytest.mark.parametrize(
    ("rule", "text", "found"),
    [
        ("email", f"to {MAIL}, or a+b@x-y.co.uk.", [MAIL, "a+b@x-y.co.uk"]),
        ("email", "the price @ 5 euros, me@home", []),
        ("phone", "call +49 30 1234567 or 0049-30-1234567", ["+49 30 1234567", "0049-30-1234567"]),
        ("phone", "call (030) 123 45 67, on 2026-05-04, SGD 500.00, version 10.20.30", ["(030) 123 45 67"]),
        ("card", f"card {CARD} and 1234 5678 9012 3456", [CARD]),
        ("iban", "to DE89 3704 0044 0532 0130 00 today", ["DE89 3704 0044 0532 0130 00"]),
        ("iban", "section AB12 of the law", []),
        ("ip", "from 192.168.0.12 and version 1.2.3, 2001:0db8:0000:0000:0000:ff00:0042:8329", None),
    ],
)
def test_the_named_rules_know_forms(rule: str, text: str, found: list[str] | None) -> None:
    """What each named rule finds, and what only looks like it."""
    pieces = [text[low:high] for low, high in RULES[rule](text)]
    assert pieces == (found if found is not None else ["192.168.0.12", "2001:0db8:0000:0000:0000:ff00:0042:8329"])


def test_a_rule_that_fails_withholds_the_answer(trail: JsonlTrail) -> None:
    """What could not be redacted is not written, and what is not written is not shown."""

    def broken(text: str) -> list[tuple[int, int]]:
        raise RuntimeError(f"no idea about {len(text)} characters")

    with pytest.raises(AnswerWithheldError, match="no idea"):
        checked(sinks=(AuditSink(trail, redact=[broken]),))
    assert lines(trail) == []


def test_a_rule_that_finds_what_is_not_there_is_an_error(report: Report) -> None:
    """Ranges outside the text are named, not clipped in silence."""
    with pytest.raises(InputError, match=r"far found \[0, 1000000\) in a text of"):
        redact(report, {"far": lambda _: [(0, 1_000_000)]})


@pytest.mark.parametrize("wrong", [["mail"], "email", [7]])
def test_unknown_rules_die_at_construction(trail: JsonlTrail, wrong: Any) -> None:
    """With what is allowed."""
    with pytest.raises(ConfigError, match=r"redact: .*allowed"):
        AuditSink(trail, redact=wrong)


def test_unknown_keeping_dies_at_construction(trail: JsonlTrail) -> None:
    """With what is allowed."""
    with pytest.raises(ConfigError, match="keep is 'all', allowed are report, hashes"):
        AuditSink(trail, keep="all")  # type: ignore[arg-type]


def test_hash_only_keeps_no_text(trail: JsonlTrail, leaky: Report) -> None:
    """No word of answer, question, source, reason or requester; labels, offsets and hashes are there."""
    record = recorded(trail, leaky, keep="hashes")
    stored = "\n".join(lines(trail))
    assert not any(word in stored for word in ("desk", "Parking", "room", "corp.example", "Quill", "Questions"))
    kept = record.data()["hashes"]
    assert kept["answer"] == hashlib.sha256(leaky.answer.encode()).hexdigest()
    assert kept["spans"][0]["sha256"] == leaky.evidence.spans[0].sha256
    assert [(claim["start"], claim["end"], claim["label"]) for claim in kept["claims"]] == [
        (claim.start, claim.end, claim.label) for claim in leaky.claims
    ]
    assert record.facts["keep"] == "hashes"


def test_hash_only_cannot_be_read_as_a_report(trail: JsonlTrail, leaky: Report) -> None:
    """Who wants the report is told why there is none."""
    with pytest.raises(InputError, match="record 1 holds hashes only"):
        report_of(recorded(trail, leaky, keep="hashes"))


def test_the_example_is_not_trivial(leaky: Report) -> None:
    """The leaky report has claims of more than one label, so that the tests above compare something."""
    assert {claim.label for claim in leaky.claims} >= {Label.SUPPORTED, Label.CONTRADICTED}
