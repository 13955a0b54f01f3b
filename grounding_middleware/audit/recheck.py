"""Stored answers that rest on a changed source, verified again against what it says now (SPEC CHG).

A verdict is looked at again when its claim rests on a span that changed: it cites it, was decided by it, or cites
nothing and so rests on all of the evidence. Every other verdict stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any, Final

from pydantic import Field, ValidationError

from grounding_middleware.audit.answers import Trail, report_of
from grounding_middleware.audit.comparing import Comparison, compare
from grounding_middleware.audit.records import AuditRecord, Entry, RecordKind
from grounding_middleware.audit.replay import Skipped, is_masked
from grounding_middleware.audit.rescoring import by_verifier
from grounding_middleware.audit.succession import successor
from grounding_middleware.errors import InputError
from grounding_middleware.evidence import EvidenceRules, build
from grounding_middleware.grounder import Grounder
from grounding_middleware.policy.settings import Setting
from grounding_middleware.records import Attributes, Evidence, Report, Span, Verdict
from grounding_middleware.validation import first_fault

_DATES: Final = ("effective_from", "effective_to", "superseded_by")


class SourceChange(Setting):
    """How a source changed. `passages` is the text of its new version; None leaves the stored text as it is.

    `withdrawn`: it may not be relied on any more. The dates and `audience`, where given, are what holds now; `as_of` is
    the day to judge by instead of the day of the question.
    """

    source_id: str = Field(min_length=1)
    passages: tuple[Span, ...] | None = None
    withdrawn: bool = False
    effective_from: date | None = None
    effective_to: date | None = None
    superseded_by: str | None = None
    audience: Attributes | None = None
    as_of: date | None = None

    def rests_on(self, record: AuditRecord) -> bool:
        """Whether a stored answer had this source among its evidence; told without reading its content."""
        return any(source == self.source_id for source, _ in record.facts.get("sources", ()))

    def applied(self, before: Evidence, rules: EvidenceRules) -> Evidence:
        """The evidence as it would be captured now, with new statuses; ids stay, so that citations resolve."""
        spans = [self._span(span) if span.source_id == self.source_id else span for span in before.spans]
        known = {span.id for span in before.spans}
        built = build(spans, as_of=self.as_of or before.as_of, requester=before.requester, rules=rules)
        # what the requester could not see was never kept, only its status
        unseen = tuple(status for status in before.statuses if status.span_id not in known)
        return built.replace(statuses=(*built.statuses, *unseen), minimum=max(before.minimum, rules.minimum))

    def _span(self, span: Span) -> Span:
        if self.withdrawn:
            return span.replace(superseded_by="its withdrawal", effective_to=None)
        renewed = span if self.passages is None else successor(span, self.passages)
        if renewed is None:
            return span.replace(superseded_by="a version that has nothing in its place", effective_to=None)
        given: dict[str, Any] = {name: getattr(self, name) for name in _DATES if getattr(self, name) is not None}
        try:
            return renewed.replace(**given, **({} if self.audience is None else {"audience": self.audience}))
        except ValidationError as error:
            raise InputError(f"span {span.id!r} cannot change like that: {first_fault(error, 'span')}") from error


def recheck(trail: Trail, change: SourceChange, grounder: Grounder) -> Iterator[Comparison | Skipped]:
    """One result for each stored answer that rests on the source, in order.

    Appends a record for each answer that came out differently, and at the end one that says what was looked at; so take
    all of the results.
    """
    seen = changed = skipped = 0
    for record in _resting(trail, change):
        seen += 1
        result = _rechecked(record, change, grounder)
        yield result
        if isinstance(result, Skipped):
            skipped += 1
        elif result.changed:
            changed += 1
            trail.append(_changed(record, change, result))
    facts = {"source": change.source_id, "answers": seen, "changed": changed, "skipped": skipped, **_what(change)}
    trail.append(Entry(kind=RecordKind.RECHECK, facts=facts))


def _resting(trail: Trail, change: SourceChange) -> Iterator[AuditRecord]:
    for _, found in trail.records():
        if isinstance(found, AuditRecord) and found.kind is RecordKind.ANSWER and change.rests_on(found):
            yield found


def _rechecked(record: AuditRecord, change: SourceChange, grounder: Grounder) -> Comparison | Skipped:
    try:
        report = report_of(record)
        again = _again(report, change, grounder)
    except InputError as error:
        return Skipped(seq=record.seq, answer_id=record.subject, reason=str(error))
    return compare(report, again, seq=record.seq, notes=_notes(report, again))


def _notes(report: Report, again: Report) -> tuple[str, ...]:
    then, policy = report.versions.get("policy"), again.versions.get("policy")
    return () if then == policy else (f"decided under policy {then} then, under {policy} now",)


def _again(report: Report, change: SourceChange, grounder: Grounder) -> Report:
    now = change.applied(report.evidence, grounder.evidence_rules)
    changed = _changed_spans(report.evidence, now)

    def stands(verdict: Verdict) -> bool:
        return is_masked(verdict) or not _rests_on(verdict, report, changed)

    return by_verifier(report, grounder, evidence=now, stands=stands)


def _changed_spans(before: Evidence, after: Evidence) -> frozenset[str]:
    """The spans whose text, or whose right to support a claim, is another now."""
    return frozenset(
        span.id
        for span in before.spans
        if (found := after.span(span.id)) is None
        or found.sha256 != span.sha256
        or before.status(span.id) != after.status(span.id)
    )


def _rests_on(verdict: Verdict, report: Report, changed: frozenset[str]) -> bool:
    cited = {span_id for index in verdict.citations for span_id in report.citations[index].span_ids}
    looked_at = {quote.span_id for quote in verdict.quotes} | {finding.span_id for finding in verdict.findings}
    named = cited | looked_at | {verdict.supported_elsewhere}
    return bool(changed) and (not cited or bool(named & changed))


def _changed(record: AuditRecord, change: SourceChange, result: Comparison) -> Entry:
    facts = {
        "source": change.source_id,
        "answer_seq": record.seq,
        "action": [result.before.value, result.after.value],
        "relabelled": sum(claim.relabelled for claim in result.claims),
        **_what(change),
    }
    return Entry.salted(RecordKind.RECHECK, record.subject, facts, {"comparison": _storable(record, result)})


def _storable(record: AuditRecord, result: Comparison) -> dict[str, Any]:
    """Where the answer was redacted the reasons are left out: they may quote what the new version says."""
    hidden = {"claims": {"__all__": {"why"}}} if "redaction" in record.facts else None
    return result.model_dump(mode="json", exclude=hidden)


def _what(change: SourceChange) -> dict[str, Any]:
    versions: Sequence[Span] = change.passages or ()
    given = change.model_dump(mode="json", exclude={"passages", "source_id"}, exclude_defaults=True)
    return {**given, **({"versions": sorted({span.version for span in versions})} if versions else {})}
