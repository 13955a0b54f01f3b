"""Recheck: answers that rest on a changed source are found and verified against what it says now (CHG)."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware import Action, ConfigError, Grounder, Kind, Label, Span
from grounding_middleware.audit import AuditSink, JsonlTrail, RecordKind, purge, verify
from grounding_middleware.audit.comparing import ClaimChange, Comparison
from grounding_middleware.audit.purging import Purgeable
from grounding_middleware.audit.recheck import SourceChange, recheck
from grounding_middleware.audit.records import AuditRecord
from grounding_middleware.audit.replay import Skipped
from grounding_middleware.audit.succession import successor

from .conftest import QUIET, checked

FEES = "Parking costs 4 euros a day. Bicycles are parked free of charge."
HOURS = "The office opens at 09:00. It closes at 17:00."


def span(id_: str, text: str, source: str = "", **more: Any) -> Span:
    return Span(id=id_, source_id=source or id_.partition("#")[0], text=text, **more)


EVIDENCE = (span("fees#0", FEES, version="1"), span("hours#0", HOURS, version="7"))
ANSWER = "Parking costs 4 euros a day [fees#0]. The office opens at 09:00 [hours#0]. The office closes at 17:00."


@pytest.fixture(params=["files", "database"])
def trail(request: pytest.FixtureRequest, tmp_path: Path) -> Purgeable:
    """Every store of records behaves alike."""
    if request.param == "files":
        return JsonlTrail(tmp_path / "trail", fsync="never")
    return pytest.importorskip("grounding_middleware.store.audit").SqlTrail(f"sqlite:///{tmp_path / 'trail.db'}")


@pytest.fixture
def answered(trail: Purgeable) -> Purgeable:
    """One answer resting on both sources; its last claim cites nothing."""
    AuditSink(trail)(checked(ANSWER, *EVIDENCE, as_of="2026-05-04", requester={"user": "ann"}))
    return trail


def rechecked(trail: Purgeable, **change: Any) -> list[Comparison | Skipped]:
    return list(recheck(trail, SourceChange(**change), Grounder(policy=QUIET)))


def changes(trail: Purgeable, **change: Any) -> list[ClaimChange]:
    (found,) = rechecked(trail, **change)
    assert isinstance(found, Comparison)
    return list(found.claims)


def records(trail: Purgeable, kind: RecordKind) -> list[AuditRecord]:
    return [one for _, one in trail.records() if isinstance(one, AuditRecord) and one.kind is kind]


def renewed(text: str, **more: Any) -> dict[str, Any]:
    return {"source_id": "fees", "passages": (span("new#0", text, "fees", version="2", **more),)}


def test_the_example_is_supported(answered: Purgeable) -> None:
    """So that every change below is the change's doing."""
    (record,) = records(answered, RecordKind.ANSWER)
    assert (record.facts["action"], record.facts["labels"]) == ("ok", {"SUPPORTED": 3})


def test_a_changed_value_is_found(answered: Purgeable) -> None:
    """The new version says another price: the claim is contradicted, the others stand."""
    (change,) = changes(answered, **renewed(FEES.replace("4 euros", "6 euros")))
    assert change.text.startswith("Parking costs 4 euros a day")
    assert change.before
    assert change.after
    assert (change.before.label, change.after.label) == (Label.SUPPORTED, Label.CONTRADICTED)
    assert "6 euros" in change.why


def test_unchanged_text_in_a_new_version_keeps_its_verdicts(answered: Purgeable) -> None:
    """Also when the new version has more around it, or other white space."""
    more = "New since May.\n\n" + FEES.replace(" euros a", "  euros\na") + " Trailers cost 2 euros."
    assert changes(answered, **renewed(more)) == []


def test_text_that_is_gone_supports_nothing(answered: Purgeable) -> None:
    """Nothing of the passage is left in the new version: the citation leads nowhere."""
    found = changes(answered, **renewed("Visitors use the garage of the town hall."))
    assert [
        (one.after and one.after.label, one.after and one.after.kind) for one in found if "Parking" in one.text
    ] == [(Label.INVALID_CITATION, Kind.STALE)]


def test_a_withdrawn_source_supports_nothing(answered: Purgeable) -> None:
    """Withdrawal needs no new text."""
    (found,) = rechecked(answered, source_id="hours", withdrawn=True)
    assert isinstance(found, Comparison)
    assert found.after is not Action.OK
    assert {one.text[:16] for one in found.claims} == {"The office opens", "The office close"}


def test_lost_access_makes_a_citation_invalid(answered: Purgeable) -> None:
    """The source is now for somebody else: who asked may not be told."""
    (change,) = changes(answered, source_id="fees", audience={"user": ["bob"]})
    assert (change.after and change.after.kind) is Kind.FORBIDDEN


def test_dates_in_force_count(answered: Purgeable) -> None:
    """A source that had ended by the day of the question, and one judged by another day."""
    ended = changes(answered, source_id="fees", effective_to=date(2026, 5, 3))
    assert [one.after and one.after.kind for one in ended] == [Kind.EXPIRED]
    assert changes(answered, source_id="fees", effective_to=date(2026, 5, 5)) == []
    later = changes(answered, source_id="fees", effective_to=date(2026, 5, 5), as_of=date(2026, 6, 1))
    assert [one.after and one.after.kind for one in later] == [Kind.EXPIRED]


