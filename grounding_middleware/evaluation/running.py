"""`evaluate`: a golden set through a grounder into a run file, in flat memory, on any number of processes.

    examples -> parts of a few -> scored, in order -> one line each, written at once

A run that was interrupted, by whatever, is finished by `resume`: an unfinished last line is cut off exactly, answers
that are there are not checked again. Another engine needs two functions only: `scoring.score` maps an example to its
result, and `merge` puts run files of consecutive parts together.
"""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import IO, Final

from grounding_middleware import __version__
from grounding_middleware.errors import ConfigError, InputError
from grounding_middleware.evaluation.golden import Example
from grounding_middleware.evaluation.grounders import Maker, described, identity
from grounding_middleware.evaluation.loading import golden_sha256, load
from grounding_middleware.evaluation.pools import mapped
from grounding_middleware.evaluation.resuming import Progress, begun, cut_to_lines
from grounding_middleware.evaluation.runs import Run, RunHeader, line_of, load_run
from grounding_middleware.evaluation.scoring import Checked, achecked, checked
from grounding_middleware.evaluation.targets import appended, refuse_unwritable
from grounding_middleware.grounder import Grounder
from grounding_middleware.report import to_json

__all__ = ["Plan", "evaluate", "header_of", "merge"]

PART: Final = 8
"""Examples that a process gets at a time."""

Lines = tuple[str, str]
"""A line of the run file, and the report as one of the file of reports, or nothing."""


@dataclass(frozen=True)
class Plan:
    """How a run is made; raises `ConfigError` for a wrong number.

    `processes` work side by side, each with a grounder of its own; in each, `concurrent` answers wait for their judge
    at once, and their times then hold that waiting. `reports` is a file for whole reports. `progress` is called with
    the number of answers that are done. `seed` is that of the intervals.
    """

    name: str = ""
    seed: int = 0
    processes: int = 1
    concurrent: int = 1
    resume: bool = False
    reports: Path | None = None
    progress: Callable[[int], object] = lambda _done: None

    def __post_init__(self) -> None:
        for name in ("processes", "concurrent"):
            value = getattr(self, name)
            if not isinstance(value, int) or value < 1:
                raise ConfigError(f"{name}: got {value!r}; allowed is a whole number from 1")


def evaluate(
    golden: Sequence[Path | str], grounder: Grounder | Maker, out: Path | str, plan: Plan | None = None
) -> Run:
    """The run of `grounder` over the files of a golden set, written to `out`.

    With several processes `grounder` is a function that makes one, see `grounders.Maker`. Raises `InputError` for a
    golden set or a run file that cannot be used, `ConfigError` for a grounder that cannot.
    """
    plan, path = plan or Plan(), Path(out)
    refuse_unwritable(path, *filter(None, (plan.reports,)))
    answers = sum(1 for _ in load(golden))  # a wrong line is told now, not after hours
    header = header_of(golden, grounder, plan).replace(answers=answers)
    with ExitStack() as opened:
        done = _begin(path, header, plan)
        run = opened.enter_context(appended(path))
        reports = opened.enter_context(appended(plan.reports)) if plan.reports else None
        if done is None:
            _write(run, line_of(header))
        progress = done or Progress()
        plan.progress(progress.answers)
        for number, (line, report) in enumerate(_lines(_left(load(golden), progress), grounder, plan), 1):
            if reports and report:
                _write(reports, report)  # before the line that says it is done
            _write(run, line)
            plan.progress(progress.answers + number)
    return load_run(path)


def header_of(golden: Sequence[Path | str], grounder: Grounder | Maker, plan: Plan) -> RunHeader:
    """What stands in the first line of the run; engines of one's own write it into the file of each part."""
    made = grounder if isinstance(grounder, Grounder) else grounder()
    line, digest = described(made)
    return RunHeader(
        name=plan.name,
        created=datetime.now(UTC),
        package=__version__,
        grounder=line,
        grounder_sha256=digest,
        versions=identity(made),
        golden=tuple(Path(path).name for path in golden),
        golden_sha256=golden_sha256(golden),
        seed=plan.seed,
    )


