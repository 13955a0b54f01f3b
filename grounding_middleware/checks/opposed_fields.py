"""JSON fields (CH-3): "cargo_hold": "aft" beside "stowed in the forward cargo hold".

A field leaves out the verb of the sentence, so its key and its value are all that can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.case import Reporter, place
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("polarity")
_OPEN: Final = ("negation", "condition", "certainty", "quantity")
_FEWEST: Final = 2  # words of the key, or of what identifies the object, that the sentence must have


def opposed_field(alignment: Alignment) -> Iterator[Finding]:
    """A conflict where the sentence has the words of the key and, right beside one of them, the opposite value."""
    claim, source = alignment.claim, alignment.source
    if not claim.tabular or not claim.text.startswith('"') or len(alignment.opposed) != 1:
        return
    value, other = alignment.opposed[0]
    stated = [item for item in claim.items if item.start > claim.start]
    homes = {there.segment for _, there in alignment.pairs}
    if stated != [value] or homes != {other.segment} or len(alignment.pairs) < _FEWEST:
        return
    beside = any(abs(there.position - other.position) == 1 for _, there in alignment.pairs)
    if beside and not any(cue.table in _OPEN and cue.segment in homes for cue in source.cues):
        message = f"source '{other.text}', answer '{value.text}'"
        yield _REPORT.conflict("field-opposite", message, Kind.ANTONYM, place(alignment, value, other))
