"""`grounding compare`: is the later run worse? Exit code 0: no limit is broken; 1: a regression; 2: bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grounding_middleware.errors import GroundingError
from grounding_middleware.printable import one_line

__all__ = ["compare_runs"]

BAD_INPUT = 2


def compare_runs(  # noqa: PLR0913  # the options of a command
    runs: Annotated[
        list[Path] | None,
        typer.Argument(metavar="BEFORE AFTER", help="Two run files that grounding eval --out wrote."),
    ] = None,
    *,
    criteria: Annotated[
        Path | None, typer.Option("--criteria", metavar="FILE", help="When it is a regression, as YAML or JSON.")
    ] = None,
    by: Annotated[
        list[str] | None, typer.Option("--by", metavar="SEGMENT", help="Compare by this segment; default: by all.")
    ] = None,
    examples: Annotated[int, typer.Option(min=0, help="Changed claims shown of each way.")] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="Print the comparison as JSON.")] = False,
    show_criteria: Annotated[
        bool, typer.Option("--show-criteria", help="Print the criteria that hold without --criteria, and end.")
    ] = False,
) -> None:
    """Compare two runs over one golden set, claim by claim and rate by rate; fail when the later one is worse."""
    from grounding_middleware.evaluation.comparing.command import run, show  # noqa: PLC0415  # so --help stays fast

    try:
        code = show() if show_criteria else run(runs or [], criteria, by, examples=None if as_json else examples)
    except GroundingError as error:
        for line in str(error).splitlines():
            typer.echo(f"grounding: error: {one_line(line)}", err=True)
        raise typer.Exit(BAD_INPUT) from None
    raise typer.Exit(code)
