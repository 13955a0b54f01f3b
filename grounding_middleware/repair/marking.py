"""Citation markers for repaired text: written as the answer writes them, and read back before they are used (CI-3)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grounding_middleware.evidence import delivered_ranges
from grounding_middleware.examining import Examiner
from grounding_middleware.records import Citation, Evidence, Range, sha256

__all__ = ["Scribe", "ending", "full_stop", "may_cite", "own_markers", "placed_at", "without_stop"]

_END = re.compile(r"""([.!?…。！？؟۔।]+)(["'”’»)*_]*)\s*\Z""")


def may_cite(evidence: Evidence, span_id: str, place: Range | None = None) -> bool:
    """Whether every constraint holds: authorised, applicable, delivered, and the text is what its hash says."""
    span, status = evidence.span(span_id), evidence.status(span_id)
    if span is None or status is None or not status.usable or sha256(span.text) != span.sha256:
        return False
    seen = delivered_ranges(span)
    return bool(seen) if place is None else any(low <= place[0] and place[1] <= high for low, high in seen)


@dataclass(frozen=True)
class Scribe:
    """Writes markers in the most frequent style of those in `used`, else by `template`; empty: none are written."""

    examiner: Examiner
    evidence: Evidence
    used: tuple[Citation, ...]
    template: str

    def marker(self, span_ids: Sequence[str]) -> str:
        """A marker that names exactly these spans; empty when none can: an id may hold signs that end a marker."""
        shapes = [*_shapes(self.used), *([self.template] if self.template else [])]
        found = []
        for span_id in span_ids:
            markers = (shape.replace("{id}", span_id) for shape in shapes)
            found.append(next((marker for marker in markers if self._names(marker, span_id)), ""))
        return "".join(found) if all(found) else ""

    def marks(self, text: str) -> bool:
        """Whether `text` holds anything that would be read as a marker."""
        return bool(self.examiner.markers(text, self.evidence))

    def _names(self, marker: str, span_id: str) -> bool:
        """Whether the marker, read back behind a sentence, leads to this span and to nothing else."""
        text = f"Text {marker}."
        found = self.examiner.markers(text, self.evidence)
        whole = all((one.start, one.end) == (5, len(text) - 1) for one in found)
        return bool(found) and whole and all(one.valid and one.span_ids == (span_id,) for one in found)


def _shapes(used: Iterable[Citation]) -> list[str]:
    """How single ids are written, the most frequent first: "[{id}]", "【{id}】", "(Source: {id})"."""
    shapes = (one.marker.replace(one.ref, "{id}") for one in used if one.span_ids == (one.ref,) and _is_plain(one))
    return [shape for shape, _ in Counter(shapes).most_common()]


def _is_plain(citation: Citation) -> bool:
    """One id in brackets, not a group and not a link."""
    return citation.marker.count(citation.ref) == 1 and not set(",;(") & set(citation.marker[1:])


def placed_at(text: str, start: int, end: int) -> int:
    """Where a marker for the statement `text[start:end]` goes: behind its words, before its full stop."""
    piece = text[start:end]
    return start + len(piece[: ending(piece)].rstrip())


def ending(text: str) -> int:
    """Where the full stop of `text` begins; its length when it has none."""
    found = _END.search(text)
    return found.start() if found else len(text)


def full_stop(text: str) -> str:
    """The signs that end `text`, without quotation marks and brackets behind them."""
    found = _END.search(text)
    return found[1] if found else ""


def without_stop(text: str) -> str:
    """`text` without the signs that end it; what closes a quotation or a bracket stays."""
    found = _END.search(text)
    return text[: found.start()].rstrip() + found[2] if found else text.rstrip()


def own_markers(citations: Sequence[Citation], own: Iterable[int], others: Iterable[int]) -> list[Range] | None:
    """The ranges of the markers of `own`, in order; None when one of them is shared with `others`."""
    mine = {(citations[n].start, citations[n].end) for n in own}
    theirs = {(citations[n].start, citations[n].end) for n in others}
    return None if mine & theirs else sorted(mine)
