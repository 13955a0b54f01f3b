"""What every adapter needs to say what an answer rests on: documents become spans, prompts say which were delivered.

Framework-neutral. An adapter only finds the documents, the prompts and the place of the answer; the rest is here.
"""

from grounding_middleware.capture.delivery import deliver
from grounding_middleware.capture.documents import (
    Snapshot,
    SourceText,
    SpanFields,
    distinct,
    plain,
    stable_id,
    to_span,
    to_spans,
)
from grounding_middleware.capture.rules import source_key, visible
from grounding_middleware.capture.runs import ModelRun, able, fed_by, recognised, writers
from grounding_middleware.capture.summary import summary

__all__ = [
    "ModelRun",
    "Snapshot",
    "SourceText",
    "SpanFields",
    "able",
    "deliver",
    "distinct",
    "fed_by",
    "plain",
    "recognised",
    "source_key",
    "stable_id",
    "summary",
    "to_span",
    "to_spans",
    "visible",
    "writers",
]
