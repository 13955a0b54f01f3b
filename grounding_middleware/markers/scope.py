"""Which statements a marker covers (CI-2).

1. A marker covers the statement it stands in or directly behind; at the start of a sentence, the sentence it opens.
2. When only the last sentence of a paragraph or list item carries markers, the sentences before it share them.
3. Markers of a line that announces a list, a table, code or a quotation, of a heading, of a header row or of a list
   item with items below it hold for what it stands over, if nothing there has markers of its own. A marker alone in
   a block holds for the block before it.
4. A citation field of a JSON object covers its fields and those of objects inside it without one of their own.
Coverage by 2 and 3 is a guess and is flagged ambiguous, but for code and quotations behind a colon.
"""

from __future__ import annotations

from collections.abc import Sequence

from grounding_middleware.claims.blocks import scan
from grounding_middleware.markers.inheriting import inherit
from grounding_middleware.markers.json_scope import cover_fields
from grounding_middleware.markers.placing import Coverage, place
from grounding_middleware.records import Citation, Claim

__all__ = ["attach"]


def attach(claims: Sequence[Claim], citations: Sequence[Citation], answer: str) -> tuple[Claim, ...]:
    """`claims` with their citations, as indexes into `citations`, and the flag for uncertain mappings filled in."""
    coverage = Coverage(claims, citations, scan(answer), answer)
    fields = cover_fields(coverage)
    place(coverage, skip=fields)
    inherit(coverage)
    return tuple(
        claim.model_copy(update={"citations": tuple(sorted(found)), "citation_ambiguous": number in coverage.ambiguous})
        for number, (claim, found) in enumerate(zip(claims, coverage.found, strict=True))
    )
