"""`grounding spec`: check, show, schema, init. Exit codes: 0 fine; 2 the spec is wrong, one line for each fault."""

from __future__ import annotations

import warnings
from importlib.resources import files
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from grounding_middleware.errors import ConfigError, GroundingError
from grounding_middleware.printable import one_line
from grounding_middleware.spec import effective, grounder_from, load, schema, to_yaml
from grounding_middleware.spec.guards import guards_in, holds_guards
from grounding_middleware.spec.model import Spec

__all__ = ["app"]

BAD = 2

app = typer.Typer(name="spec", no_args_is_help=True, rich_markup_mode=None, help="Configuration as one document.")


@app.command()
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A spec in YAML or JSON, a preset, or guards.")],
    *,
    build: Annotated[
        bool, typer.Option("--build", help="Also build it: secrets, extras, files and models must be there.")
    ] = False,
) -> None:
    """Say whether the spec in FILE is right, and its hash; every fault with line, field, value and what is allowed.

    A file of guards (RAIL, Guard JSON, our YAML of guards) is recognised and built; needs the extra guardrails.
    """
    if holds_guards(Path(file)):
        _guards(file)
        return
    spec = _load(file)
    if build:
        _build(spec)
    typer.echo(f"{file}: fine; hash {spec.version}, policy {spec.policy.name}, judges {_judges(spec)}")
    if spec.judge is None and spec.policy.judge_message:
        meant = "where none is meant, write policy: {needs_judge: false}"
        typer.echo(f"{file}: note: {spec.policy.judge_message}; {meant}", err=True)


@app.command()
def show(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A spec in YAML or JSON, or the name of a preset.")],
) -> None:
    """Print the effective spec, every default written out, and the policy in words."""
    typer.echo(to_yaml(_load(file)), nl=False)


@app.command(name="schema")
def print_schema() -> None:
    """Print the JSON Schema, for editors that complete and check while you type."""
    typer.echo(schema())


@app.command()
def init(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write the starter spec.")] = Path(
        "grounding.yaml"
    ),
) -> None:
    """Write a commented starter spec to FILE; a file that is there is left alone."""
    try:
        with file.open("x", encoding="utf-8") as opened:
            opened.write(files("grounding_middleware.spec").joinpath("starter.yaml").read_text("utf-8"))
    except FileExistsError:
        _fail(f"{file} exists already; nothing was written")
    except OSError as error:
        _fail(f"{file}: cannot be written: {error.strerror}")
    typer.echo(f"{file} written; check it with: grounding spec check {file}")


def _load(file: str) -> Spec:
    try:
        return load(file)
    except ConfigError as error:
        _fail(str(error))


def _build(spec: Spec) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            grounder_from(spec)
        except ConfigError as error:
            _fail(str(error))


def _guards(file: str) -> None:
    try:
        for line in guards_in(Path(file)):
            typer.echo(f"{file}: fine; {one_line(line)}")
    except GroundingError as error:
        _fail(str(error))


def _judges(spec: Spec) -> str:
    return ", ".join(str(tier["name"]) for tier in effective(spec)["judge"]["tiers"]) if spec.judge else "none"


def _fail(message: str) -> NoReturn:
    for line in message.split("\n"):
        typer.echo(f"grounding: error: {one_line(line)}", err=True)
    raise typer.Exit(BAD)
