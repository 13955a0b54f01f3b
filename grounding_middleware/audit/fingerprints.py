"""What the hash-only mode keeps of an answer: hashes, labels and offsets, no text of anybody (SPEC AU-2).

With the answer or a passage at hand everybody can prove that it is the one the record speaks of. Hashes of short texts
can be found by guessing: a question of few words is hidden from the eye, not from somebody who tries.
"""

from __future__ import annotations

from typing import Any

from grounding_middleware.records import Conflict, Report, Verdict, sha256


def fingerprints(report: Report) -> dict[str, Any]:
    """The report without its texts, as plain JSON data."""
    return {
        "answer_id": report.answer_id,
        "answer": sha256(report.answer),
        "question": sha256(report.question),
        "text": sha256(report.text),
        "requester": sha256(repr(sorted((report.evidence.requester or {}).items()))),
        "as_of": None if report.evidence.as_of is None else report.evidence.as_of.isoformat(),
        "decision": report.decision.model_dump(mode="json", exclude={"reason"}),
        "claims": [_claim(verdict) for verdict in report.claims],
        "citations": [
            citation.model_dump(mode="json", include={"start", "end", "span_ids", "kind"})
            for citation in report.citations
        ],
        "spans": [
            span.model_dump(
                mode="json", include={"id", "source_id", "version", "sha256", "start", "end", "delivered_ranges"}
            )
            for span in report.evidence.spans
        ],
        "statuses": [
            status.model_dump(mode="json", include={"span_id", "usable", "kind"}) for status in report.evidence.statuses
        ],
        "conflicts": [_conflict(conflict) for conflict in report.conflicts],
        "edits": [edit.model_dump(mode="json", include={"start", "end"}) for edit in report.edits],
        "calls": [call.model_dump(mode="json", exclude={"reply", "claim_ids"}) for call in report.calls],
        "versions": dict(report.versions),
    }


def _conflict(conflict: Conflict) -> dict[str, Any]:
    place = {"span_id", "start", "end"}
    quotes = dict.fromkeys(("first", "second", "first_differs", "second_differs"), place)
    return conflict.model_dump(mode="json", include={"kind": True, "prevails": True, **quotes})


def _claim(verdict: Verdict) -> dict[str, Any]:
    own = verdict.model_dump(
        mode="json",
        include={"start", "end", "form", "statement", "risk", "label", "kind", "severity", "decided_by", "treatment"},
    )
    return {
        **own,
        "sha256": sha256(verdict.text),
        "confidence": verdict.confidence,
        "quotes": [quote.model_dump(mode="json", include={"span_id", "start", "end"}) for quote in verdict.quotes],
        "findings": [finding.model_dump(mode="json", exclude={"message"}) for finding in verdict.findings],
    }
