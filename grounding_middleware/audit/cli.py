"""`grounding audit`: verify, show, export, purge, replay, recheck.

Exit codes: 0 all is well, nothing changed; 1 there is something to look at: a torn end, an answer that comes out
differently; 2 bad usage or input; 3 the trail was changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from grounding_middleware.attributes import attributes
from grounding_middleware.audit import choosing
from grounding_middleware.audit.chain import canonical, dump
from grounding_middleware.audit.comparing import Comparison
from grounding_middleware.audit.purging import purge as purged
from grounding_middleware.audit.recheck import SourceChange
from grounding_middleware.audit.recheck import recheck as rechecked
from grounding_middleware.audit.records import RecordKind, now
from grounding_middleware.audit.replay import Skipped, policy_of, verifier_of
from grounding_middleware.audit.replay import replay as replayed
from grounding_middleware.audit.telling import Totals, compared, shown
from grounding_middleware.audit.verification import verify as verified
from grounding_middleware.errors import GroundingError, InputError
from grounding_middleware.judges.caching.verdicts import Stale
from grounding_middleware.printable import one_line
from grounding_middleware.records import Action

LOOK, BAD_INPUT, TAMPERED = 1, 2, 3

Where = Annotated[str, typer.Argument(metavar="TRAIL", help="Its folder, one of its files, or a database URL.")]
Whole = Annotated[str, typer.Argument(metavar="TRAIL", help="Its folder, or a database URL.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON lines.")]
PolicyName = Annotated[str, typer.Option(metavar="PRESET|FILE", help="Policy: a preset, or a JSON or YAML file.")]
Spec = Annotated[Path | None, typer.Option(metavar="FILE", help="Spec of the verifier; instead of --policy, --nli.")]
Model = Annotated[Path | None, typer.Option(metavar="FOLDER", help="Local inference model that judges.")]

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="The audit trail: prove it, read it, replay it.")


@app.command(epilog="Exit codes: 0 intact; 1 the end is torn; 2 bad usage or input; 3 changed.")
def verify(
    trail: Where,
    expect_head: Annotated[
        str | None, typer.Option(metavar="NUMBER:HASH", help="Must stand in the trail; printed by an earlier verify.")
    ] = None,
) -> None:
    """Check every record; print what was changed and where, and the head to keep somewhere else."""
    with _complaining():
        lines = choosing.lines(trail)
        result = verified(lines, start=choosing.start(trail), expect=choosing.tip(expect_head))
    for fault in result.faults:
        _say(str(fault))
    if result.fault_count > len(result.faults):
        _say(f"and {result.fault_count - len(result.faults)} more faults")
    if result.torn:
        _say(f"{result.torn}: an unfinished record, never acknowledged; the next writer keeps it aside")
    _say(f"{result.records} records, {result.purged} of them purged, {result.fault_count} faults; head {result.tip}")
    raise typer.Exit(TAMPERED if not result.intact else LOOK if result.torn else 0)


@app.command()
def show(
    trail: Where,
    which: Annotated[str, typer.Argument(metavar="NUMBER|ANSWER", help="Number of a record, or id of an answer.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Print one record, or all records about one answer."""
    with _complaining():
        wanted = choosing.number_or_subject(which)
        found = 0
        for record in filter(wanted, choosing.records(trail)):
            found += 1
            typer.echo(dump(record) if as_json else shown(record).rstrip("\n"))
        if not found:
            raise InputError(f"{which}: no such record in {trail}; allowed is a number or the id of an answer")


@app.command()
def export(  # one parameter an option: that is how typer declares them
    trail: Where,
    *,
    since: Annotated[str | None, typer.Option(metavar="DATE", help="From this moment on.")] = None,
    until: Annotated[str | None, typer.Option(metavar="DATE", help="Before this moment.")] = None,
    action: Annotated[list[Action] | None, typer.Option(help="Only answers with this action. Repeatable.")] = None,
    kind: Annotated[list[RecordKind] | None, typer.Option(help="Only records of this kind. Repeatable.")] = None,
) -> None:
    """Print records as JSON lines, exactly as they are stored."""
    with _complaining():
        wanted = choosing.within(
            choosing.moment(since), choosing.moment(until), frozenset(action or ()), frozenset(kind or ())
        )
        for record in filter(wanted, choosing.records(trail)):
            typer.echo(dump(record))


