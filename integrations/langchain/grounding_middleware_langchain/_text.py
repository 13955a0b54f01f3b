"""What of a span a reader of the prompt sees first."""

from __future__ import annotations

from grounding_middleware.evidence import delivered_ranges
from grounding_middleware.records import Span


def visible(span: Span) -> str:
    """The first delivered part of a span's text, all of it if nothing is known to be cut."""
    ranges = delivered_ranges(span)
    return span.text[ranges[0][0] : ranges[0][1]] if ranges else span.text
