"""Finished reports in a file, one as JSON on each line, as `grounding check --json` prints them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pydantic import ValidationError

from grounding_middleware.errors import InputError
from grounding_middleware.records import Report
from grounding_middleware.validation import first_fault

__all__ = ["stored_reports"]


def stored_reports(lines: Iterable[bytes], name: str) -> Iterator[tuple[int, Report]]:
    """Each report with the number of its line, read in the memory of the longest line; empty lines are skipped.

    Raises `InputError` that says `name`, line, field and what is allowed for a line that is no report.
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield number, _report(line, f"{name}, line {number}")


def _report(line: bytes, where: str) -> Report:
    try:
        return Report.model_validate_json(line)
    except ValidationError as error:
        problem = first_fault(error, "report")
        raise InputError(f"{where}: {problem}; allowed is one report as JSON on each line") from None
