"""The report in a form that can ride on a message, an event or a state: plain JSON, no source texts."""

from __future__ import annotations

from typing import Any

from grounding_middleware.records import Label, Report, Verdict


def summary(report: Report) -> dict[str, Any]:
    """Action, every claim's verdict and quoted proof, and what was captured; the full report has the rest."""
    return {
        "answer_id": report.answer_id,
        "action": report.action.value,
        "reason": report.decision.reason,
        "claims": [_claim(verdict) for verdict in report.claims if verdict.label.is_claim],
        "notices": list(report.notices),
        "capture": None if report.capture is None else report.capture.model_dump(mode="json"),
    }


def _claim(verdict: Verdict) -> dict[str, Any]:
    """One claim. Its own words only if SUPPORTED: a summary travels with answers and streams, where others read it."""
    shown = verdict.label is Label.SUPPORTED
    return {
        "text": verdict.text if shown else None,
        "start": verdict.start,
        "end": verdict.end,
        "label": verdict.label.value,
        "kind": verdict.kind and verdict.kind.value,
        "severity": verdict.severity and verdict.severity.value,
        "treatment": verdict.treatment.value,
        "reason": verdict.reason if shown else None,
        "decided_by": verdict.decided_by,
        "quotes": [quote.model_dump(mode="json") for quote in verdict.quotes],
    }
