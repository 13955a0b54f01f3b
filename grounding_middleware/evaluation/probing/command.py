"""What `grounding probe` does: statements from wherever they are, a grounder, the result printed."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import typer

from grounding_middleware.audit import choosing
from grounding_middleware.audit.answers import report_of
from grounding_middleware.audit.records import RecordKind
from grounding_middleware.errors import InputError
from grounding_middleware.evaluation.loading import load
from grounding_middleware.evaluation.probing.answers import of_examples, of_reports
from grounding_middleware.evaluation.probing.catalogue import TRANSFORMATIONS, chosen
from grounding_middleware.evaluation.probing.documents import of_documents
from grounding_middleware.evaluation.probing.judging import through
from grounding_middleware.evaluation.probing.rendering import render
from grounding_middleware.evaluation.probing.running import probe
from grounding_middleware.evaluation.probing.statements import Statement
from grounding_middleware.grounder import Grounder
from grounding_middleware.policy import Policy
from grounding_middleware.printable import escaped_json
from grounding_middleware.records import Report
from grounding_middleware.report import plain
from grounding_middleware.sources import read_sources, read_spans
from grounding_middleware.stored_reports import stored_reports

__all__ = ["Asked", "catalogue", "run"]

_WIDTH = 120


@dataclass(frozen=True)
class Asked:
    """Where supported statements come from; `as_of` and `requester` count for documents, answers have their own."""

    sources: tuple[str, ...] = ()
    spans: Path | None = None
    golden: tuple[Path, ...] = ()
    reports: tuple[Path, ...] = ()
    trail: str | None = None
    as_of: str | None = None
    requester: Mapping[str, Any] | None = None

    def statements(self) -> Iterator[Statement]:
        """All of them; raises `InputError` for whatever cannot be read, or when there is nothing to read."""
        if not (self.sources or self.spans or self.golden or self.reports or self.trail):
            raise InputError("nothing to probe with: give --source, --spans, --golden, --reports or --trail")
        read = (*read_sources(self.sources), *(read_spans(self.spans) if self.spans else ()))
        yield from of_documents(read, as_of=_day(self.as_of), requester=self.requester)
        yield from of_examples(load(self.golden))
        yield from of_reports(_reports(self.reports))
        yield from of_reports(_stored(self.trail) if self.trail else ())


def run(
    asked: Asked, preset_or_spec: str | Path, only: Iterable[str], bounds: tuple[int, int], *, as_json: bool
) -> int | None:
    """Probe and print; how many passed as supported, None when the verifier failed. `bounds` are most and seed."""
    most, seed = bounds
    wanted = chosen(only)
    result = probe(through(_grounder(preset_or_spec)), asked.statements(), transformations=wanted, most=most, seed=seed)
    if as_json:
        sys.stdout.buffer.write(escaped_json(result.model_dump_json()).encode() + b"\n")
    else:
        typer.echo(plain(render(result), _WIDTH), nl=False)
    return None if result.failed else result.passed


def catalogue() -> str:
    """Each transformation on a line: name, what it does, languages."""
    return "\n".join(
        f"{one.name:20} {one.summary} [{', '.join(one.languages) or 'any language'}]" for one in TRANSFORMATIONS
    )


def _grounder(preset_or_spec: str | Path) -> Grounder:
    """That a policy expects a judge and has none shows in the column of what is left unchecked."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        if isinstance(preset_or_spec, Path):
            return Grounder.from_spec(preset_or_spec)
        return Grounder(policy=Policy.preset(preset_or_spec))


def _day(text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"--as-of: {text!r:.40} is no day; allowed is YYYY-MM-DD") from error


def _reports(paths: Iterable[Path]) -> Iterator[Report]:
    for path in paths:
        with path.open("rb") as lines:
            yield from (report for _, report in stored_reports(lines, str(path)))


def _stored(trail: str) -> Iterator[Report]:
    """The answers of a trail that kept their texts; `InputError` when none of them did."""
    kept = purged = 0
    for record in choosing.records(trail):
        if record.kind is not RecordKind.ANSWER:
            continue
        try:
            report = report_of(record)
        except InputError:  # kept as hashes, or purged: no text to change
            purged += 1
            continue
        kept += 1
        yield report
    if purged and not kept:
        raise InputError(f"{trail}: none of its {purged} answers has kept its text; a probe needs the texts")
