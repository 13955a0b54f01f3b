"""LangChain documents become spans: copied at once, ids stable across re-indexing, offset hints left as hints."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import PurePosixPath
from typing import Any

from langchain_core.documents import Document

from grounding_middleware.errors import InputError
from grounding_middleware.evidence import confirm_offsets, mint_id
from grounding_middleware.records import Span, sha256

SourceText = Callable[[Mapping[str, Any]], str | None]
"""Full text of the source a document was cut from, given its metadata; None when it cannot be had."""

_RANDOM_ID = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE)
_UNSAFE_IN_MARKER = re.compile(r"[\s\[\](){},;|\x00-\x1f\x7f-\x9f\ud800-\udfff]+")


@dataclass(frozen=True, slots=True)
class SpanFields:
    """Metadata keys read for each field of a span; the first key that is there and not empty counts.

    `audience` names keys that hold a mapping of attributes. `attributes` names flat keys that are one attribute each
    (`tenant`, `region`); none by default, because an access attribute closes a span to everybody without a requester.
    """

    id: tuple[str, ...] = ("span_id", "id")
    source: tuple[str, ...] = ("source_id", "source", "url", "file_path", "file_name")
    version: tuple[str, ...] = ("version", "revision")
    section: tuple[str, ...] = ("section", "heading")
    start: tuple[str, ...] = ("start_index",)
    effective_from: tuple[str, ...] = ("effective_from",)
    effective_to: tuple[str, ...] = ("effective_to",)
    superseded_by: tuple[str, ...] = ("superseded_by",)
    audience: tuple[str, ...] = ("audience",)
    attributes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What one document said at the moment it was retrieved; later changes of the document do not reach it."""

    text: str
    document_id: str | None
    metadata: Mapping[str, Any]

    @classmethod
    def of(cls, document: Document) -> Snapshot:
        """A copy that shares nothing with `document`: vector stores hand out their live metadata."""
        return cls(document.page_content, document.id, _plain(document.metadata))


def to_spans(
    snapshots: Iterable[Snapshot], fields: SpanFields, source_text: SourceText | None = None
) -> tuple[Span, ...]:
    """One span for each distinct text of each source, in the order retrieved; ids are unique.

    Empty documents carry nothing that could be cited and are left out. Raises `InputError` for a date that is none.
    """
    spans: dict[str, Span] = {}
    for snapshot in snapshots:
        if not snapshot.text.strip():
            continue
        span = to_span(snapshot, fields, source_text)
        same = spans.get(span.id)
        if same is not None and (same.text, same.source_id) == (span.text, span.source_id):
            continue  # retried, or found by several retrievers
        if same is not None:  # one id, two texts: the id alone would not say which
            span = span.replace(id=f"{span.id}-{sha256(span.source_id + chr(0) + span.text)[:8]}")
        spans.setdefault(span.id, span)
    return tuple(spans.values())


def to_span(snapshot: Snapshot, fields: SpanFields, source_text: SourceText | None = None) -> Span:
    """The span of one snapshot. Offsets count as verified only if slicing the full source gives the text."""
    metadata, text = snapshot.metadata, snapshot.text
    source, version, section = (_text(metadata, keys) for keys in (fields.source, fields.version, fields.section))
    start = _first(metadata, fields.start)
    hint = start if type(start) is int and start >= 0 else None
    own_id = _text(metadata, fields.id) or _stable(snapshot.document_id)
    span = Span(
        id=_marker(own_id or mint_id(_short(source) or "doc", version, section, text)),
        source_id=source or own_id or "",
        version=version,
        section=section,
        text=text,
        start=hint,
        end=None if hint is None else hint + len(text),
        effective_from=_date(metadata, fields.effective_from),
        effective_to=_date(metadata, fields.effective_to),
        superseded_by=_text(metadata, fields.superseded_by) or None,
        audience=_audience(metadata, fields),
        delivered=False,
        metadata=metadata,
    )
    full = source_text(metadata) if source_text else None
    return span if full is None else confirm_offsets(span, full)


def restore_sources(outer: Sequence[Snapshot], inner: Sequence[Snapshot], fields: SpanFields) -> tuple[Snapshot, ...]:
    """`outer` with the metadata a reranker or compressor dropped, taken from the retrieval it wrapped.

    A document is recognised by its exact text, or as the one place its text was cut from; never by similarity.
    """
    return tuple(
        snapshot if _text(snapshot.metadata, fields.source) else _restored(snapshot, inner) for snapshot in outer
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


def _first(metadata: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    return next((metadata[key] for key in keys if metadata.get(key) not in (None, "")), None)


def _text(metadata: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    value = _first(metadata, keys)
    return "" if value is None else str(value)


def _date(metadata: Mapping[str, Any], keys: tuple[str, ...]) -> date | None:
    value = _first(metadata, keys)
    if value is None:
        return None
    try:
        return datetime.fromisoformat(str(value)).date()
    except ValueError as error:
        raise InputError(
            f"document metadata {'/'.join(keys)}: {value!r} is no ISO date; allowed is YYYY-MM-DD, "
            f"or name other keys with SpanFields({keys[0]}=...)"
        ) from error


def _audience(metadata: Mapping[str, Any], fields: SpanFields) -> dict[str, Any]:
    nested = _first(metadata, fields.audience)
    flat = {key: metadata[key] for key in fields.attributes if metadata.get(key) is not None}
    return {**(nested if isinstance(nested, Mapping) else {}), **flat}


def _stable(document_id: str | None) -> str:
    """The document's id unless it is random: stores give a new UUID at every indexing (EV-2)."""
    return "" if not document_id or _RANDOM_ID.fullmatch(document_id) else document_id


def _short(source: str) -> str:
    """Last part of a path or URL, so that an id stays readable in an answer."""
    return PurePosixPath(source.rstrip("/").replace("\\", "/")).name or source


def _marker(span_id: str) -> str:
    """An id that can stand inside a citation marker: no blanks, brackets or separators."""
    return _UNSAFE_IN_MARKER.sub("-", span_id).strip("-") or f"doc-{sha256(span_id)[:8]}"


def _plain(value: Any) -> Any:
    """A deep copy made of JSON values only; anything else by its text."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return value.isoformat() if isinstance(value, date) else str(value)
