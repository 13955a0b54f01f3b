"""How often each cause occurs over a set of answers, in all, by source and by judge; one pass, memory of the counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from grounding_middleware.diagnosis.naming import diagnose, failed
from grounding_middleware.diagnosis.records import Cause, Diagnosis
from grounding_middleware.records import Record, Report

Group = Literal["all", "source", "judge"]


class Row(Record):
    """`count` diagnoses with `cause` among those of one `group` member, `share` of all diagnoses of that member."""

    group: Group
    name: str
    cause: Cause
    count: int
    share: float


class Totals(Record):
    """Counts over a set: answers, claims, failed claims, and rows by cause, source and judge.

    A diagnosis that concerns two sources counts for both, one that concerns none for the source "". Accepted claims
    with a diagnosis are in the rows and not among `failed`.
    """

    answers: int = 0
    claims: int = 0
    failed: int = 0
    diagnosed: int = 0
    rows: tuple[Row, ...] = ()


class Tally:
    """Counts diagnoses as they come; `totals` may be asked at any time."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._found: Counter[tuple[Group, str, Cause]] = Counter()

    def add(self, report: Report, diagnoses: Sequence[Diagnosis]) -> None:
        """Count one answer and what `diagnose` found in it."""
        self._counts["answers"] += 1
        self._counts["claims"] += sum(verdict.label.is_claim for verdict in report.claims)
        self._counts["failed"] += sum(map(failed, report.claims))
        self._counts["diagnosed"] += len(diagnoses)
        for one in diagnoses:
            self._found["all", "", one.cause] += 1
            self._found["judge", one.decided_by, one.cause] += 1
            self._found.update(("source", source, one.cause) for source in one.sources or ("",))

    def totals(self) -> Totals:
        """What was counted so far."""
        return Totals(**self._counts, rows=tuple(_rows(self._found)))


def totals(reports: Iterable[Report]) -> Totals:
    """The totals of `reports`, which may be a stream of any length."""
    tally = Tally()
    for report in reports:
        tally.add(report, diagnose(report))
    return tally.totals()


def _rows(found: Counter[tuple[Group, str, Cause]]) -> Iterator[Row]:
    """Biggest groups first, in each the most frequent cause first; equal counts in alphabetical order."""
    sizes: Counter[tuple[Group, str]] = Counter()
    for (group, name, _), count in found.items():
        sizes[group, name] += count
    order = ("all", "source", "judge")
    ranked = sorted(found, key=lambda key: (order.index(key[0]), -sizes[key[:2]], key[1], -found[key], key[2]))
    for group, name, cause in ranked:
        count = found[group, name, cause]
        yield Row(group=group, name=name, cause=cause, count=count, share=round(count / sizes[group, name], 4))


def table(found: Totals) -> str:
    """The totals as plain text, one line a row."""
    head = f"{found.answers} answers, {found.claims} claims, {found.failed} failed, {found.diagnosed} probable causes"
    lines: Sequence[tuple[str, ...]] = [
        ("by", "name", "cause", "count", "share"),
        *((row.group, row.name or "-", row.cause, str(row.count), f"{row.share:.0%}") for row in found.rows),
    ]
    widths = [max(len(line[at]) for line in lines) for at in range(len(lines[0]))]
    padded = ("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)
    return "\n".join([head, *(line.rstrip() for line in padded if found.rows)])
