"""What `grounding compare` does."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import typer
from rich.console import Console

from grounding_middleware.errors import InputError
from grounding_middleware.evaluation.comparing.comparing import compare
from grounding_middleware.evaluation.comparing.criteria import SHIPPED, Criteria
from grounding_middleware.evaluation.comparing.rendering import render
from grounding_middleware.evaluation.runs import load_run
from grounding_middleware.printable import escaped_json, one_line
from grounding_middleware.report import plain

__all__ = ["run", "show"]

REGRESSION: Final = 1
PLAIN_WIDTH: Final = 120  # columns when the output is no terminal and COLUMNS does not say


def run(runs: Sequence[Path], criteria: Path | None, by: Sequence[str] | None, *, examples: int | None) -> int:
    """Print the comparison, as JSON without `examples`; the exit code, 1 for a regression.

    Raises `InputError` and `ConfigError` for what cannot be compared or read.
    """
    if len(runs) != 2:
        raise InputError(f"BEFORE AFTER: got {len(runs)} files; allowed are two runs, the earlier one first")
    limits = Criteria.read(criteria) if criteria else None
    before, after = map(load_run, runs)
    chosen = None if not by or "all" in by else by
    found = compare(before, after, limits, by=chosen)
    for missing in sorted({*(chosen or ())} - {one.segment for one in found.segments}):
        typer.echo(f"grounding: no answer has a segment {one_line(missing)!r}", err=True)
    if examples is None:
        typer.echo(escaped_json(found.model_dump_json()))
        return REGRESSION if found.regressed else 0
    console = Console()
    if console.is_terminal:
        console.print(render(found, examples=examples))
    else:
        width = os.environ.get("COLUMNS", "")
        columns = int(width) if width.isdecimal() and int(width) else PLAIN_WIDTH
        typer.echo(plain(render(found, examples=examples), columns), nl=False)
    return REGRESSION if found.regressed else 0


def show() -> int:
    """Print the criteria that hold when none are given."""
    typer.echo(SHIPPED.read_text("utf-8"), nl=False)
    return 0
