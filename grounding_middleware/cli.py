"""The command `grounding`: which commands there are; each is loaded when it is called.

Exit codes are those of the command. A crash of the tool itself is 70, so that it is never taken for a verdict.
"""

from __future__ import annotations

import io
import signal
import sys
import traceback
from typing import Annotated, Any

import typer

from grounding_middleware import __version__
from grounding_middleware.deferred import Deferred

__all__ = ["app", "main"]

CRASHED = 70


class Commands(typer.core.TyperGroup):
    """The commands by name, in the order of the help."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for command in _commands():
            self.add_command(command)


app = typer.Typer(
    name="grounding",
    cls=Commands,
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,  # plain errors on one line; brackets in help and input are text
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Entry point of the command; ends the process with one of the documented exit codes."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `grounding ... | head` ends quietly, as other commands do
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a quotation mark must not crash an ASCII terminal
    typer.core.HAS_RICH = False  # typer below 0.20 escapes brackets for rich, although the help is plain text
    try:
        app()
    except Exception:  # noqa: BLE001  # the process boundary: Python's own exit code for a crash, 1, would read as a verdict
        traceback.print_exc()
        raise SystemExit(CRASHED) from None


def _version(wanted: bool) -> None:  # noqa: FBT001  # typer calls it so
    if wanted:
        typer.echo(f"grounding-middleware {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    *,
    version: Annotated[  # done by its callback
        bool, typer.Option("--version", help="Print the version and exit.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Check that every statement of an answer is supported by its sources."""


def _commands() -> tuple[Deferred, ...]:
    """Name, home and help of each; the help is the first paragraph of what its home says, which a test compares."""
    return (
        Deferred(
            "diagnose",
            "diagnosis.cli:diagnose_reports",
            "Name the probable cause of every failed claim in stored reports, such as `grounding check --json` prints.",
        ),
        Deferred(
            "probe",
            "evaluation.probing.cli:probe_statements",
            "Change supported statements so that they become false, and report which of them pass as supported.",
            epilog="Exit codes: 0 within --most-leaks; 1 more pass as supported; 2 bad usage or input.",
        ),
        Deferred(
            "report",
            "evaluation.page.cli:write_report",
            "Write one HTML page about RUN: figures with intervals, both error directions, cost, segments, worst "
            "examples.",
        ),
        Deferred(
            "eval",
            "evaluation.cli:evaluate_golden",
            "Measure how many unsupported claims leave before and after, what that costs, and how often the verifier "
            "errs.",
        ),
        Deferred(
            "compare",
            "evaluation.comparing.cli:compare_runs",
            "Compare two runs over one golden set, claim by claim and rate by rate; fail when the later one is worse.",
        ),
        Deferred(
            "check",
            "commands:check",
            "Check ANSWER against its sources and print every claim with its verdict and the text that will be shown.",
            epilog="Exit codes: 0 ok; 1 revised or to review; 2 bad usage or input; 3 withheld.",
            context_settings={"allow_extra_args": True},
        ),
        Deferred("demo", "commands:demo", "Run the procurement incident through a real LangChain chain, offline."),
        Deferred("schema", "commands:schema", "Print the JSON Schema of the report."),
        Deferred("audit", "audit.cli:app", "The audit trail: prove it, read it, replay it."),
        Deferred("review", "review.cli:app", "The review queue: look at answers, rule, export."),
        Deferred("spec", "spec.cli:app", "Configuration as one document."),
    )


if __name__ == "__main__":
    main()
