"""Citations of an answer: what every marker names, and which statements it covers (CI-1, CI-2, CI-5).

`resolve` finds markers and looks their ids up in the evidence, never in the text of a span (EV-9). A marker that leads
to no usable span is kept, with the kind and the reason of its failure. `attach` gives each statement its citations.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from grounding_middleware.claims.blocks import BlockKind, scan
from grounding_middleware.claims.json_fields import Region, regions
from grounding_middleware.markers.finding import Marker, markers
from grounding_middleware.markers.json_sources import references
from grounding_middleware.markers.names import Names
from grounding_middleware.markers.scope import attach
from grounding_middleware.markers.syntax import CitationSyntax
from grounding_middleware.records import Citation, Evidence, Range

__all__ = ["CitationSyntax", "attach", "resolve"]

_INLINE_CODE = re.compile(r"(?<!`)(`{1,8})(?!`)[^\r\n]{1,2000}?(?<!`)\1(?!`)")


def resolve(answer: str, evidence: Evidence, syntax: CitationSyntax | None = None) -> tuple[Citation, ...]:
    """Every marker of `answer`, in order, resolved against the ids of `evidence`.

    A grouped marker gives one citation for each id it names, all with the range of the group.
    """
    names, documents = Names(evidence), regions(answer)
    found = [*markers(answer, names, syntax or CitationSyntax(), _opaque(answer, documents))]
    for document in documents:
        found += [Marker(one.field.start, one.field.end, one.refs) for one in references(answer, document, names)]
    return tuple(citation for marker in sorted(found) for citation in _citations(answer, marker, names))


def _citations(answer: str, marker: Marker, names: Names) -> Iterator[Citation]:
    text = answer[marker.start : marker.end]
    for ref in marker.refs:
        target = names.target(ref)
        yield Citation(marker=text, ref=ref, start=marker.start, end=marker.end, **target._asdict())


def _opaque(answer: str, documents: Sequence[Region]) -> list[Range]:
    """Where no marker can stand, in order: code blocks, inline code, JSON outside its text values."""
    inside = [(document.start, document.end) for document in documents]
    code = [(block.start, block.end) for block in scan(answer) if block.kind in (BlockKind.CODE, BlockKind.FENCE)]
    code += [match.span() for match in _INLINE_CODE.finditer(answer)]
    return sorted([*_outside(code, inside), *(one for document in documents for one in _structure(answer, document))])


def _outside(ranges: Sequence[Range], hidden: Sequence[Range]) -> Iterator[Range]:
    """Those of `ranges` that do not touch any of the sorted `hidden`."""
    starts = [low for low, _ in hidden]
    for low, high in ranges:
        at = bisect_left(starts, high) - 1
        if at < 0 or hidden[at][1] <= low:
            yield low, high


def _structure(answer: str, document: Region) -> Iterator[Range]:
    at = document.start
    for field in document.fields:
        if answer[field.value_start] == '"':
            yield at, field.value_start
            at = field.end
    yield at, document.end
