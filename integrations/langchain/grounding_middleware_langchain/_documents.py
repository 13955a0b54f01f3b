"""LangChain documents as snapshots, and sources that a reranker dropped on the way, restored."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.documents import Document

from grounding_middleware.capture import Snapshot, SpanFields, plain
from grounding_middleware.capture.documents import text_of


def snapshot_of(document: Document) -> Snapshot:
    """A copy that shares nothing with `document`: vector stores hand out their live metadata."""
    return Snapshot(document.page_content, document.id, plain(document.metadata))


def restore_sources(outer: Sequence[Snapshot], inner: Sequence[Snapshot], fields: SpanFields) -> tuple[Snapshot, ...]:
    """`outer` with what a reranker, compressor or ensemble dropped, taken from the retrievals it wrapped.

    Metadata without a source is completed, and sources that were merged because their text is the same come back: each
    of them says it. A document is recognised by its exact text, or as the one place its text was cut from; never by
    similarity.
    """
    restored = [
        snapshot if text_of(snapshot.metadata, fields.source) else _restored(snapshot, inner) for snapshot in outer
    ]
    texts = {snapshot.text for snapshot in restored}
    merged = [other for other in inner if other.text in texts and text_of(other.metadata, fields.source)]
    return (*restored, *merged)  # what is in both becomes one span


def _restored(snapshot: Snapshot, inner: Sequence[Snapshot]) -> Snapshot:
    text = snapshot.text.strip()
    whole = [other for other in inner if other.text == snapshot.text]
    cut = [other for other in inner if text and text in other.text]
    found = whole or (cut if len({other.text for other in cut}) == 1 else [])
    if not found:
        return snapshot
    metadata = {**found[0].metadata, **snapshot.metadata}
    if not whole:
        metadata.pop("start_index", None)  # belongs to the longer text
    return Snapshot(snapshot.text, snapshot.document_id, metadata)
