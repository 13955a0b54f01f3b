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
    """`outer` with the metadata a reranker or compressor dropped, taken from the retrieval it wrapped.

    A document is recognised by its exact text, or as the one place its text was cut from; never by similarity.
    """
    return tuple(
        snapshot if text_of(snapshot.metadata, fields.source) else _restored(snapshot, inner) for snapshot in outer
    )


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
