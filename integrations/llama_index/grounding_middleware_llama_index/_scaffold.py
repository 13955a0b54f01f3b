"""The scaffolding of accumulated answers ("Response 1: ..."): it asserts nothing, and must not be read as a claim.

Each label and separator is replaced by as many line breaks before an answer is verified, so that all offsets hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grounding_middleware.records import Edit, Range, Report

SEPARATOR = "\n---------------------\n"


@dataclass(frozen=True, slots=True)
class Scaffolded:
    """An answer of several parts; `parts` are the ranges between the scaffolding."""

    text: str
    parts: tuple[Range, ...]

    @classmethod
    def of(cls, text: str, separator: str = SEPARATOR) -> Scaffolded | None:
        """The parts of an accumulated answer; None for any other text."""
        label = _label(1)
        if not text.startswith(label):
            return None
        parts: list[Range] = []
        start = len(label)
        while True:
            joint = f"{separator}{_label(len(parts) + 2)}"
            end = text.find(joint, start)
            if end < 0:
                return cls(text, (*parts, (start, len(text))))
            parts.append((start, end))
            start = end + len(joint)

    @property
    def bare(self) -> str:
        """The same text, of the same length, with line breaks for scaffolding."""
        pieces, last = [], 0
        for start, end in self.parts:
            pieces += ["\n" * (start - last), self.text[start:end]]
            last = end
        return "".join(pieces)

    def restored(self, report: Report) -> Report:
        """The report on `bare` as one on the answer itself: parts keep their labels, a part with nothing left goes."""
        edited = _applied(self.bare, report.edits)
        if not report.text.startswith(edited.rstrip()) or not edited.strip():  # withheld as a whole
            return report.replace(answer=self.text)
        notice = report.text[len(edited.rstrip()) :].rstrip("\n")
        return report.replace(answer=self.text, text=self._rebuilt(report.edits) + notice)

    def _rebuilt(self, edits: Sequence[Edit]) -> str:
        pieces: list[str] = []
        last = 0
        for start, end in self.parts:
            clipped = [_clip(edit, start, end) for edit in edits if edit.start < end and edit.end > start]
            piece = _applied(self.text[start:end], clipped)
            if piece.strip():
                scaffold = self.text[last:start]
                pieces.append(scaffold if pieces else scaffold.removeprefix(SEPARATOR))
                pieces.append(piece.rstrip() if clipped else piece)
            last = end
        return "".join(pieces)


def _label(number: int) -> str:
    return f"Response {number}: "


def _clip(edit: Edit, start: int, end: int) -> Edit:
    """The edit as far as it falls into one part, with the offsets of the part; its replacement stays with its start."""
    low, high = max(edit.start, start), min(edit.end, end)
    own = edit.replacement if edit.start >= start else ""
    return edit.replace(start=low - start, end=high - start, replacement=own)


def _applied(text: str, edits: Sequence[Edit]) -> str:
    for edit in sorted(edits, key=lambda item: item.start, reverse=True):
        text = text[: edit.start] + edit.replacement + text[edit.end :]
    return text
