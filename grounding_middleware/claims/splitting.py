"""Statements of an answer, in order, with exact offsets; nothing material is left out (CL-1 to CL-3).

Order of work: JSON or blocks; sentences of each block; sentences whose parts differ in type are cut; whatever no
statement holds becomes one. Sentence = claim otherwise: blind decomposition raises false alarms.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from grounding_middleware.claims.blocks import Block, BlockKind, scan
from grounding_middleware.claims.compounds import divide
from grounding_middleware.claims.drafts import Draft, finish
from grounding_middleware.claims.language import detect
from grounding_middleware.claims.ledger import uncovered
from grounding_middleware.claims.scaffold import build
from grounding_middleware.claims.sentences import sentences
from grounding_middleware.claims.statements import Statement, classify
from grounding_middleware.records import Citation, Claim, Range

__all__ = ["split"]

_FORMS = {
    BlockKind.LIST_ITEM: "list_item",
    BlockKind.HEADING: "heading",
    BlockKind.TABLE_HEADER: "heading",
    BlockKind.TABLE_ROW: "table_row",
    BlockKind.CODE: "code",
}
_ATOMIC = (BlockKind.HEADING, BlockKind.TABLE_HEADER, BlockKind.TABLE_ROW, BlockKind.CODE)


def split(answer: str, citations: Sequence[Citation], question: str = "") -> tuple[Claim, ...]:
    """Every statement of `answer`, claims and others, ordered and without overlap.

    `citations` are the markers that `citations.resolve` found; they never stand at the ends of a statement. The
    citations of the claims themselves are filled in by `citations.attach`.
    """
    markers = sorted({(citation.start, citation.end) for citation in citations})
    language = detect(answer, question)
    blocks = scan(answer)
    drafts = list(_drafts(answer, blocks, markers, language, question))
    drafts += _rest(answer, blocks, drafts, markers)
    return finish(answer, sorted(drafts), language, question)


def _drafts(
    answer: str, blocks: Sequence[Block], markers: Sequence[Range], language: str, question: str
) -> Iterator[Draft]:
    header = intro = ""
    for number, block in enumerate(blocks):
        if block.kind is BlockKind.TABLE_HEADER:
            header = answer[slice(*block.lines[0])]
        elif block.kind not in (BlockKind.TABLE_ROW, BlockKind.TABLE_RULE):
            header = ""
        context = header if block.kind is BlockKind.TABLE_ROW else ""
        form = "quote" if block.quoted else _FORMS.get(block.kind, "sentence")
        for start, end in _ranges(answer, block, markers, language):
            if block.kind in _ATOMIC:
                kind = _atomic(answer[start:end], block.kind, language, question)
                yield Draft(start, end, form, kind, number, context)
                continue
            for low, high, kind in divide(_unmarked(answer, start, end, markers), language, question):
                yield Draft(start + low, start + high, form, kind, number, context)
    del intro


def _unmarked(answer: str, start: int, end: int, markers: Sequence[Range]) -> str:
    """`answer[start:end]` with inner markers blanked, so that indexes stay right."""
    text = answer[start:end]
    for low, high in _within(markers, start, end):
        text = text[: low - start] + " " * (high - low) + text[high - start :]
    return text


def _within(markers: Sequence[Range], start: int, end: int) -> Sequence[Range]:
    low = bisect_left(markers, (start, 0))
    high = bisect_left(markers, (end, 0), low)
    return markers[low:high]


def _atomic(text: str, kind: BlockKind, language: str, question: str) -> Statement:
    if kind in (BlockKind.CODE, BlockKind.TABLE_ROW):
        return Statement.CLAIM
    return Statement.HEADING


def _ranges(answer: str, block: Block, markers: Sequence[Range], language: str) -> Iterator[Range]:
    """The statements of one block, without markers, stops after them and white space at their ends."""
    if block.kind in _ATOMIC:
        pieces: Iterator[Range] = iter(block.lines)
    else:
        inside = _within(markers, block.start, block.end)
        clean = build(answer, block.lines, inside)
        pieces = (
            clean.range(low, high) for low, high in sentences(clean.text, language) if clean.text[low:high].strip()
        )
    for low, high in pieces:
        start, end = _core(answer, low, high, _within(markers, block.start, block.end))
        if start < end:
            yield start, end


_STOPS = ".!?。！？…؟।;,:、；，： \t\r\n\u00a0*_|"


def _core(answer: str, start: int, end: int, markers: Sequence[Range]) -> Range:
    ends = {high: low for low, high in markers}
    begins = dict(markers)
    while start < end:
        if answer[start].isspace() or (start in begins and begins[start] <= end):
            start = begins.get(start, start + 1)
        else:
            break
    while start < end:
        at = end
        while at > start and answer[at - 1] in _STOPS:
            at -= 1
        if at in ends and ends[at] >= start:
            end = ends[at]
        elif answer[end - 1].isspace():
            end -= 1
        else:
            break
    return start, end


def _rest(answer: str, blocks: Sequence[Block], drafts: Sequence[Draft], markers: Sequence[Range]) -> list[Draft]:
    markup = list(markers)
    for block in blocks:
        at = block.start
        for low, high in block.lines:
            markup.append((at, low))
            at = high
        markup.append((at, block.end))
    found = uncovered(answer, [(draft.start, draft.end) for draft in drafts], markup)
    return [Draft(low, high, "sentence", Statement.CLAIM, 0) for low, high in found]
