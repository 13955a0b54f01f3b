"""One document, its front matter and its spans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from grounding_middleware.errors import InputError
from grounding_middleware.records import Span
from grounding_middleware.sources.files import MAX_SOURCE_BYTES, find_files, read_text
from grounding_middleware.sources.passages import Passage, passages, whole
from grounding_middleware.validation import first_fault_with_value

_OWN_FIELDS = ("source_id", "version", "effective_from", "effective_to", "superseded_by")
_NOTHING = {"", "null", "~", "none"}
_FRONT_MATTER_LIMIT = 20_000  # characters; a longer block is text that happens to begin with a rule


class _Document(NamedTuple):
    path: Path
    name: str
    text: str
    body: int
    head: Mapping[str, Any]

    @property
    def source_id(self) -> str:
        return str(self.head.get("source_id") or self.path.stem)

    @property
    def edition(self) -> str:
        version = self.head.get("version")
        return f"{self.source_id}@{version}" if version else self.source_id

    @property
    def passages(self) -> Iterable[tuple[str, Passage]]:
        """Each passage with the end of its id; `NAME=FILE` asks for the whole text under the name alone."""
        if self.name:
            return [("", whole(self.text, self.body))]
        return ((f"#{number}", passage) for number, passage in enumerate(passages(self.text, self.body)))


def read_sources(patterns: Iterable[str]) -> tuple[Span, ...]:
    """The spans of all files that `patterns` name: `FILE`, a glob pattern, or `NAME=FILE` for one span called NAME.

    Two editions of one source (same `source_id`, other `version`) get ids `source_id@version#0`. Raises `InputError`,
    naming the file and what is allowed, for whatever cannot be used.
    """
    documents = [_document(path, name) for name, path in find_files(patterns)]
    editions = Counter(document.source_id for document in documents if not document.name)
    seen: dict[str, Path] = {}
    spans: list[Span] = []
    for document in documents:
        head = document.edition if editions[document.source_id] > 1 else document.source_id
        head = document.name or head
        if head in seen:
            both = f"{document.path} and {seen[head]}"
            raise InputError(f"{both}: both are source {head!r}; name one of them: NAME={document.path}")
        seen[head] = document.path
        spans.extend(_spans(document, head))
    return tuple(spans)


def _document(path: Path, name: str) -> _Document:
    text = read_text(path, MAX_SOURCE_BYTES)
    body = _front_matter_end(text)
    if not text[body:].strip():
        raise InputError(f"{path}: holds no text")
    head = _front_matter(path, text[:body])
    return _Document(path, name, text, body, head)


def _front_matter_end(text: str) -> int:
    """Offset behind the closing line of the front matter; 0 when the text does not begin with one."""
    lines = text[:_FRONT_MATTER_LIMIT].splitlines(keepends=True)
    if not lines or lines[0].rstrip() != "---":
        return 0
    position = len(lines[0])
    for line in lines[1:]:
        position += len(line)
        if line.rstrip() in ("---", "..."):
            return position
    return 0


def _front_matter(path: Path, block: str) -> Mapping[str, Any]:
    """Keys and values as written, without YAML's guesses at types: version 1.10 must not become 1.1."""
    inner = "\n".join(block.splitlines()[1:-1])
    if not inner.strip():
        return {}
    import yaml  # noqa: PLC0415  # 30 ms, only for files that have front matter

    try:
        if any(isinstance(token, yaml.AliasToken) for token in yaml.scan(inner)):
            raise InputError(f"{path}: front matter: aliases (*name) are not allowed")
        head = yaml.load(inner, Loader=yaml.BaseLoader) or {}  # noqa: S506  # builds str, list and dict, nothing else
    except (yaml.YAMLError, RecursionError) as error:
        raise InputError(f"{path}: front matter: {' '.join(str(error).split()):.200}") from error
    if not isinstance(head, dict):
        raise InputError(f"{path}: front matter: allowed are lines 'key: value', got {inner!r:.60}")
    return {key: value for key, value in head.items() if not (isinstance(value, str) and value.lower() in _NOTHING)}


def _spans(document: _Document, head: str) -> Iterable[Span]:
    fields = {key: document.head[key] for key in _OWN_FIELDS if key in document.head}
    metadata = {str(key): value for key, value in document.head.items() if key not in _OWN_FIELDS}
    audience = metadata.pop("audience") if isinstance(metadata.get("audience"), dict) else {}
    for tail, passage in document.passages:
        yield _span(
            document.path,
            {
                **fields,
                "id": head + tail,
                "source_id": document.source_id,
                "section": passage.section,
                "text": document.text[passage.start : passage.end],
                "start": passage.start,
                "end": passage.end,
                "offsets_verified": True,  # cut out of the file just now
                "audience": audience,
                "metadata": {**metadata, "file": str(document.path)},
            },
        )


def _span(path: Path, fields: Mapping[str, Any]) -> Span:
    try:
        return Span.model_validate(fields)
    except ValidationError as error:
        raise InputError(f"{path}: {first_fault_with_value(error, 'front matter')}") from error
