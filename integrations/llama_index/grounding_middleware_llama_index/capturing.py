"""`SpanCapture`: what a node was when it was retrieved, kept on a copy; and the spans of anything that has nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import BaseNode, NodeWithScore, QueryBundle
from pydantic import Field
from typing_extensions import override

from grounding_middleware.capture import SpanFields, distinct
from grounding_middleware.errors import InputError
from grounding_middleware.records import Span
from grounding_middleware_llama_index._nodes import RECORD, DocumentText, Reading, read, recorded_copy
from grounding_middleware_llama_index._reports import find_report


class SpanCapture(BaseNodePostprocessor):
    """Keeps on a copy of each node what it says now; list it last, behind everything that rewrites text.

    The copies carry one more metadata key, a flat string, excluded from prompts and embeddings; the retriever's own
    nodes stay as they are. `document_text` gives the full text of a source document by its id, to confirm offsets.
    """

    document_text: DocumentText | None = Field(default=None, exclude=True)
    key: str = Field(default=RECORD, frozen=True)

    @classmethod
    @override
    def class_name(cls) -> str:
        return "SpanCapture"

    @override
    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        return [recorded_copy(node, self.key, self.document_text) for node in nodes]

    @override
    async def _apostprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        return self._postprocess_nodes(nodes, query_bundle)


def extract_spans(
    holder: Any, fields: SpanFields | None = None, document_text: DocumentText | None = None
) -> tuple[Span, ...]:
    """The spans of a response, chat response, agent output, tool output, or list of nodes.

    A verified answer gives the spans it was verified against, marked by what its model was shown. Otherwise every node
    that can be named gives one, not marked as delivered. Raises `InputError` for anything else.
    """
    report = find_report(holder)
    if report is not None:
        return report.evidence.spans
    if not isinstance(holder, list | tuple) and not hasattr(holder, "__dict__"):
        raise InputError(
            f"extract_spans: got {type(holder).__name__}; allowed are responses, chat responses, agent and tool "
            "outputs, and lists of nodes"
        )
    reading = Reading(fields or SpanFields(), document_text, metadata_counts=False)
    return distinct(span for nodes in _groups(holder) for span in read(nodes, reading).spans)


_INSIDE = ("tool_calls", "tool_output", "sources", "raw_output", "raw")
"""Where chat responses, agent outputs and tool results keep what their tools returned."""


def _groups(holder: Any) -> list[Sequence[NodeWithScore | BaseNode]]:
    """Lists of nodes in `holder`, also those of the tools it called."""
    if isinstance(holder, list | tuple):
        if all(isinstance(item, NodeWithScore | BaseNode) for item in holder):
            return [holder]
        return [group for item in holder for group in _groups(item)]
    own = getattr(holder, "__dict__", {})
    if own.get("source_nodes"):
        return [own["source_nodes"]]
    return [group for name in _INSIDE if own.get(name) for group in _groups(own[name])]


__all__ = ["SpanCapture", "extract_spans"]
