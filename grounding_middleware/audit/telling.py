"""Records and comparisons as text for people; whatever is in them is printed, never obeyed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from grounding_middleware.audit.answers import report_of
from grounding_middleware.audit.comparing import ClaimChange, Comparison, Judgement
from grounding_middleware.audit.records import AuditRecord, RecordKind
from grounding_middleware.audit.replay import Skipped
from grounding_middleware.printable import one_line, printable
from grounding_middleware.report import to_text


def shown(record: AuditRecord) -> str:
    """One record: its place in the chain, its facts, and its content as a report where it is one."""
    head = (
        f"record {record.seq}  {record.time.isoformat()}  {record.kind}  {record.subject}",
        f"hash {record.hash}, after {record.previous}",
        *(f"{name}: {json.dumps(value)}" for name, value in record.facts.items()),
    )
    return "".join(f"{one_line(line)}\n" for line in (*head, "")) + _content(record) + "\n"


def _content(record: AuditRecord) -> str:
    if record.purged:
        return "Its content was purged.\n"
    data = record.data()
    if record.kind is RecordKind.ANSWER and "report" in data:
        return to_text(report_of(record))
    return f"{printable(json.dumps(data, indent=2))}\n" if data else ""


def compared(result: Comparison | Skipped) -> str:
    """One answer that came out differently, or could not be looked at."""
    return "".join(f"{one_line(line)}\n" for line in _lines(result))


def _lines(result: Comparison | Skipped) -> Iterator[str]:
    if isinstance(result, Skipped):
        yield f"{result.answer_id}  record {result.seq}: skipped, {result.reason}"
        return
    text = ", the text shown changes" if result.text_changed else ""
    yield f"{result.answer_id}  record {result.seq}: {_arrow(result.before, result.after)}{text}"
    for change in result.claims:
        yield f"- “{change.text}”: {_what(change)}; {change.why}"
    yield from (f"! {note}" for note in result.notes)


def _what(change: ClaimChange) -> str:
    if change.before is None or change.after is None:
        return "is now another claim" if change.before is None else "is no claim of its own any more"
    return _arrow(*map(_judged if change.relabelled else _treated, (change.before, change.after)))


def _judged(one: Judgement) -> str:
    kind = f" ({one.kind})" if one.kind else ""
    return f"{one.label}{kind} by {one.decided_by}"


def _treated(one: Judgement) -> str:
    return f"{one.label}, {one.treatment}"


def _arrow(before: str, after: str) -> str:
    return before if before == after else f"{before} -> {after}"


class Totals:
    """Counts over many comparisons; `str` says them in one line."""

    def __init__(self) -> None:
        self.answers = self.changed = self.skipped = 0
        self._labels: Counter[str] = Counter()
        self._actions: Counter[str] = Counter()

    def add(self, result: Comparison | Skipped) -> None:
        """Count one result."""
        self.answers += 1
        if isinstance(result, Skipped):
            self.skipped += 1
            return
        self.changed += result.changed
        if result.before is not result.after:
            self._actions[f"{result.before} -> {result.after}"] += 1
        self._labels.update(
            f"{one.before.label} -> {one.after.label}"
            for one in result.claims
            if one.before and one.after and one.relabelled
        )

    def __str__(self) -> str:
        moves = [f"{name}: {count}" for name, count in (self._actions + self._labels).most_common()]
        head = f"{self.answers} answers, {self.changed} changed, {self.skipped} skipped"
        return "; ".join((head, *moves))
