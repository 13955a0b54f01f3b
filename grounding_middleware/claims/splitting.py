"""Statements of an answer, in order, with exact offsets; nothing material is left out (CL-1 to CL-3).

Order of work: JSON fields and blocks; sentences of each block; sentences whose parts differ in type are cut; whatever
no statement holds becomes one. Otherwise a sentence is a claim: blind decomposition raises false alarms.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from grounding_middleware.claims.blocks import Block, BlockKind, scan
from grounding_middleware.claims.compounds import divide
from grounding_middleware.claims.contexts import contexts
from grounding_middleware.claims.drafts import Draft, finish
from grounding_middleware.claims.headings import classify_header, classify_heading
from grounding_middleware.claims.json_fields import regions
from grounding_middleware.claims.json_statements import json_drafts
from grounding_middleware.claims.language import detect
from grounding_middleware.claims.ledger import uncovered
from grounding_middleware.claims.linebreaks import chunks
from grounding_middleware.claims.markup import markup
from grounding_middleware.claims.scaffold import build
from grounding_middleware.claims.sentences import sentences
from grounding_middleware.claims.source_lists import mark_source_entries
from grounding_middleware.claims.statements import Statement
from grounding_middleware.claims.trimming import blanked, trim, within
from grounding_middleware.records import Citation, Claim, Range

__all__ = ["split"]

_FORMS = {
    BlockKind.LIST_ITEM: "list_item",
    BlockKind.HEADING: "heading",
    BlockKind.TABLE_HEADER: "heading",
    BlockKind.TABLE_ROW: "table_row",
    BlockKind.CODE: "code",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """One answer being split."""

    answer: str
    blocks: Sequence[Block]
    markers: Sequence[Range]
    language: str
    question: str


def split(answer: str, citations: Sequence[Citation], question: str = "", beside: str = "") -> tuple[Claim, ...]:
    """Every statement of `answer`, claims and others, ordered and without overlap.

    `citations` are the markers that `citations.resolve` found; none stands at the end of a statement. Which claims they
    belong to is filled in by `citations.attach`. `beside` is text of the sources, which tells the language of an answer
    too short to tell it by itself.
    """
    markers = sorted({(citation.start, citation.end) for citation in citations})
    documents = regions(answer)
    reading = Reading(answer, scan(answer), markers, detect(answer, question, beside), question)
    found = _block_drafts(reading, [(one.start, one.end) for one in documents])
    drafts = [*mark_source_entries(answer, found, reading.language)]
    for document in documents:
        block = _block_at(reading.blocks, document.start)
        drafts += [one._replace(block=block) for one in json_drafts(answer, document, markers, reading.language)]
    covered = [(draft.start, draft.end) for draft in drafts]
    ignored = [*markers, *markup(answer, reading.blocks, documents)]
    drafts += [
        Draft(low, high, "sentence", Statement.CLAIM, _block_at(reading.blocks, low))
        for low, high in uncovered(answer, covered, ignored)
    ]
    return finish(answer, sorted(drafts), reading.language)


def _block_drafts(reading: Reading, hidden: Sequence[Range]) -> Iterator[Draft]:
    """The statements of all blocks outside the ranges `hidden`."""
    starts = [low for low, _ in hidden]
    for number, (block, context) in enumerate(
        zip(reading.blocks, contexts(reading.answer, reading.blocks), strict=True)
    ):
        found = [draft for run in _shown(block, starts, hidden) for draft in _statements(reading, number, run)]
        yield from _contextual(found, context)


def _shown(block: Block, starts: Sequence[int], hidden: Sequence[Range]) -> Iterator[Block]:
    """The block without the lines inside `hidden`: a JSON document may have prose right above and below it."""

    def region(line: Range) -> int:
        """Which hidden range a line stands behind, from 0; negative when it stands inside one."""
        at = bisect_right(starts, line[0])
        return -at if at and line[1] <= hidden[at - 1][1] else at

    for at, lines in groupby(block.lines, key=region):
        if at >= 0:
            yield block._replace(lines=tuple(lines))


def _contextual(drafts: list[Draft], context: str) -> Iterator[Draft]:
    """`drafts` of one block with its context; several sentences are each other's context and need no other."""
    for draft in drafts:
        single = len(drafts) == 1 or draft.form == "table_row"
        yield draft._replace(context=context) if single and not draft.context else draft


def _statements(reading: Reading, number: int, block: Block) -> Iterator[Draft]:
    form = "quote" if block.quoted else _FORMS.get(block.kind, "sentence")
    if block.kind in (BlockKind.HEADING, BlockKind.TABLE_HEADER, BlockKind.TABLE_ROW):
        yield from _line(reading, number, block, form)
    elif block.kind is BlockKind.CODE:
        yield from _code(reading, number, block)
    else:
        for low, high in _sentences(reading, block):
            yield from _parts(reading, low, high, form, number)


def _line(reading: Reading, number: int, block: Block, form: str) -> Iterator[Draft]:
    """A heading, a header row or a row: one statement."""
    low, high = trim(reading.answer, block.lines[0][0], block.lines[-1][1], reading.markers)
    text = blanked(reading.answer, low, high, reading.markers)
    statement = Statement.CLAIM
    if block.kind is BlockKind.HEADING:
        statement = classify_heading(text, reading.language, reading.question)
    elif block.kind is BlockKind.TABLE_HEADER:
        rows = number + 2 < len(reading.blocks) and reading.blocks[number + 2].kind is BlockKind.TABLE_ROW
        statement = classify_header(text, reading.language, has_rows=rows)
    if low < high:
        yield Draft(low, high, form, statement, number)


def _code(reading: Reading, number: int, block: Block) -> Iterator[Draft]:
    """One statement for each line; a continued line and lines of mere brackets belong to the line before them."""
    open_range: Range | None = None
    for low, high in block.lines:
        bare = not any(letter.isalnum() for letter in reading.answer[low:high])
        if open_range and (bare or reading.answer[open_range[1] - 1] == "\\"):
            open_range = (open_range[0], high)
            continue
        if open_range:
            yield Draft(*open_range, "code", Statement.CLAIM, number)
        open_range = (low, high)
    if open_range:
        yield Draft(*open_range, "code", Statement.CLAIM, number)


def _sentences(reading: Reading, block: Block) -> Iterator[Range]:
    """The sentences of running text as ranges of the answer, untrimmed."""
    for lines in chunks(reading.answer, block.lines, reading.language):
        clean = build(reading.answer, lines, within(reading.markers, lines[0][0], lines[-1][1]), reading.language)
        for low, high in sentences(clean.text, reading.language):
            if clean.text[low:high].strip():
                yield clean.range(low, high)


def _parts(reading: Reading, low: int, high: int, form: str, number: int) -> Iterator[Draft]:
    """One sentence, or its parts where they differ in type; a colon behind a marker still tells what it is."""
    low, _ = trim(reading.answer, low, high, reading.markers)
    found = divide(blanked(reading.answer, low, high, reading.markers), reading.language, reading.question)
    context = reading.answer[slice(*trim(reading.answer, low, high, reading.markers))] if len(found) > 1 else ""
    for start, end, statement in found:
        begin, stop = trim(reading.answer, low + start, low + end, reading.markers)
        if begin < stop:
            yield Draft(begin, stop, form, statement, number, context)


def _block_at(blocks: Sequence[Block], at: int) -> int:
    return max(0, bisect_right(blocks, at, key=lambda block: block.start) - 1)
