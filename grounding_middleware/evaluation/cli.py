"""`grounding eval`: a grounder measured on a golden set, stored reports or an audit trail; figures on the terminal.

Exit codes: 0 measured; 1 some checks crashed; 2 bad usage or input; 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from grounding_middleware.errors import GroundingError
from grounding_middleware.printable import escaped_json, one_line

if TYPE_CHECKING:
    from grounding_middleware.evaluation.metrics import Summary

__all__ = ["evaluate_golden"]

CRASHES, BAD_INPUT, INTERRUPTED = 1, 2, 130
PLAIN_WIDTH = 160  # columns when the output is no terminal and COLUMNS does not say


def evaluate_golden(  # noqa: PLR0913  # one parameter an option: that is how typer declares them
    golden: Annotated[
        list[str],
        typer.Argument(
            metavar="GOLDEN...",
            help="Golden set, JSON lines or CSV. Or a run file, stored reports, an audit trail: only counted.",
        ),
    ],
    *,
    spec: Annotated[Path | None, typer.Option(metavar="FILE", help="Spec of the grounder to measure.")] = None,
    policy: Annotated[str, typer.Option(metavar="PRESET", help="Policy without a judge, when there is no --spec.")] = (
        "standard"
    ),
    out: Annotated[Path | None, typer.Option(metavar="RUN", help="Keep the run there: JSON lines to compare.")] = None,
    name: Annotated[str, typer.Option(metavar="TEXT", help="Name of the run.")] = "",
    jobs: Annotated[int, typer.Option(metavar="N", min=1, help="Processes.")] = 1,
    concurrent: Annotated[
        int, typer.Option(metavar="N", min=1, help="Answers of each process that wait for a judge at once.")
    ] = 1,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the interrupted run in --out.")] = False,
    reports: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the whole reports there, JSON lines.")
    ] = None,
    baseline: Annotated[bool, typer.Option("--baseline", help="Word overlap beside the figures.")] = False,
    by: Annotated[
        list[str] | None, typer.Option(metavar="SEGMENT", help="Figures by this segment. Repeatable; all: every one.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Of the confidence intervals.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Measure how many unsupported claims leave before and after, what that costs, and how often the verifier errs."""
    from grounding_middleware.evaluation.grounders import FromSpec  # noqa: PLC0415  # slow; `grounding --help` is not
    from grounding_middleware.evaluation.measuring import measured  # noqa: PLC0415
    from grounding_middleware.evaluation.running import Plan  # noqa: PLC0415

    try:
        with _bar(golden) as progress:
            plan = Plan(name, seed, jobs, concurrent, resume, reports, progress)
            summary = measured(golden, FromSpec(spec, policy), out, plan, None if not by or "all" in by else by)
    except GroundingError as error:
        _stop(f"error: {error}", BAD_INPUT)
    except KeyboardInterrupt:
        _stop(f"interrupted; --resume --out {out} goes on" if out else "interrupted", INTERRUPTED)
    for missing in sorted({*(by or ()), "all"} - {one.segment for one in summary.segments} - {"all"}):
        typer.echo(f"grounding: no answer has a segment {one_line(missing)!r}", err=True)
    _print(summary, by, as_json=as_json, baseline=baseline)
    raise typer.Exit(CRASHES if summary.errors else 0)


def _print(summary: Summary, by: Sequence[str] | None, *, as_json: bool, baseline: bool) -> None:
    if as_json:
        typer.echo(escaped_json(summary.model_dump_json(indent=2)))
        return
    from rich.console import Console  # noqa: PLC0415  # as above

    from grounding_middleware.evaluation.rendering import render  # noqa: PLC0415
    from grounding_middleware.report import plain  # noqa: PLC0415

    shown = render(summary, baseline=baseline, few=not by)
    console = Console(legacy_windows=False)
    if console.is_terminal:
        console.print(shown)
    else:
        width = os.environ.get("COLUMNS", "")
        typer.echo(plain(shown, int(width) if width.isdecimal() and int(width) else PLAIN_WIDTH), nl=False)


@contextmanager
def _bar(golden: Sequence[str]) -> Iterator[Callable[[int], object]]:
    """What to call with the number of answers that are done: moves a bar on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    from rich.console import Console  # noqa: PLC0415  # as above
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    from grounding_middleware.evaluation.measuring import size  # noqa: PLC0415

    columns = (TextColumn("answers"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=size(golden))
        yield lambda done: bar.update(task, completed=done)


def _stop(message: str, code: int) -> NoReturn:
    typer.echo(f"grounding: {one_line(message)}", err=True)
    raise typer.Exit(code)