@app.command()
def purge(
    trail: Whole,
    *,
    before: Annotated[str | None, typer.Option(metavar="DATE", help="Contents written before this moment.")] = None,
    retention: Annotated[int | None, typer.Option(metavar="DAYS", min=0, help="Contents older than that.")] = None,
    answer: Annotated[str | None, typer.Option(metavar="ID", help="Contents about this answer.")] = None,
    spec: Annotated[Path | None, typer.Option(metavar="FILE", help="Spec whose audit.retention_days counts.")] = None,
) -> None:
    """Take contents out for good; hashes, labels and versions stay, and the chain still verifies."""
    with _complaining():
        retention = choosing.retention(spec) if spec else retention
        if before and retention is not None:
            raise InputError("purge: --before, --retention and --spec exclude each other")
        limit = choosing.moment(before) if before else None
        limit = limit if retention is None else now() - timedelta(days=retention)
        done = purged(choosing.trail(trail), before=limit, subject=answer)
    _say(f"{done.contents} contents and {len(done.torn)} files of torn lines were purged")


@app.command(epilog="Exit codes: 0 nothing changes; 1 something does; 2 bad usage or input.")
def replay(  # noqa: PLR0913  # as above
    trail: Where,
    *,
    policy: PolicyName = "standard",
    verifier: Annotated[bool, typer.Option("--verifier", help="Verify again, by this version's rules.")] = False,
    nli: Model = None,
    spec: Spec = None,
    answer: Annotated[str | None, typer.Option(metavar="ID", help="Only this answer.")] = None,
    as_json: AsJson = False,
) -> None:
    """Score stored answers again, under another policy or by another verifier, and print what changes and why."""
    with _complaining():
        chosen = choosing.policy(policy)
        again = verifier or nli or spec
        rescore = verifier_of(choosing.grounder(chosen, nli, spec)) if again else policy_of(chosen)
        records = (one for one in choosing.records(trail) if answer in (None, one.subject))
        _report(replayed(records, rescore), as_json=as_json)


@app.command(epilog="Exit codes: 0 no verdict changes; 1 one does; 2 bad usage or input.")
def recheck(  # noqa: PLR0913  # as above
    trail: Whole,
    *,
    source: Annotated[str, typer.Option(metavar="ID", help="The source that changed.")],
    file: Annotated[Path | None, typer.Option(metavar="FILE", help="Text of its new version.")] = None,
    spans: Annotated[Path | None, typer.Option(metavar="FILE", help="The same, as ready-made spans.")] = None,
    withdrawn: Annotated[bool, typer.Option("--withdrawn", help="It may not be relied on any more.")] = False,
    effective_from: Annotated[str | None, typer.Option(metavar="YYYY-MM-DD", help="In force from this day.")] = None,
    effective_to: Annotated[str | None, typer.Option(metavar="YYYY-MM-DD", help="In force until this day.")] = None,
    superseded_by: Annotated[str | None, typer.Option(metavar="ID", help="The source that replaces it.")] = None,
    audience: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Who may rely on it now. Repeatable.")
    ] = None,
    as_of: Annotated[str | None, typer.Option(metavar="YYYY-MM-DD", help="Judge by this day.")] = None,
    policy: PolicyName = "standard",
    nli: Model = None,
    spec: Spec = None,
    cache: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Verdict cache that forgets what rests on the source.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Verify stored answers that rest on a changed source again, and record which verdicts changed."""
    with _complaining():
        change = SourceChange(
            source_id=source,
            passages=choosing.passages(file, spans),
            withdrawn=withdrawn,
            effective_from=_day(effective_from),
            effective_to=_day(effective_to),
            superseded_by=superseded_by,
            audience=attributes("--audience", audience),
            as_of=_day(as_of),
        )
        if change == SourceChange(source_id=source):
            raise InputError("recheck: nothing changed; give --file, --spans, --withdrawn, a date, or --audience")
        if cache:
            choosing.cache(cache).invalidate(Stale(source_id=source))
        grounder = choosing.grounder(choosing.policy(policy), nli, spec)
        _report(rechecked(choosing.trail(trail), change, grounder), as_json=as_json)


def _report(results: Iterable[Comparison | Skipped], *, as_json: bool) -> NoReturn:
    counted = Totals()
    for result in results:
        counted.add(result)
        if as_json:
            typer.echo(canonical(result.model_dump(mode="json")))
        elif isinstance(result, Skipped) or result.changed:
            typer.echo(compared(result), nl=False)
    if not as_json:
        _say(str(counted))
    raise typer.Exit(LOOK if counted.changed else 0)


def _day(text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"{text!r:.40} is no day; allowed is YYYY-MM-DD") from error


def _say(line: str) -> None:
    typer.echo(one_line(line))


@contextmanager
def _complaining() -> Iterator[None]:
    """Whatever is wrong with the input is one line and exit code 2."""
    try:
        yield
    except (GroundingError, OSError) as error:
        typer.echo(f"grounding: error: {one_line(str(error))}", err=True)
        raise typer.Exit(BAD_INPUT) from None
