"""`grounding report`: one HTML page about a run of `grounding eval`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NoReturn

import typer

from grounding_middleware.errors import GroundingError
from grounding_middleware.printable import one_line

__all__ = ["write_report"]

BAD_INPUT = 2


def write_report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="What grounding eval --out wrote.")],
    earlier: Annotated[
        list[Path] | None, typer.Argument(metavar="EARLIER...", help="Runs before it: the trend.")
    ] = None,
    *,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The page.")] = Path("grounding-report.html"),
    price: Annotated[
        list[str] | None,
        typer.Option(metavar="TIER=IN,OUT", help="What a tier costs for a million tokens read, written. Repeatable."),
    ] = None,
) -> None:
    """Write one HTML page about RUN: figures with intervals, both error directions, cost, segments, worst examples."""
    from grounding_middleware.evaluation.page.making import write_page  # noqa: PLC0415  # slow; `--help` is not
    from grounding_middleware.evaluation.page.prices import prices  # noqa: PLC0415

    try:
        write_page(run, earlier or (), out, prices=prices(price or ()))
    except GroundingError as error:
        _refuse(str(error))
    except OSError as error:
        _refuse(f"{error.filename}: {error.strerror}; allowed is a file in a folder that is there")
    typer.echo(one_line(f"{out}: {out.stat().st_size:,} bytes"))


def _refuse(message: str) -> NoReturn:
    typer.echo(f"grounding: error: {one_line(message)}", err=True)
    raise typer.Exit(BAD_INPUT)
