"""`grounding probe`: what passes of false statements made of one's own documents and supported answers.

Exit code 0: no more than `--most-leaks` pass as supported; 1: more do, or the verifier failed; 2: bad usage or input.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grounding_middleware.attributes import attributes
from grounding_middleware.errors import GroundingError
from grounding_middleware.policy.presets import PRESETS
from grounding_middleware.printable import one_line

__all__ = ["probe_statements"]

BAD_INPUT = 2


def probe_statements(  # noqa: PLR0913  # one parameter an option: that is how typer declares them
    *,
    source: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Document: FILE, a quoted 'PATTERN', or NAME=FILE. Repeatable."),
    ] = None,
    spans: Annotated[
        Path | None, typer.Option(metavar="FILE", help="JSON or JSON lines with ready-made spans.")
    ] = None,
    golden: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Golden set: its SUPPORTED claims. Repeatable.")
    ] = None,
    reports: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Reports as JSON, one a line: what they call SUPPORTED. Repeatable."),
    ] = None,
    trail: Annotated[
        str | None, typer.Option(metavar="TRAIL", help="Audit trail, its folder or URL: what it calls SUPPORTED.")
    ] = None,
    policy: Annotated[str, typer.Option(metavar="PRESET", help=", ".join(PRESETS))] = "standard",
    spec: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The spec to probe, with its judges; replaces --policy.")
    ] = None,
    only: Annotated[list[str] | None, typer.Option(metavar="NAME", help="This transformation. Repeatable.")] = None,
    most: Annotated[int, typer.Option(min=1, help="False statements of each transformation.")] = 25,
    most_leaks: Annotated[int, typer.Option(min=0, help="So many may pass as supported.")] = 0,
    seed: Annotated[int, typer.Option(help="Draws the sample.")] = 0,
    as_of: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="Day on which the documents must be in force.")
    ] = None,
    requester: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Attribute of who asks, e.g. region=EU. Repeatable.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    listed: Annotated[bool, typer.Option("--list", help="Print the transformations and end.")] = False,
) -> None:
    """Change supported statements so that they become false, and report which of them pass as supported."""
    from grounding_middleware.evaluation.probing.command import Asked, catalogue, run  # noqa: PLC0415  # for a fast --help

    if listed:
        typer.echo(catalogue())
        return
    try:
        asked = Asked(
            sources=tuple(source or ()),
            spans=spans,
            golden=tuple(golden or ()),
            reports=tuple(reports or ()),
            trail=trail,
            as_of=as_of,
            requester=attributes("--requester", requester),
        )
        leaks = run(asked, policy if spec is None else spec, only or (), (most, seed), as_json=as_json)
    except (GroundingError, OSError) as error:
        for line in str(error).splitlines():
            typer.echo(f"grounding: error: {one_line(line)}", err=True)
        raise typer.Exit(BAD_INPUT) from None
    raise typer.Exit(0 if leaks is not None and leaks <= most_leaks else 1)
