"""`grounding diagnose`: probable causes in stored reports, one report at a time, and their totals."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from grounding_middleware.diagnosis.naming import diagnose
from grounding_middleware.diagnosis.records import Diagnosis
from grounding_middleware.diagnosis.rendering import render
from grounding_middleware.diagnosis.totals import Tally, Totals, table
from grounding_middleware.errors import InputError
from grounding_middleware.printable import escaped_json, one_line, printable
from grounding_middleware.records import Report
from grounding_middleware.report import plain
from grounding_middleware.stored_reports import stored_reports

__all__ = ["diagnose_reports"]

BAD_INPUT = 2


def diagnose_reports(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Reports as JSON, one a line; - is standard input.")
    ],
    *,
    totals_only: Annotated[bool, typer.Option("--totals", help="Print the totals only.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines: the causes, then the totals.")] = False,
) -> None:
    """Name the probable cause of every failed claim in stored reports, such as `grounding check --json` prints."""
    tally = Tally()
    try:
        for report in _reports(files):
            found = diagnose(report)
            tally.add(report, found)
            if found and not totals_only:
                _print_causes(report, found, as_json=as_json)
    except InputError as error:
        typer.echo(f"grounding: error: {one_line(str(error))}", err=True)
        raise typer.Exit(BAD_INPUT) from None
    _print_totals(tally.totals(), as_json=as_json)


def _print_causes(report: Report, found: Sequence[Diagnosis], *, as_json: bool) -> None:
    if as_json:
        for one in found:
            typer.echo(escaped_json(one.model_dump_json()))
    else:
        typer.echo(f"{report.answer_id}  {report.action}", nl=False)
        typer.echo(plain(render(report, found)))


def _print_totals(found: Totals, *, as_json: bool) -> None:
    typer.echo(escaped_json(found.model_dump_json()) if as_json else _printable_lines(table(found)))


def _printable_lines(text: str) -> str:
    """The names of sources are text of others: shown, never obeyed."""
    return "\n".join(map(printable, text.splitlines()))


def _reports(files: Iterable[str]) -> Iterator[Report]:
    for name in files:
        if name == "-":
            yield from _read(sys.stdin.buffer, "standard input")
            continue
        try:
            with Path(name).open("rb") as lines:
                yield from _read(lines, name)
        except OSError as error:
            raise InputError(f"{name}: {error.strerror}; allowed is a file with reports, or -") from None


def _read(lines: Iterable[bytes], name: str) -> Iterator[Report]:
    return (report for _, report in stored_reports(lines, name))
