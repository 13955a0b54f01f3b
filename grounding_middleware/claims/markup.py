"""What of an answer is structure and no content: bullets, numerals of lists, fences, outer pipes, JSON brackets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grounding_middleware.claims.blocks import Block
from grounding_middleware.claims.json_fields import Region
from grounding_middleware.claims.json_statements import is_prose
from grounding_middleware.records import Range

__all__ = ["markup"]


def markup(answer: str, blocks: Sequence[Block], documents: Sequence[Region]) -> Iterator[Range]:
    """The ranges of structure, in no particular order."""
    for block in blocks:
        at = block.start
        for low, high in block.lines:
            yield at, low
            at = high
        yield at, block.end
    for document in documents:
        yield from _json(answer, document)


def _json(answer: str, document: Region) -> Iterator[Range]:
    """Everything but the fields; of a field with running text its key as well."""
    at = document.start
    for field in document.fields:
        yield at, field.value_start if is_prose(answer, field) else field.start
        at = field.end
    yield at, document.end
