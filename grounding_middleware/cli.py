"""The command `grounding`: check an answer against files, run the demo, print the report's schema.

Exit codes of `check`: 0 nothing to object to; 1 the answer was shortened or a person should look; 2 bad usage or
input; 3 the answer is withheld. A crash of the tool itself is 70, so that it is never taken for a verdict.
"""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import traceback
import warnings
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console, Group

from grounding_middleware import __version__
from grounding_middleware.attributes import attributes
from grounding_middleware.audit.cli import app as audit_app
from grounding_middleware.diagnosis import diagnose as probable_causes
from grounding_middleware.diagnosis.cli import diagnose_reports
from grounding_middleware.diagnosis.rendering import render as causes_of
from grounding_middleware.errors import GroundingError, InputError
from grounding_middleware.evaluation.cli import evaluate_golden
from grounding_middleware.evaluation.comparing.cli import compare_runs
from grounding_middleware.evaluation.page.cli import write_report
from grounding_middleware.evaluation.probing.cli import probe_statements
from grounding_middleware.grounder import Grounder
from grounding_middleware.policy import Policy
from grounding_middleware.policy.presets import PRESETS
from grounding_middleware.printable import one_line
from grounding_middleware.records import Action, Report, Span
from grounding_middleware.report import plain, render, to_json
from grounding_middleware.review.cli import app as review_app
from grounding_middleware.sources import MAX_ANSWER_BYTES, decode, exists, read_sources, read_spans, read_text
from grounding_middleware.spec.cli import app as spec_app

__all__ = ["app", "main"]

EXIT_CODES = {Action.OK: 0, Action.REVISED: 1, Action.REVIEW: 1, Action.DRAFT_REVIEW: 1}
WITHHELD, BAD_INPUT, CRASHED = 3, 2, 70
PLAIN_WIDTH = 100  # columns when the output is no terminal and COLUMNS does not say

app = typer.Typer(
    name="grounding",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,  # plain errors on one line; brackets in help and input are text
    pretty_exceptions_enable=False,
)
app.add_typer(audit_app, name="audit")
app.add_typer(review_app, name="review")
app.add_typer(spec_app, name="spec")
app.command("diagnose")(diagnose_reports)
app.command("probe", epilog="Exit codes: 0 within --most-leaks; 1 more pass as supported; 2 bad usage or input.")(
    probe_statements
)
app.command("report")(write_report)
app.command("eval")(evaluate_golden)
app.command("compare")(compare_runs)


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


@app.command(
    epilog="Exit codes: 0 ok; 1 revised or to review; 2 bad usage or input; 3 withheld.",
    context_settings={"allow_extra_args": True},
)
def check(  # noqa: PLR0913  # one parameter an option: that is how typer declares them
    context: typer.Context,
    answer: Annotated[str, typer.Argument(metavar="ANSWER", help="File with the answer, or - for standard input.")],
    *,
    source: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Source text: FILE, a quoted 'PATTERN', or NAME=FILE. Repeatable."),
    ] = None,
    spans: Annotated[
        Path | None, typer.Option(metavar="FILE", help="JSON or JSON lines with ready-made spans.")
    ] = None,
    question: Annotated[str, typer.Option(help="The question that was answered.")] = "",
    as_of: Annotated[str | None, typer.Option(metavar="YYYY-MM-DD", help="Day of the question.")] = None,
    requester: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Attribute of who asks, e.g. region=EU. Repeatable.")
    ] = None,
    policy: Annotated[str, typer.Option(metavar="PRESET", help=", ".join(PRESETS))] = "standard",
    spec: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A spec (see grounding spec); replaces --policy.")
    ] = None,
    diagnose: Annotated[bool, typer.Option("--diagnose", help="Name the probable cause of each failed claim.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    no_color: Annotated[bool, typer.Option("--no-color", help="No colours; NO_COLOR does the same.")] = False,
) -> None:
    """Check ANSWER against its sources and print every claim with its verdict and the text that will be shown."""
    try:
        if diagnose and as_json:
            raise InputError(
                "--diagnose prints text; with --json use: grounding check --json ... | grounding diagnose --json -"
            )
        if context.args:  # what a shell makes of an unquoted pattern
            raise InputError(f"one ANSWER expected, got {context.args[0]!r} too; quote patterns: --source 'docs/*.md'")
        report = _grounder(policy, spec).check(
            _answer(answer),
            evidence=_evidence(source or (), spans),
            question=question,
            as_of=as_of,
            requester=attributes("requester", requester),
        )
    except GroundingError as error:
        _fail(str(error))
    if as_json:
        sys.stdout.buffer.write(to_json(report).encode() + b"\n")  # UTF-8 whatever the terminal's encoding
    else:
        causes = (causes_of(report, probable_causes(report)),) if diagnose else ()
        _print(Group(render(report), *causes), color=not no_color)
    raise typer.Exit(EXIT_CODES.get(report.action, WITHHELD))


@app.command()
def demo() -> None:
    """Run the procurement incident through a real LangChain chain, offline."""
    try:
        run = import_module("grounding_middleware_langchain.demo").run
    except ModuleNotFoundError as error:
        _fail(f'demo: {error.name} is not installed; pip install "grounding-middleware[langchain]"')
    raise typer.Exit(run())


@app.command()
def schema() -> None:
    """Print the JSON Schema of the report."""
    typer.echo(json.dumps(Report.model_json_schema(), indent=2))


def _grounder(preset: str, spec: Path | None) -> Grounder:
    """That a policy expects a judge and has none is said by the report, claim by claim, and needs no second warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return Grounder.from_spec(spec) if spec else Grounder(policy=Policy.preset(preset))


def _answer(name: str) -> str:
    if name == "-":
        text = decode(sys.stdin.buffer.read(MAX_ANSWER_BYTES + 1), "standard input", MAX_ANSWER_BYTES)
    elif exists(name):
        text = read_text(Path(name), MAX_ANSWER_BYTES)
    else:
        raise InputError(f"answer: {name!r:.80} is no file; allowed is a file, or - for standard input")
    if not text.strip():
        raise InputError(f"answer: {name} holds no text")
    return text


def _evidence(patterns: Iterable[str], spans: Path | None) -> tuple[Span, ...]:
    evidence = (*read_sources(patterns), *(read_spans(spans) if spans else ()))
    if not evidence:
        raise InputError("no evidence: give --source FILE or --spans FILE")
    return evidence


def _print(shown: Group, *, color: bool) -> None:
    console = Console(no_color=None if color else True, legacy_windows=False)
    if console.is_terminal:
        console.print(shown)
    else:
        width = os.environ.get("COLUMNS", "")
        typer.echo(plain(shown, int(width) if width.isdecimal() and int(width) else PLAIN_WIDTH), nl=False)


def _fail(message: str) -> NoReturn:
    typer.echo(f"grounding: error: {one_line(message)}", err=True)
    raise typer.Exit(BAD_INPUT)


if __name__ == "__main__":
    main()
