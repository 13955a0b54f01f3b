"""Nodes become spans: what LlamaIndex knows about a text, read once and never trusted further than it can be checked.

Offsets of nodes are hints: parsers leave them out, count from an intermediate node, or keep them when a text changes.
A node nobody can be named for (no source document, no source in its metadata, no id of its own) may be a model's text
wrapped by an engine, and is no evidence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from llama_index.core.schema import BaseNode, MetadataMode, NodeWithScore, TextNode

from grounding_middleware.capture import Snapshot, SpanFields, distinct, plain, stable_id, to_span
from grounding_middleware.evidence import mint_id
from grounding_middleware.records import Span, sha256

RECORD = "_grounding_span"
"""Metadata key under which `SpanCapture` keeps what a node was: a flat string, because stores refuse anything else."""

OWN_RECORD = "_grounding_origin"
"""The same, put there by a grounded engine for itself, and taken away before anything is handed out."""

FACTS = "llama_index"
"""Key of a span's metadata for what LlamaIndex knows: node id, document id, place in the node, state of the offsets."""

DocumentText = Callable[[str], str | None]
"""Full text of a source document, given its id (`node.ref_doc_id`); None when it cannot be had."""

_CITATION = re.compile(r"Source (\d+):\n")
_VERSION_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Reading:
    """How nodes are read: metadata keys, the full texts of documents, whether metadata shown to the model counts."""

    fields: SpanFields = field(default_factory=SpanFields)
    document_text: DocumentText | None = None
    metadata_counts: bool = True


