"""Answers that nobody labelled: stored reports and audit trails, whose figures are the verifier's own opinion.

They tell what was escalated, withheld, repaired, how long it took and what it cost; how often the verifier is wrong
they cannot tell.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from grounding_middleware.audit import choosing
from grounding_middleware.audit.answers import report_of
from grounding_middleware.audit.records import RecordKind
from grounding_middleware.errors import InputError
from grounding_middleware.evaluation.golden import Example
from grounding_middleware.evaluation.runs import Scored
from grounding_middleware.evaluation.scoring import crashed, scored
from grounding_middleware.records import Report
from grounding_middleware.stored_reports import stored_reports

__all__ = ["is_opinion", "opinions"]

_REPORT: Final = frozenset({"answer_id", "decision", "evidence"})
_AUDIT: Final = frozenset({"head", "content"})
_LONGEST_HEAD: Final = 50_000_000


def is_opinion(source: str) -> bool:
    """Whether `source` is a file of reports or an audit trail (a folder, a file, a database URL), and no golden set."""
    if "://" in source or Path(source).is_dir():
        return True
    fields = _fields(source)
    return fields >= _REPORT or fields >= _AUDIT


def opinions(source: str) -> Iterator[Scored]:
    """One result for each stored answer, without gold; a record whose content is gone is an error in its result.

    Raises `InputError` when there is nothing to read.
    """
    if _fields(source) >= _REPORT:
        yield from _reports(Path(source))
        return
    for record in choosing.records(source):
        if record.kind is not RecordKind.ANSWER:
            continue
        example = Example(id=f"{record.seq}:{record.subject}", sources=(), answer="")
        try:
            report = report_of(record)
        except InputError as error:
            yield crashed(example, error)
        else:
            yield _without_gold(example.id, report)


def _reports(path: Path) -> Iterator[Scored]:
    with path.open("rb") as lines:
        for number, report in stored_reports(lines, str(path)):
            yield _without_gold(f"{number}:{report.answer_id}", report)


def _without_gold(name: str, report: Report) -> Scored:
    return scored(Example(id=name, question=report.question, sources=(), answer=report.answer), report)


def _fields(source: str) -> frozenset[str]:
    """The fields of the first line, if it is JSON data; none for anything else."""
    if "://" in source:
        return frozenset()
    path = Path(source)
    try:
        with path.open("rb") as file:
            first = json.loads(file.readline(_LONGEST_HEAD))
    except (OSError, ValueError, RecursionError):
        return frozenset()
    return frozenset(first) if isinstance(first, dict) else frozenset()
