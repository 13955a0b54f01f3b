"""`grounding review`: list, show, next, take, release, decide, export, purge, stats.

Exit codes: 0 done; 1 nothing waits (`next`) or there is nothing to export; 2 bad usage or input, a lease that is not
yours, a database that cannot be used.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from grounding_middleware.audit.choosing import moment as moment_of
from grounding_middleware.audit.records import now
from grounding_middleware.errors import GroundingError, InputError
from grounding_middleware.printable import escaped_json, one_line
from grounding_middleware.private_files import write_private
from grounding_middleware.records import Action, Record
from grounding_middleware.review.golden import export as golden_lines
from grounding_middleware.review.golden import golden_cases
from grounding_middleware.review.items import Case, State
from grounding_middleware.review.rulings import AnswerRuling, Ruling
from grounding_middleware.review.showing import case_text, item_lines, moment
from grounding_middleware.review.typed import Typed
from grounding_middleware.sources import MAX_ANSWER_BYTES, read_text
from grounding_middleware.spec import load

if TYPE_CHECKING:
    from grounding_middleware.review.opening import Desk

NOTHING, BAD_INPUT = 1, 2
PLAIN_WIDTH = 100  # columns when COLUMNS does not say
DB_VARIABLE, DEFAULT_DB = "GROUNDING_DB", "sqlite:///grounding.db"

ItemId = Annotated[str, typer.Argument(metavar="ITEM", help="The item's id, as `list` prints it.")]
Reviewer = Annotated[str, typer.Option(metavar="NAME", help="Who you are.", envvar="GROUNDING_REVIEWER")]
Minutes = Annotated[float, typer.Option(metavar="N", help="How long nobody else gets the item.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON lines.")]
Db = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="URL",
        help=f"sqlite:///FILE or postgresql+psycopg://...; else what {DB_VARIABLE} holds, else {DEFAULT_DB}",
    ),
]
SpecFile = Annotated[
    Path | None,
    typer.Option("--spec", metavar="FILE", help="Spec that names the queue, its reviewers, redaction and audit trail."),
]

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="The review queue: look at answers, rule, export.")


@app.command("list")
def list_items(  # noqa: PLR0913  # one parameter an option: that is how typer declares them
    *,
    state: Annotated[State | None, typer.Option(help="Of one state.")] = None,
    reviewer: Annotated[str, typer.Option(metavar="NAME", help="Held or decided by one reviewer.")] = "",
    limit: Annotated[int, typer.Option(metavar="N", help="At most so many.")] = 50,
    offset: Annotated[int, typer.Option(metavar="N", help="After so many.")] = 0,
    as_json: AsJson = False,
    db: Db = None,
    spec: SpecFile = None,
) -> None:
    """Print items, most urgent first: id, priority 0 to 9, state, action, unsupported/claims, time, question."""
    with _desk(db, spec) as (queue, mask):
        found = [mask.item(one) for one in queue.items(state, reviewer=reviewer, limit=limit, offset=offset)]
    if as_json:
        _json(*found)
    else:
        _lines(item_lines(found))


@app.command()
def show(item: ItemId, *, as_json: AsJson = False, db: Db = None, spec: SpecFile = None) -> None:
    """Print one case: the answer with its unsupported statements marked, claims beside their evidence, rulings."""
    with _desk(db, spec) as (queue, mask):
        case = mask.case(queue.case(item))
    _case(case, as_json=as_json)


@app.command("next", epilog="Exit codes: 0 an item is yours; 1 nothing waits; 2 bad usage or input.")
def take_next(
    reviewer: Reviewer, *, minutes: Minutes = 15, as_json: AsJson = False, db: Db = None, spec: SpecFile = None
) -> None:
    """Take the most urgent item that waits, and print it; for MINUTES nobody else gets it."""
    with _desk(db, spec) as (queue, mask):
        case = queue.claim(reviewer, minutes * 60)
        shown = case and mask.case(case)
    if shown is None:
        typer.echo("nothing waits", err=True)
        raise typer.Exit(NOTHING)
    _case(shown, as_json=as_json)


@app.command()
def take(  # noqa: PLR0913  # as above
    item: ItemId,
    reviewer: Reviewer,
    *,
    minutes: Minutes = 15,
    as_json: AsJson = False,
    db: Db = None,
    spec: SpecFile = None,
) -> None:
    """Take this item, or hold it longer; also a decided one, to rule on it anew."""
    with _desk(db, spec) as (queue, mask):
        case = mask.case(queue.take(item, reviewer, minutes * 60))
    _case(case, as_json=as_json)


@app.command()
def release(item: ItemId, reviewer: Reviewer, *, db: Db = None, spec: SpecFile = None) -> None:
    """Give an item back."""
    with _desk(db, spec) as (queue, _):
        queue.release(item, reviewer)


@app.command()
def decide(  # noqa: PLR0913  # as above
    item: ItemId,
    reviewer: Reviewer,
    *,
    answer: Annotated[Ruling, typer.Option(help="On the whole answer; agree confirms every claim not named.")],
    agree: Annotated[list[str] | None, typer.Option(metavar="CLAIM", help="The verdict is right; or 'all'.")] = None,
    overrule: Annotated[
        list[str] | None, typer.Option(metavar="CLAIM=LABEL[:KIND]", help="The verdict is wrong, this is right.")
    ] = None,
    reword: Annotated[list[str] | None, typer.Option(metavar="CLAIM=TEXT", help="How it should read.")] = None,
    quote: Annotated[
        list[str] | None, typer.Option(metavar="CLAIM=SPAN:TEXT", help="Evidence for the ruling on a claim.")
    ] = None,
    action: Annotated[Action | None, typer.Option(help="The right action, with --answer overrule.")] = None,
    text: Annotated[Path | None, typer.Option(metavar="FILE", help="The new text, with --answer edit.")] = None,
    note: Annotated[str, typer.Option(help="Why.")] = "",
    db: Db = None,
    spec: SpecFile = None,
) -> None:
    """Rule on claims and on the whole answer of an item you hold, and close it. Claims are numbered as `show` does."""
    words = Typed(
        agree=tuple(agree or ()), overrule=tuple(overrule or ()), reword=tuple(reword or ()), quote=tuple(quote or ())
    )
    with _desk(db, spec) as (queue, _):
        rulings = words.rulings(queue.case(item).report)
        final = AnswerRuling(
            ruling=answer, action=action, text=read_text(text, MAX_ANSWER_BYTES) if text else "", note=note
        )
        queue.decide(item, reviewer, final, rulings)
    typer.echo(f"decided: {one_line(item)}, {len(rulings)} rulings on claims")


@app.command(epilog="Exit codes: 0 exported; 1 there is nothing to export; 2 bad usage or input.")
def export(
    *,
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="Write there, not to standard output.")] = None,
    overruled: Annotated[bool, typer.Option("--overruled", help="Only where the machine was wrong.")] = False,
    db: Db = None,
    spec: SpecFile = None,
) -> None:
    """Print every claim that was ruled on as a case of a golden set, JSON lines."""
    with _desk(db, spec) as (queue, mask):
        lines = list(golden_lines(golden_cases(map(mask.case, queue.decided()), only_overruled=overruled)))
    if output:
        try:
            write_private(output, "".join(f"{line}\n" for line in lines))
        except OSError as error:
            _fail(f"output: {output} cannot be written: {_why(error)}")
    else:
        _lines(lines)
    if not lines:
        raise typer.Exit(NOTHING)


@app.command()
def purge(
    *,
    before: Annotated[str | None, typer.Option(metavar="DATE", help="Items queued before this moment.")] = None,
    retention: Annotated[
        int | None, typer.Option(metavar="DAYS", min=0, help="Items older than that; else the spec's retention_days.")
    ] = None,
    db: Db = None,
    spec: SpecFile = None,
) -> None:
    """Take contents of old items out for good, decided or not; labels, times and who ruled stay."""
    with _desk(db, spec) as (queue, _):
        done = queue.purge(_limit(before, retention, spec))
    typer.echo(f"{done.items} items were purged, {done.undecided} of them undecided")


@app.command()
def stats(*, as_json: AsJson = False, db: Db = None, spec: SpecFile = None) -> None:
    """Print counts by state, since when the oldest waits, and how often people agreed."""
    with _desk(db, spec) as (queue, _):
        figures = queue.stats()
    if as_json:
        _json(figures)
        return
    typer.echo(
        f"waiting {figures.waiting}, leased {figures.leased}, decided {figures.decided}, purged {figures.purged}"
    )
    typer.echo(f"oldest waiting since {moment(figures.waiting_since)}")
    for each in figures.agreement:
        rulings = f"agree {each.agree}, overrule {each.overrule}, edit {each.edit}"
        typer.echo(f"{one_line(each.label)}: {rulings}; {each.share:.0%} left as they were")


@contextmanager
def _desk(db: str | None, spec: Path | None) -> Iterator[Desk]:
    """The queue and what is masked of it; whatever is wrong ends the command with one line for each fault."""
    try:
        if db and spec:
            raise InputError("--db and --spec exclude each other; the spec names the queue")
        import_module("grounding_middleware.store")  # says what to install when it cannot be loaded
        opening = import_module("grounding_middleware.review.opening")
        chosen = (
            opening.opened_by(load(spec)) if spec else opening.opened(db or os.environ.get(DB_VARIABLE, DEFAULT_DB))
        )
        with chosen as desk:
            yield desk
    except (GroundingError, ModuleNotFoundError) as error:
        _fail(str(error))


def _limit(before: str | None, retention: int | None, spec: Path | None) -> datetime:
    """The moment before which contents go: as given, else as the spec says."""
    if before and retention is not None:
        raise InputError("purge: --before and --retention exclude each other")
    limit = moment_of(before)
    if limit is not None:
        return limit
    section = load(spec).review if spec and retention is None else None
    days = retention if section is None else section.retention_days
    if days is None:
        raise InputError(
            "purge: nothing says what to purge; give --before, --retention, or review.retention_days in --spec"
        )
    return now() - timedelta(days=days)


def _why(error: OSError) -> str:
    link = error.errno == errno.ELOOP
    return "it is a symbolic link; allowed is a file" if link else str(error.strerror)


def _case(case: Case, *, as_json: bool) -> None:
    if as_json:
        _json(case)
        return
    width = os.environ.get("COLUMNS", "")
    typer.echo(case_text(case, int(width) if width.isdecimal() and int(width) else PLAIN_WIDTH), nl=False)


def _json(*records: Record) -> None:
    _lines(escaped_json(json.dumps(record.model_dump(mode="json"), ensure_ascii=False)) for record in records)


def _lines(lines: Iterator[str] | list[str]) -> None:
    """UTF-8 whatever the terminal's encoding, and line breaks as they are."""
    for line in lines:
        sys.stdout.buffer.write(f"{line}\n".encode())


def _fail(message: str) -> NoReturn:
    for line in message.split("\n"):
        typer.echo(f"grounding: error: {one_line(line)}", err=True)
    raise typer.Exit(BAD_INPUT)
