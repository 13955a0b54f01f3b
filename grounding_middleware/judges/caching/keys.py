"""The key of a verdict: a hash of everything a judge may see of a claim, and of who judges.

The whole usable evidence counts, not only what the claim cites: a judge may find that another passage says it. So an
entry is found again when the same claim is made on the same evidence for the same requester, and never otherwise.
"""

from __future__ import annotations

import json

from grounding_middleware import __version__
from grounding_middleware.judges.cascade import models_of
from grounding_middleware.judges.prompts import verification
from grounding_middleware.judges.protocol import Judge, JudgeItem, JudgeTask
from grounding_middleware.records import Span, sha256

_CLAIM = {"text", "context", "form", "statement", "language", "needs_context", "risk"}
_SPAN = {
    *("id", "source_id", "version", "section", "sha256"),
    *("effective_from", "effective_to", "superseded_by", "audience"),
}


def verifier(judge: Judge, version: str) -> str:
    """Who judges: name and version of the judge, its models, and this package."""
    models = sorted((tier, model.name, str(getattr(model, "version", ""))) for tier, model in models_of(judge).items())
    return _text([judge.name, version, models, __version__])


def key(item: JudgeItem, task: JudgeTask, verifier: str) -> str:
    """The key of the verdict on one claim; `verifier` says who gives it."""
    claim = item.claim.model_dump(mode="json", include=_CLAIM)
    doubts = sorted(doubt.message for doubt in item.doubts)
    applicable = [None if task.as_of is None else task.as_of.isoformat(), dict(task.requester or {})]
    said = [claim, verification.before(task.answer, item), doubts, sorted(item.span_ids), task.question, task.risk]
    return sha256(_text([said, sorted(map(_span, task.evidence)), applicable, verifier]))


def _span(span: Span) -> str:
    return _text(span.model_dump(mode="json", include=_SPAN))


def _text(data: object) -> str:
    return json.dumps(data, sort_keys=True, default=str)
