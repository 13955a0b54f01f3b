"""Documents of a framework become spans: copied at once, ids stable across re-indexing, offset hints left as hints."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import PurePosixPath
from typing import Any

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
    source: tuple[str, ...] = ("source_id", "source", "url", "file_path", "file_name", "filename")
    version: tuple[str, ...] = ("version", "revision")
    section: tuple[str, ...] = ("section", "heading", "header_path", "page_label")
    start: tuple[str, ...] = ("start_index",)
    effective_from: tuple[str, ...] = ("effective_from",)
    effective_to: tuple[str, ...] = ("effective_to",)
    superseded_by: tuple[str, ...] = ("superseded_by",)
    audience: tuple[str, ...] = ("audience",)
    attributes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What one document said at the moment it was retrieved; later changes of the document do not reach it.

    `source`, `version` and `start` are what the framework knows beside the metadata; the metadata goes before.
    """

    text: str
    document_id: str | None
    metadata: Mapping[str, Any]
    source: str = ""
    version: str = ""
    start: int | None = None


def to_spans(
    snapshots: Iterable[Snapshot], fields: SpanFields, source_text: SourceText | None = None
) -> tuple[Span, ...]:
    """One span for each distinct text of each source, in the order retrieved; ids are unique.

    Empty documents carry nothing that could be cited and are left out. Raises `InputError` for a date that is none.
    """
    return distinct(to_span(snapshot, fields, source_text) for snapshot in snapshots if snapshot.text.strip())


def distinct(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Each id once: the same text of the same source counts once, another text under the same id is renamed."""
    kept: dict[str, Span] = {}
    for span in spans:
        same = kept.get(span.id)
        if same is None:
            kept[span.id] = span
        elif (same.text, same.source_id) != (span.text, span.source_id):  # the id alone would not say which
            other = span.replace(id=f"{span.id}-{sha256(span.source_id + chr(0) + span.text)[:8]}")
            kept.setdefault(other.id, other)
    return tuple(kept.values())


def to_span(snapshot: Snapshot, fields: SpanFields, source_text: SourceText | None = None) -> Span:
    """The span of one snapshot. Offsets count as verified only if slicing the full source gives the text."""
    metadata, text = snapshot.metadata, snapshot.text
    named, version, section = (text_of(metadata, keys) for keys in (fields.source, fields.version, fields.section))
    start = first_of(metadata, fields.start)
    hint = start if type(start) is int and start >= 0 else snapshot.start
    own_id = text_of(metadata, fields.id) or stable_id(snapshot.document_id)
    head = _short(named or stable_id(snapshot.source)) or "doc"
    span = Span(
        id=_marker(own_id or mint_id(head, version, section, text)),
        source_id=named or snapshot.source or own_id or "",
        version=version or snapshot.version,
        section=section,
        text=text,
        start=hint,
        end=None if hint is None else hint + len(text),
        effective_from=_date(metadata, fields.effective_from),
        effective_to=_date(metadata, fields.effective_to),
        superseded_by=text_of(metadata, fields.superseded_by) or None,
        audience=_audience(metadata, fields),
        delivered=False,
        metadata=metadata,
    )
    full = source_text(metadata) if source_text else None
    return span if full is None else confirm_offsets(span, full)


def first_of(metadata: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    """The first value under `keys` that is there and not empty."""
    return next((metadata[key] for key in keys if metadata.get(key) not in (None, "")), None)


def text_of(metadata: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    """The same as text, "" without one."""
    value = first_of(metadata, keys)
    return "" if value is None else str(value)


def stable_id(document_id: str | None) -> str:
    """The id unless it is random: stores give a new UUID at every indexing (EV-2)."""
    return "" if not document_id or _RANDOM_ID.fullmatch(document_id) else document_id


def plain(value: Any) -> Any:
    """A deep copy made of JSON values only; anything else by its text."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return value.isoformat() if isinstance(value, date) else str(value)


def _date(metadata: Mapping[str, Any], keys: tuple[str, ...]) -> date | None:
    value = first_of(metadata, keys)
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
    nested = first_of(metadata, fields.audience)
    flat = {key: metadata[key] for key in fields.attributes if metadata.get(key) is not None}
    return {**(nested if isinstance(nested, Mapping) else {}), **flat}


def _short(source: str) -> str:
    """Last part of a path or URL, so that an id stays readable in an answer."""
    return PurePosixPath(source.rstrip("/").replace("\\", "/")).name or source


def _marker(span_id: str) -> str:
    """An id that can stand inside a citation marker: no blanks, brackets or separators."""
    return _UNSAFE_IN_MARKER.sub("-", span_id).strip("-") or f"doc-{sha256(span_id)[:8]}"
