"""`annotated(report)`: the verified answer as a message with standard citation annotations.

On request only: some providers send annotations back to themselves on the next turn and reject what they do not know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.messages import AIMessage
from langchain_core.messages.content import Citation, create_citation, create_text_block

from grounding_middleware.capture import summary
from grounding_middleware.records import Edit, Label, Quote, Report, Verdict
from grounding_middleware_langchain._merge import applied


def annotated(report: Report) -> AIMessage:
    """The released text in one block; each supported claim is annotated with the passages that prove it, word for word.

    `start_index` and `end_index` count in the released text. Offsets of the passage in its source stand in `extras`
    when they are confirmed. An answer that was replaced as a whole has no annotations.
    """
    whole = applied(report.answer, report.edits) == report.text
    citations = list(_citations(report)) if whole else []
    block = create_text_block(report.text, annotations=list(citations))
    return AIMessage(content_blocks=[block], response_metadata={"grounding": summary(report)})


def _citations(report: Report) -> Iterator[Citation]:
    for verdict in report.claims:
        if verdict.label is Label.SUPPORTED:
            start, end = _moved(verdict.start, report.edits), _moved(verdict.end, report.edits)
            if start < end:
                yield from (_citation(quote, verdict, report, (start, end)) for quote in verdict.quotes)


def _citation(quote: Quote, verdict: Verdict, report: Report, place: tuple[int, int]) -> Citation:
    span = report.evidence.span(quote.span_id)
    source: dict[str, Any] = {"span_id": quote.span_id, "claim_id": verdict.id, "decided_by": verdict.decided_by}
    if span is not None:
        source |= {"version": span.version, "section": span.section, "sha256": span.sha256}
        if span.offsets_verified and span.start is not None:
            source |= {"source_start": span.start + quote.start, "source_end": span.start + quote.end}
    return create_citation(
        title=quote.span_id if span is None else span.source_id,
        start_index=place[0],
        end_index=place[1],
        cited_text=quote.text,
        **source,
    )


def _moved(position: int, edits: Sequence[Edit]) -> int:
    """Where an offset of the answer lies in the edited text; inside a removed range, where that range was."""
    shift = 0
    for edit in edits:
        if edit.end <= position:
            shift += len(edit.replacement) - (edit.end - edit.start)
        elif edit.start < position:
            shift -= position - edit.start
    return position + shift