def merge(runs: Iterable[Path | str], out: Path | str) -> Run:
    """One run from the files of consecutive parts, in this order; raises `InputError` unless they belong together."""
    first: RunHeader | None = None
    seen: set[str] = set()
    with Path(out).open("x", encoding="utf-8", newline="\n") as file:
        for run in map(load_run, runs):
            if first is None:
                first = run.header
                file.write(line_of(first))
            if (run.header.golden_sha256, run.header.grounder_sha256) != (first.golden_sha256, first.grounder_sha256):
                raise InputError(f"{run.path}: is of another golden set or grounder than the first; allowed are parts")
            for scored in run:
                if scored.id in seen:
                    raise InputError(f"{run.path}: {scored.id!r} was in a part before it; allowed is each answer once")
                seen.add(scored.id)
                file.write(line_of(scored))
    return load_run(out)


def _begin(path: Path, header: RunHeader, plan: Plan) -> Progress | None:
    """How far the run is; None for a new one. A file that is there is never overwritten."""
    if not plan.resume:
        for file in filter(None, (path, plan.reports)):
            if file.exists():
                raise InputError(f"{file}: is there already; --resume goes on with a run, any other name begins anew")
        return None
    done = begun(path, header)
    if plan.reports and plan.reports.exists():
        cut_to_lines(plan.reports, done.reports if done else 0)
    elif plan.reports and done and done.reports:
        raise InputError(f"{plan.reports}: is missing; allowed is the file of reports the run was begun with")
    return done


def _left(examples: Iterator[Example], done: Progress) -> Iterator[Example]:
    """The examples that have no line yet."""
    last = ""
    for example in islice(examples, done.answers):
        last = example.id
    if last != done.last:
        raise InputError(f"run: its answer {done.answers} is {done.last!r}, that of the golden set is {last!r}")
    return examples


def _lines(examples: Iterator[Example], grounder: Grounder | Maker, plan: Plan) -> Iterator[Lines]:
    size = max(PART, 4 * plan.concurrent)  # the end of a part is waited for, so it should not come often
    parts = iter(lambda: tuple(islice(examples, size)), ())
    if plan.processes == 1:
        made = grounder if isinstance(grounder, Grounder) else grounder()
        with closing(_Scorer(made, plan.concurrent, reports=plan.reports is not None)) as scorer:
            yield from (line for part in parts for line in scorer(part))
        return
    if isinstance(grounder, Grounder):
        raise ConfigError("processes: each makes a grounder of its own; allowed is a function that makes one")
    recipe = pickle.dumps((grounder, plan.concurrent, plan.reports is not None))
    for done in mapped(partial(_elsewhere, recipe), parts, plan.processes):
        yield from done


class _Scorer:
    """Scores parts of a set with one grounder, whose models are asked in one event loop."""

    def __init__(self, grounder: Grounder, concurrent: int, *, reports: bool) -> None:
        self._grounder = grounder
        self._concurrent = concurrent if grounder.cascade else 1
        self._runner = asyncio.Runner()
        self._reports = reports

    def __call__(self, part: Sequence[Example]) -> list[Lines]:
        if self._concurrent == 1:
            found = [checked(example, self._grounder) for example in part]
        else:
            found = self._runner.run(self._together(part))
        return [
            (line_of(scored), f"{to_json(report)}\n" if report and self._reports else "") for scored, report in found
        ]

    def close(self) -> None:
        """End the event loop."""
        self._runner.close()

    async def _together(self, part: Sequence[Example]) -> list[Checked]:
        gate = asyncio.Semaphore(self._concurrent)

        async def one(example: Example) -> Checked:
            async with gate:
                return await achecked(example, self._grounder)

        return await asyncio.gather(*map(one, part))


def _elsewhere(recipe: bytes, part: Sequence[Example]) -> list[Lines]:
    return _scorer(recipe)(part)


@lru_cache(maxsize=1)
def _scorer(recipe: bytes) -> _Scorer:
    """Made once in each process."""
    make, concurrent, reports = pickle.loads(recipe)  # noqa: S301  # our own bytes, from the process that started this one
    return _Scorer(make(), concurrent, reports=reports)


def _write(file: IO[str], line: str) -> None:
    """At once: what is lost when the process is killed is at most the end of one line."""
    file.write(line)
    file.flush()
