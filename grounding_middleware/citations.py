"""Citations of an answer: what every marker names, and which statements it covers (CI-1, CI-2, CI-5).

`resolve` finds markers and looks their ids up in the evidence, never in the text of a span (EV-9). A marker that leads
to no usable span is kept, with the kind and the reason of its failure. `attach` gives each statement its citations.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from grounding_middleware.claims.blocks import BlockKind, scan
from grounding_middleware.markers.names import Names
from grounding_middleware.markers.reading import Marker, markers
from grounding_middleware.markers.scope import attach
from grounding_middleware.markers.syntax import CitationSyntax
from grounding_middleware.records import Citation, Evidence, Range

__all__ = ["CitationSyntax", "attach", "resolve"]

_INLINE_CODE = re.compile(r"(?<!`)(`+)(?!`)[^\r\n]+?(?<!`)\1(?!`)")


def resolve(answer: str, evidence: Evidence, syntax: CitationSyntax | None = None) -> tuple[Citation, ...]:
    """Every marker of `answer`, in order, resolved against the ids of `evidence`.

    A grouped marker gives one citation for each id it names, all with the range of the group.
    """
    names = Names(evidence)
    found = markers(answer, names, syntax or CitationSyntax(), _code(answer))
    return tuple(citation for marker in found for citation in _citations(answer, marker, names))


def _citations(answer: str, marker: Marker, names: Names) -> Sequence[Citation]:
    text = answer[marker.start : marker.end]
    targets = [(ref, names.target(ref)) for ref in marker.refs]
    return [
        Citation(
            marker=text,
            ref=ref,
            start=marker.start,
            end=marker.end,
            span_ids=target.span_ids,
            kind=target.kind,
            reason=target.reason,
        )
        for ref, target in targets
    ]


def _code(answer: str) -> list[Range]:
    """Code blocks and inline code, in order: nothing in them is a citation."""
    blocks = [(block.start, block.end) for block in scan(answer) if block.kind in (BlockKind.CODE, BlockKind.FENCE)]
    inline = [match.span() for match in _INLINE_CODE.finditer(answer)]
    return sorted([*blocks, *inline])
