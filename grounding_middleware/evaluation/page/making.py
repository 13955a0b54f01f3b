"""`write_page`: one run, and runs before it, as one HTML file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from grounding_middleware.errors import InputError
from grounding_middleware.evaluation.metrics import Summary, summarise
from grounding_middleware.evaluation.page.blocks import Note, Page
from grounding_middleware.evaluation.page.flow import Flow
from grounding_middleware.evaluation.page.passages import line
from grounding_middleware.evaluation.page.rendering import render
from grounding_middleware.evaluation.page.sections import answers, cost, errors, flow, headline, segments, worst
from grounding_middleware.evaluation.page.sections.telling import count
from grounding_middleware.evaluation.page.worst import Worst
from grounding_middleware.evaluation.runs import Run, Scored, load_run
from grounding_middleware.judges.costs import Price

__all__ = ["page_of", "write_page"]

HASH = 16  # digits of a hash that are shown


NO_PRICES: Final[Mapping[str, Price]] = {}


def write_page(
    run: Path | str, earlier: Sequence[Path | str], out: Path | str, *, prices: Mapping[str, Price] = NO_PRICES
) -> None:
    """Write the page about `run` to `out`; `earlier` runs, in any order, give the trend; `prices` are by tier.

    Each file is read once, line by line, so its length does not matter. Raises `InputError` for a file that is no run,
    or an `out` that is one, and `ConfigError` when the extra `report` is not installed; then `out` is not touched.
    """
    if Path(out).resolve() in {Path(one).resolve() for one in (run, *earlier)}:
        raise InputError(f"out: {str(out)!r} is one of the runs; allowed is another name, as page.html")
    document = render(page_of(load_run(run), tuple(map(load_run, earlier)), prices))
    Path(out).write_text(document, encoding="utf-8")


def page_of(run: Run, earlier: Sequence[Run] = (), prices: Mapping[str, Price] = NO_PRICES) -> Page:
    """Everything the page says, before it is HTML."""
    flowing, gravest = Flow(), Worst()
    summary = summarise(run.header, _watched(run, flowing, gravest))
    before = sorted((summarise(one.header, one, by=()) for one in earlier), key=lambda one: one.header.created)
    name = line(run.header.name) or run.path.name
    return Page(
        title=f"Grounding report: {name}",
        lead=_lead(summary),
        notes=tuple(_notes(summary)),
        sections=(
            headline.section(summary, before),
            flow.section(flowing),
            errors.section(summary),
            answers.completeness(summary),
            answers.citations(summary),
            cost.section(summary, prices),
            segments.section(summary),
            worst.section(gravest),
        ),
        facts=tuple(_facts(summary)),
        commands=_commands(run, earlier),
    )


def _watched(run: Run, flowing: Flow, gravest: Worst) -> Iterator[Scored]:
    """The answers of the run, on their way to the figures: the file is read once."""
    for scored in run:
        flowing.add(scored)
        gravest.add(scored)
        yield scored


def _lead(summary: Summary) -> str:
    header = summary.header
    by = f", checked by {line(header.grounder)}" if header.grounder else ""
    return f"{count(summary.answers, 'answer')}{by}, on {header.created:%d %B %Y}."


def _notes(summary: Summary) -> Iterator[Note]:
    crashed = sum(summary.errors.values())
    if crashed:
        kinds = ", ".join(f"{found:,}: {line(name)}" for name, found in summary.errors.items())
        yield Note(f"The check crashed on {count(crashed, 'answer')} ({kinds}); they stand in no figure.", warning=True)
    unverified = summary.after.get("UNVERIFIED", 0)
    if unverified:
        yield Note(f"{count(unverified, 'statement')} that nobody could check reached readers.", warning=True)


def _facts(summary: Summary) -> Iterator[tuple[str, str]]:
    header = summary.header
    yield "Made", f"{header.created:%Y-%m-%d %H:%M %Z}"
    yield "Package", f"grounding-middleware {line(header.package)}"
    yield "Grounder", line(header.grounder) or "not said"
    yield "Spec, SHA-256", header.grounder_sha256[:HASH] or "none: built in code"
    yield "Golden set", ", ".join(map(line, header.golden)) or "none"
    yield "Golden set, SHA-256", header.golden_sha256[:HASH] or "none"
    yield "Seed of the intervals", str(header.seed)
    for name, version in header.versions.items():
        yield line(str(name)), line(str(version))
    yield "Intervals", "95 %, by a bootstrap over whole answers; Wilson's where all answers agree"


def _commands(run: Run, earlier: Sequence[Run]) -> str:
    golden = " ".join(map(line, run.header.golden)) or "GOLDEN"
    names = " ".join(line(one.path.name) for one in (run, *earlier))
    return f"grounding eval {golden} --out {line(run.path.name)}\ngrounding report {names} --out page.html"
