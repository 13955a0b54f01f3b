"""Texts under repair: an answer with some ranges replaced, and where everything else went."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from grounding_middleware.editing.removal import apply
from grounding_middleware.records import Edit, Range

__all__ = ["Change", "Draft", "composed"]


@dataclass(frozen=True, order=True)
class Change:
    """`answer[start:end]` becomes `text`; an insertion where `start == end`. `claim_id` and `reason` say for what."""

    start: int
    end: int
    text: str
    claim_id: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Draft:
    """`answer` with `changes` applied; they are ordered and do not overlap."""

    answer: str
    changes: tuple[Change, ...] = ()

    @classmethod
    def of(cls, answer: str, changes: Iterable[Change]) -> Draft:
        """The draft with these changes in order; raises `ValueError` when two of them overlap."""
        ordered = tuple(sorted(changes))
        if any(left.end > right.start or left.start == right.start for left, right in pairwise(ordered)):
            raise ValueError("two changes touch the same text")
        return cls(answer, ordered)

    @cached_property
    def text(self) -> str:
        """The changed answer."""
        pieces: list[str] = []
        at = 0
        for change in self.changes:
            pieces += (self.answer[at : change.start], change.text)
            at = change.end
        return "".join((*pieces, self.answer[at:]))

    @cached_property
    def placed(self) -> tuple[Range, ...]:
        """Where each change stands in `text`."""
        found, shift = [], 0
        for change in self.changes:
            start = change.start + shift
            found.append((start, start + len(change.text)))
            shift += len(change.text) - (change.end - change.start)
        return tuple(found)

    def moved(self, place: Range) -> Range | None:
        """Where `answer[start:end]` stands in `text`; None when a change touches it. Its edges may touch changes."""
        start, end = place
        if any(change.start < end and start < change.end for change in self.changes):
            return None
        shift = sum(len(c.text) - (c.end - c.start) for c in self.changes if c.end <= start)
        return start + shift, end + shift

    def region(self, place: Range, changes: Iterable[Change]) -> Range:
        """Where the statement `answer[start:end]` stands in `text` with its own `changes`, markers included."""
        own = [spot for change, spot in zip(self.changes, self.placed, strict=True) if change in set(changes)]
        edges = [*(low for low, _ in own), *(high for _, high in own)]
        edges += [self._forth(offset) for offset in place if not any(c.start < offset < c.end for c in self.changes)]
        return min(edges), max(edges)

    def _forth(self, offset: int) -> int:
        """Where an offset of the answer that lies inside no change went; in front of what is inserted there."""
        return offset + sum(
            len(c.text) - (c.end - c.start) for c in self.changes if c.end <= offset and c.start < offset
        )

    def back(self, offset: int) -> int:
        """The offset of the answer for one of `text` that lies inside no change."""
        shift = 0
        for change, (low, _) in zip(self.changes, self.placed, strict=True):
            if offset <= low:
                break
            shift += len(change.text) - (change.end - change.start)
        return offset - shift


def composed(draft: Draft, edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """The changes of `draft` and then `edits` of its text, as edits of the original answer that do not overlap."""
    return tuple(_merged(draft, group) for group in _groups(draft, edits))


@dataclass(frozen=True)
class _Piece:
    """One change or edit, by its place in the text of the draft."""

    start: int
    end: int
    change: Change | None = None
    edit: Edit | None = None

    @property
    def inserts(self) -> bool:
        """Whether it takes up no room in one of the two texts, so that only its neighbours tell its place."""
        return self.start == self.end or (self.change is not None and self.change.start == self.change.end)


def _groups(draft: Draft, edits: Sequence[Edit]) -> Iterator[list[_Piece]]:
    """Changes and edits in order; those that overlap, or meet at an insertion, together."""
    pieces = [
        *(_Piece(*place, change=change) for change, place in zip(draft.changes, draft.placed, strict=True)),
        *(_Piece(edit.start, edit.end, edit=edit) for edit in edits),
    ]
    group: list[_Piece] = []
    reach = -1
    for piece in sorted(pieces, key=lambda one: (one.start, one.end)):
        meets = piece.start == reach and (piece.inserts or any(one.inserts for one in group))
        if group and piece.start >= reach and not meets:
            yield group
            group = []
        reach = max(reach, piece.end) if group else piece.end
        group.append(piece)
    if group:
        yield group


def _merged(draft: Draft, group: Sequence[_Piece]) -> Edit:
    first, last = min(piece.start for piece in group), max(piece.end for piece in group)
    changes = [piece.change for piece in group if piece.change]
    inside = [piece.edit for piece in group if piece.edit]
    shifted = [edit.replace(start=edit.start - first, end=edit.end - first) for edit in inside]
    places = {change: place for change, place in zip(draft.changes, draft.placed, strict=True) if change in changes}
    start = next((change.start for change, (low, _) in places.items() if low == first), draft.back(first))
    end = next((change.end for change, (_, high) in places.items() if high == last), draft.back(last))
    reasons = dict.fromkeys([*(one.reason for one in changes), *(one.reason for one in inside)])
    ids = [*(one.claim_id for one in changes), *(one.claim_id for one in inside)]
    return Edit(
        start=start,
        end=end,
        removed=draft.answer[start:end],
        replacement=apply(draft.text[first:last], shifted),
        reason="; ".join(reason for reason in reasons if reason),
        claim_id=next((one for one in ids if one), ""),
    )