def test_a_successor_named_by_hand_counts(answered: Purgeable) -> None:
    """Superseded without a text of the new one."""
    (change,) = changes(answered, source_id="fees", superseded_by="fees-2027")
    assert (change.after and change.after.kind) is Kind.STALE


def test_answers_on_other_sources_are_not_touched(answered: Purgeable) -> None:
    """Nothing is verified, and the record says that nothing was found."""
    assert rechecked(answered, source_id="parking", withdrawn=True) == []
    (record,) = records(answered, RecordKind.RECHECK)
    assert (record.facts["answers"], record.facts["changed"]) == (0, 0)


def test_a_recheck_is_on_record(answered: Purgeable) -> None:
    """One record for the answer that came out differently, with the comparison; one for the whole."""
    rechecked(answered, **renewed(FEES.replace("4 euros", "6 euros")))
    (answer,) = records(answered, RecordKind.ANSWER)
    of_answer, whole = records(answered, RecordKind.RECHECK)
    assert (of_answer.subject, of_answer.facts["answer_seq"], of_answer.facts["relabelled"]) == (answer.subject, 1, 1)
    assert of_answer.facts["action"] == ["ok", "revised"]
    assert Comparison.model_validate(of_answer.data()["comparison"]).changed
    assert (whole.subject, whole.facts["source"], whole.facts["versions"]) == ("", "fees", ["2"])
    assert (whole.facts["answers"], whole.facts["changed"], whole.facts["skipped"]) == (1, 1, 0)
    assert verify(answered.records()).intact


def test_what_cannot_be_rechecked_is_told(answered: Purgeable) -> None:
    """A purged answer rested on the source, too: it is counted and named."""
    (record,) = records(answered, RecordKind.ANSWER)
    purge(answered, subject=record.subject)
    (found,) = rechecked(answered, source_id="fees", withdrawn=True)
    assert isinstance(found, Skipped)
    assert found.reason == "record 1: its content was purged"
    assert verify(answered.records()).intact
    assert records(answered, RecordKind.RECHECK)[-1].facts["skipped"] == 1


def test_an_impossible_change_is_told(trail: Purgeable) -> None:
    """A source cannot end before it began: the answer is skipped with the reason, not verified against nonsense."""
    AuditSink(trail)(checked(ANSWER, span("fees#0", FEES, effective_from=date(2026, 1, 1)), EVIDENCE[1]))
    (found,) = rechecked(trail, source_id="fees", effective_to=date(2025, 1, 1))
    assert isinstance(found, Skipped)
    assert "effective_to 2025-01-01 is before effective_from 2026-01-01" in found.reason


def test_a_redacted_answer_keeps_the_new_text_out_of_the_trail(trail: Purgeable) -> None:
    """The reason may quote the new version, which nobody redacted."""
    AuditSink(trail, redact=["email"])(checked(ANSWER, *EVIDENCE))
    rechecked(trail, **renewed("Parking costs 6 euros a day. Ask bob@corp.example."))
    record = records(trail, RecordKind.RECHECK)[0]
    assert record.content is not None
    assert "6 euros" not in record.content
    assert "claims" in record.content


def test_another_policy_is_told(answered: Purgeable) -> None:
    """A change that may be the policy's is not blamed on the source in silence."""
    strict = Grounder(policy=QUIET.replace(escalate_above=0.1))
    (found,) = recheck(answered, SourceChange(source_id="fees", withdrawn=True), strict)
    assert isinstance(found, Comparison)
    assert found.notes[0].startswith("decided under policy ")


def test_a_change_needs_a_source() -> None:
    """An empty id is refused with what is allowed."""
    with pytest.raises(ConfigError, match=r"SourceChange\.source_id"):
        SourceChange(source_id="")


def test_the_successor_keeps_the_id_and_takes_the_rest() -> None:
    """Citations still resolve; version, dates and audience are those of the new version."""
    old = span("fees#3", FEES, version="1", start=5, end=5 + len(FEES), audience={"region": "EU"})
    new = span("x#9", FEES.replace("4", "6"), "fees", version="2", effective_from=date(2026, 7, 1))
    found = successor(old, [span("x#8", HOURS, "fees"), new])
    assert found is not None
    assert (found.id, found.version, found.text, found.start) == ("fees#3", "2", new.text, None)
    assert (found.effective_from, dict(found.audience)) == (date(2026, 7, 1), {})


def test_a_span_that_was_cut_into_several_is_followed_by_all_of_them() -> None:
    """Another splitter cut the new version into smaller passages."""
    first, second = FEES.split(". ", 1)
    found = successor(
        span("fees#0", FEES), [span("a", f"{first.replace('4', '6')}."), span("b", HOURS), span("c", second)]
    )
    assert found is not None
    assert found.text == f"{first.replace('4', '6')}.\n\n{second}"


def test_nothing_alike_is_no_successor() -> None:
    """A passage about something else does not take the place."""
    assert successor(span("fees#0", FEES), [span("a", "Visitors use the garage of the town hall.")]) is None
    assert successor(span("fees#0", FEES), []) is None
    assert successor(span("fees#0", FEES), [span("a", "---")]) is None
