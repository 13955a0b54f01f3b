"""From a report to the entry of an answer, and the sink that writes it (SPEC AU-1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Literal, Protocol, get_args

from pydantic import ValidationError

from grounding_middleware.audit.fingerprints import fingerprints
from grounding_middleware.audit.records import AuditRecord, Entry, RecordKind
from grounding_middleware.audit.redaction import Rule, as_rules, redact
from grounding_middleware.audit.verification import Placed
from grounding_middleware.errors import ConfigError, InputError
from grounding_middleware.records import Report
from grounding_middleware.validation import first_fault

Keep = Literal["report", "hashes"]
"""What is kept of an answer: the whole report, or hashes, labels and offsets."""


class Trail(Protocol):
    """Where records go: files (`JsonlTrail`) or a database."""

    def append(self, entry: Entry) -> AuditRecord:
        """The record of `entry`, safely written; raises when it cannot be."""

    def records(self) -> Iterator[Placed]:
        """Every line, in order, one at a time."""


class AuditSink:
    """A sink that leaves one record of every answer in `trail`.

    `redact` are names of rules (`redaction.RULES`) or functions that find what must not be written; the record tells
    which were applied. `keep="hashes"` writes no text at all. Raises `ConfigError` for a wrong setting.
    """

    def __init__(self, trail: Trail, *, redact: Sequence[str | Rule] = (), keep: Keep = "report") -> None:
        if keep not in get_args(Keep):
            raise ConfigError(f"AuditSink: keep is {keep!r}, allowed are {', '.join(get_args(Keep))}")
        self._trail = trail
        self._rules = as_rules(redact)
        self._keep: Keep = keep

    def __call__(self, report: Report) -> None:
        """Write the record of `report`; raises whatever keeps it from being written."""
        hidden: dict[str, Any] = {}
        if self._rules:
            report, changed = redact(report, self._rules)
            hidden = {"redaction": {"rules": list(self._rules), "texts": changed}}
        kept = (
            {"report": report.model_dump(mode="json")} if self._keep == "report" else {"hashes": fingerprints(report)}
        )
        facts = {**answer_facts(report), **hidden, "keep": self._keep}
        self._trail.append(Entry.salted(RecordKind.ANSWER, report.answer_id, facts, kept))


def answer_facts(report: Report) -> dict[str, Any]:
    """What stays when the content of an answer is purged: counts, sources, versions; no text."""
    return {
        "action": report.action.value,
        "labels": dict(sorted(Counter(claim.label.value for claim in report.claims).items())),
        "sources": sorted({(span.source_id, span.version) for span in report.evidence.spans}),
        "versions": dict(report.versions),
        "models": sorted({call.model for call in report.calls}),
        "prompts": sorted({call.prompt_version for call in report.calls}),
        "tokens": [
            sum(getattr(call, name) or 0 for call in report.calls) for name in ("input_tokens", "output_tokens")
        ],
        "elapsed_ms": report.elapsed_ms,
    }


def report_of(record: AuditRecord) -> Report:
    """The report an answer's record holds; `InputError` says why there is none."""
    if record.kind is not RecordKind.ANSWER:
        raise InputError(f"record {record.seq} is of kind {record.kind}, allowed is an answer")
    if record.purged:
        raise InputError(f"record {record.seq}: its content was purged")
    report = record.data().get("report")
    if report is None:
        raise InputError(f"record {record.seq} holds hashes only")
    try:
        return Report.model_validate(report)
    except ValidationError as error:
        raise InputError(
            f"record {record.seq} holds a report of another version: {first_fault(error, 'report')}"
        ) from error