@dataclass(frozen=True, slots=True)
class Origin:
    """What a node was when it was captured. `start` locates its text in the document, verified or not."""

    text: str
    node_id: str
    ref_doc_id: str = ""
    version: str = ""
    start: int | None = None
    verified: bool = False
    sha256: str = ""

    @classmethod
    def of(cls, node: BaseNode, document_text: DocumentText | None = None) -> Origin:
        """The node as it is now, its offset confirmed in the document where that can be had."""
        text = node.get_content(metadata_mode=MetadataMode.NONE)
        doc_id = node.ref_doc_id or ""
        source = node.source_node
        version = (source.hash if source else "") or ""
        start, verified = _place(text, _hint(node, text), document_text(doc_id) if document_text and doc_id else None)
        return cls(text, node.node_id, doc_id, version[:_VERSION_DIGITS], start, verified, sha256(text))

    @classmethod
    def recorded(cls, node: BaseNode) -> Origin | None:
        """What was captured for this node earlier; None when nothing was, or it is not readable."""
        value = node.metadata.get(OWN_RECORD) or node.metadata.get(RECORD)
        try:
            return cls(**json.loads(value)) if isinstance(value, str) else None
        except (TypeError, ValueError):
            return None

    def dumped(self) -> str:
        """As a flat string."""
        return json.dumps(asdict(self), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Found:
    """The spans of some nodes, and the nodes that gave none: nobody's, or changed after they were captured."""

    spans: tuple[Span, ...] = ()
    numbered: bool = False
    nameless: int = 0
    changed: int = 0

    @property
    def citable(self) -> tuple[Span, ...]:
        """The spans a model is told to cite: texts, for a reader takes the metadata above one for a part of it."""
        return tuple(span for span in self.spans if not is_metadata(span))


def nodes_of(items: Iterable[NodeWithScore | BaseNode]) -> list[BaseNode]:
    """The nodes without their scores."""
    return [item.node if isinstance(item, NodeWithScore) else item for item in items]


def read(items: Iterable[NodeWithScore | BaseNode], reading: Reading) -> Found:
    """Spans of the nodes in order, not yet marked as delivered; the nodes themselves stay as they are."""
    nodes = nodes_of(items)
    texts = [node.get_content(metadata_mode=MetadataMode.NONE) for node in nodes]
    numbered = bool(nodes) and all(_number(text) == at for at, text in enumerate(texts, 1))
    pieces = [_chunk(node, text) if numbered else text for node, text in zip(nodes, texts, strict=True)]
    readers = [_Read(node, piece, reading) for node, piece in zip(nodes, pieces, strict=True)]
    named = [(at, reader) for at, reader in enumerate(readers, 1) if reader.has_name]
    spans = tuple(span for at, reader in named for span in reader.spans(str(at) if numbered else ""))
    return Found(
        spans=distinct(spans),
        numbered=numbered,
        nameless=sum(not reader.has_name and bool(reader.text.strip()) for reader in readers),
        changed=sum(reader.changed for reader in readers),
    )


def has_name(node: BaseNode, reading: Reading) -> bool:
    """Whether anything says where this node's text comes from."""
    return _Read(node, "", reading).has_name


class _Read:
    """One node, with what it was when it was captured; the captured text is the evidence, not what became of it."""

    def __init__(self, node: BaseNode, text: str, reading: Reading) -> None:
        recorded = Origin.recorded(node)
        self.node, self.reading = node, reading
        self.origin = recorded or Origin.of(node, reading.document_text)
        self.at = self.origin.text.find(text)
        self.changed = recorded is not None and self.at < 0
        self.text = self.origin.text if self.changed else text
        self.metadata = _own_metadata(node.metadata)

    @property
    def has_name(self) -> bool:
        """Whether anything says where this text comes from."""
        fields = self.reading.fields
        keys = (*fields.source, *fields.id)
        origin = self.origin
        return bool(origin.ref_doc_id or stable_id(origin.node_id) or any(self.metadata.get(key) for key in keys))

    def spans(self, number: str) -> list[Span]:
        """The span of the text, and one of the metadata the model was shown with it."""
        if not self.text.strip():
            return []
        text = self._text_span()
        if number:
            text = text.replace(id=number, metadata={**text.metadata, "minted_id": text.id})
        shown = self.node.get_metadata_str(mode=MetadataMode.LLM) if self.reading.metadata_counts else ""
        return [text, _metadata_span(text, shown)] if shown.strip() else [text]

    def _text_span(self) -> Span:
        origin, low = self.origin, max(self.at, 0)
        start = None if origin.start is None or self.at < 0 else origin.start + low
        snapshot = Snapshot(self.text, origin.node_id, self.metadata, origin.ref_doc_id, origin.version, start)
        span = to_span(snapshot, self.reading.fields)
        verified = start is not None and span.start == start and origin.verified
        state = "none" if span.start is None else "verified" if verified else "unverified"
        facts = {
            "node_id": origin.node_id,
            "ref_doc_id": origin.ref_doc_id,
            "node_range": [low, low + len(self.text)],
            "node_sha256": origin.sha256,
            "doc_offsets": state,
        }
        return span.replace(offsets_verified=verified, metadata={**span.metadata, FACTS: facts})


def without_records(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """A node's metadata less what capturing put there."""
    return {key: value for key, value in metadata.items() if key not in (RECORD, OWN_RECORD)}


def recorded_copy(item: NodeWithScore, key: str, document_text: DocumentText | None) -> NodeWithScore:
    """A copy that carries what the node is now, kept out of prompts and embeddings."""
    node = item.node
    copy = node.model_copy(
        update={
            "metadata": {**node.metadata, key: Origin.of(node, document_text).dumped()},
            "excluded_llm_metadata_keys": [*node.excluded_llm_metadata_keys, key],
            "excluded_embed_metadata_keys": [*node.excluded_embed_metadata_keys, key],
        }
    )
    return NodeWithScore(node=copy, score=item.score)


def _own_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    own: dict[str, Any] = plain(without_records(metadata))
    return own


def _metadata_span(text: Span, shown: str) -> Span:
    """The model reads "key: value" lines above a node, so a claim may rest on them."""
    return text.replace(
        id=mint_id("metadata", "", text.source_id, shown),
        text=shown,
        sha256="",
        start=None,
        end=None,
        offsets_verified=False,
        metadata={**text.metadata, FACTS: {**text.metadata[FACTS], "kind": "metadata", "doc_offsets": "none"}},
    )


def is_metadata(span: Span) -> bool:
    """Whether the span is the metadata above a node, and not its text."""
    facts = span.metadata.get(FACTS)
    return isinstance(facts, Mapping) and facts.get("kind") == "metadata"


def _hint(node: BaseNode, text: str) -> int | None:
    """The offset a parser left, if it can be true at all: it must span the text."""
    if not isinstance(node, TextNode) or node.start_char_idx is None or node.end_char_idx is None:
        return None
    fits = node.start_char_idx >= 0 and node.end_char_idx - node.start_char_idx == len(text)
    return node.start_char_idx if fits else None


def _place(text: str, hint: int | None, document: str | None) -> tuple[int | None, bool]:
    """Where the text stands in its document, and whether that was seen; a wrong hint gives way to the only place."""
    if document is None or not text:
        return hint, False
    if hint is not None and document.startswith(text, hint):
        return hint, True
    first = document.find(text)
    only = first >= 0 and document.find(text, first + 1) < 0
    return (first, True) if only else (None, False)


def _number(text: str) -> int | None:
    match = _CITATION.match(text)
    return int(match[1]) if match else None


def _chunk(node: BaseNode, text: str) -> str:
    """The chunk of a citation node, without the header and the metadata that the engine may have put before it."""
    match = _CITATION.match(text)
    body = text[match.end() :].removesuffix("\n") if match else text
    for mode in (MetadataMode.LLM, MetadataMode.EMBED, MetadataMode.ALL):
        head = node.get_metadata_str(mode=mode)
        if head and body.startswith(head):
            return body[len(head) :].lstrip("\n")
    return body


__all__ = [
    "FACTS",
    "OWN_RECORD",
    "RECORD",
    "DocumentText",
    "Found",
    "Origin",
    "Reading",
    "has_name",
    "is_metadata",
    "nodes_of",
    "read",
    "recorded_copy",
    "without_records",
]
