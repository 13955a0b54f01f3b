"""`grounding check`, `grounding demo` and `grounding schema`.

Exit codes of `check`: 0 nothing to object to; 1 the answer was shortened or a person should look; 2 bad usage or
input; 3 the answer is withheld.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console, Group

from grounding_middleware.attributes import attributes
from grounding_middleware.diagnosis import diagnose as probable_causes
from grounding_middleware.diagnosis.rendering import render as causes_of
from grounding_middleware.errors import GroundingError, InputError
from grounding_middleware.grounder import Grounder
from grounding_middleware.policy import Policy
from grounding_middleware.policy.presets import PRESETS
from grounding_middleware.printable import one_line
from grounding_middleware.records import Action, Report, Span
from grounding_middleware.report import plain, render, to_json
from grounding_middleware.sources import MAX_ANSWER_BYTES, decode, exists, read_sources, read_spans, read_text

__all__ = ["EXIT_CODES", "WITHHELD", "check", "demo", "schema"]

EXIT_CODES = {Action.OK: 0, Action.REVISED: 1, Action.REVIEW: 1, Action.DRAFT_REVIEW: 1}
WITHHELD, BAD_INPUT = 3, 2
PLAIN_WIDTH = 100  # columns when the output is no terminal and COLUMNS does not say


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


def demo() -> None:
    """Run the procurement incident through a real LangChain chain, offline."""
    try:
        run = import_module("grounding_middleware_langchain.demo").run
    except ModuleNotFoundError as error:
        _fail(f'demo: {error.name} is not installed; pip install "grounding-middleware[langchain]"')
    raise typer.Exit(run())


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
