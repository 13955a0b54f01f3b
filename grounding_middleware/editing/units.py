"""The statements of the answer as units that stay or go: where they stand and which verdicts they carry."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grounding_middleware.editing.layout import Block, BlockKind, Layout
from grounding_middleware.errors import InputError
from grounding_middleware.records import Citation, Range, Verdict

JSON_FIELD = "json_field"
_STOP = re.compile(r"[.!?…。！？؟۔।\r\n]")
_JOINTS = ",;:،、，；：–—"
_JOINT = re.compile(rf"[{_JOINTS}]|\w")
_STRUCTURE = (BlockKind.BREAK, BlockKind.DEFINITION)
_WHOLE = ("table_row", "code", JSON_FIELD)  # forms that are no sentences


@dataclass(slots=True)
class Unit:
    """One statement, or the parts of one sentence together; `members` index the verdicts, empty where nobody judged.

    `gone` is the reason why it is removed, empty while it stays. `cut` is the range of a tail that goes alone. `fields`
    marks JSON, out of which single fields are taken elsewhere.
    """

    members: list[int]
    start: int
    end: int
    block: int
    gone: str = ""
    cut: Range | None = None
    fields: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """What editing reads: the untouched answer, its verdicts in order, its markers, its layout."""

    answer: str
    verdicts: Sequence[Verdict]
    citations: Sequence[Citation]
    layout: Layout

    def markers(self) -> list[Range]:
        """Ranges of the citation markers, in order, each once."""
        return sorted({(citation.start, citation.end) for citation in self.citations})


def gather(source: Source) -> list[Unit]:
    """All units in the order of the answer; a block without a verdict is one unit of its own.

    Raises `InputError` when a verdict does not fit the answer: cutting at wrong offsets would be worse than failing.
    """
    blocks, markers = source.layout.blocks, source.markers()
    units: list[Unit] = []
    for start, end, block, member in sorted(_pieces(source)):
        last = units[-1] if units else None
        if last and last.block == block and _same_sentence(source, markers, last, start, member):
            last.members.append(member)
            last.end = max(last.end, end)
        else:
            units.append(Unit([member], start, end, block, fields=source.verdicts[member].form == JSON_FIELD))
    judged = {unit.block for unit in units}
    units += [
        Unit([], block.start, block.end, n) for n, block in enumerate(blocks) if n not in judged and _has_words(block)
    ]
    return sorted(units, key=lambda unit: (unit.block, unit.start))


def _has_words(block: Block) -> bool:
    return block.kind not in _STRUCTURE and block.start < block.end


def _pieces(source: Source) -> Iterator[tuple[int, int, int, int]]:
    """(start, end, block, verdict) for every verdict, one for each block whose words it reaches.

    A verdict on nothing but marks (a list number, a fence) stands for the block they belong to, so that none is lost.
    """
    lines, blocks = source.layout.lines, source.layout.blocks
    starts = [lines[block.first].start for block in blocks]
    for member, verdict in enumerate(source.verdicts):
        _must_fit(source.answer, verdict)
        first = number = max(0, bisect_right(starts, verdict.start) - 1)
        found = False
        while number < len(blocks) and starts[number] < verdict.end:
            block = blocks[number]
            start, end = max(verdict.start, block.start), min(verdict.end, lines[block.last].end)
            if source.answer[start:end].strip() and block.kind is not BlockKind.BREAK:
                found = True
                yield start, end, number, member
            number += 1
        if not found and verdict.text.strip() and blocks:
            yield blocks[first].start, blocks[first].end, first, member


def _must_fit(answer: str, verdict: Verdict) -> None:
    found = answer[verdict.start : verdict.end]
    if found != verdict.text or verdict.end > len(answer):
        raise InputError(
            f"verdicts: {verdict.id!r} has {verdict.text[:60]!r} at [{verdict.start}, {verdict.end}) where the answer "
            f"has {found[:60]!r}; allowed are verdicts on this very answer"
        )


def _same_sentence(source: Source, markers: Sequence[Range], last: Unit, start: int, member: int) -> bool:
    """Whether a verdict is a further part of the sentence before it.

    Parts overlap, or no stop stands between them and the splitter says so (`context`) or the text does: it goes on in
    lower case, or behind a comma or a joining word.
    """
    if start < last.end:
        return True
    one, other = source.verdicts[last.members[-1]], source.verdicts[member]
    if one.form == other.form == JSON_FIELD:
        return True
    if one.form in _WHOLE or other.form in _WHOLE:
        return False
    between = without(source.answer, markers, last.end, start)
    if _STOP.search(between) or _STOP.search(source.answer[last.end - 1 : last.end]):
        return False
    first = source.answer[start : start + 1]
    joined = _JOINT.search(between) or first.islower() or first in _JOINTS
    return bool(one.context or other.context or joined)


def without(answer: str, markers: Sequence[Range], start: int, end: int) -> str:
    """`answer[start:end]` with the citation markers left out."""
    at, kept = start, ""
    for low, high in markers[bisect_left(markers, (start, 0)) : bisect_left(markers, (end, 0))]:
        kept += answer[at:low]
        at = max(at, high)
    return kept + answer[at:end]
