"""From what a user points at to the figures: a golden set is checked, everything else is only counted."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from grounding_middleware import __version__
from grounding_middleware.errors import InputError
from grounding_middleware.evaluation.grounders import Maker
from grounding_middleware.evaluation.intervals import need_numpy
from grounding_middleware.evaluation.loading import load
from grounding_middleware.evaluation.metrics import Summary, summarise
from grounding_middleware.evaluation.opinions import is_opinion, opinions
from grounding_middleware.evaluation.running import Plan, evaluate
from grounding_middleware.evaluation.runs import Run, RunHeader, Scored, line_of, load_run
from grounding_middleware.evaluation.targets import appended, refuse_unwritable
from grounding_middleware.grounder import Grounder

__all__ = ["measured", "size"]


def measured(
    sources: Sequence[str], grounder: Grounder | Maker, out: Path | None, plan: Plan, by: Sequence[str] | None
) -> Summary:
    """The figures of a golden set, of a run that is there, or of stored answers without gold; see `opinions`.

    With `out` the run is kept there. Raises `InputError` for sources that cannot be used or do not go together.
    """
    need_numpy()  # before the work, not after it
    with tempfile.TemporaryDirectory(prefix="grounding-eval-") as folder:
        run = _run(sources, grounder, out or Path(folder) / "run.jsonl", plan, kept=out is not None)
        return summarise(run.header, run, by=by)


def size(sources: Sequence[str]) -> int | None:
    """How many examples a golden set has, every line of it read and so checked; None for anything else."""
    return None if any(map(_is_no_golden_set, sources)) else sum(1 for _ in load(sources))


def _run(sources: Sequence[str], grounder: Grounder | Maker, path: Path, plan: Plan, *, kept: bool) -> Run:
    if not any(map(_is_no_golden_set, sources)):
        if plan.resume and not kept:
            raise InputError("resume: there is nothing to go on with; allowed together with --out RUN")
        return evaluate(list(sources), grounder, path, plan)
    if plan.resume or plan.reports:
        raise InputError("--resume, --reports: nothing is checked here; allowed with a golden set")
    if all(map(is_opinion, sources)):
        return _counted(sources, path, plan)
    if len(sources) == 1 and not kept:
        return load_run(sources[0])
    raise InputError("GOLDEN: allowed are files of a golden set, or stored answers, or one run file without --out")


def _is_no_golden_set(source: str) -> bool:
    return is_opinion(source) or _is_run(source)


def _is_run(source: str) -> bool:
    try:
        with Path(source).open("rb") as file:
            first = json.loads(file.readline())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(first, dict) and first.get("kind") == "grounding-run"


def _counted(sources: Sequence[str], path: Path, plan: Plan) -> Run:
    """Stored answers as a run without gold."""
    if path.exists():
        raise InputError(f"{path}: is there already; any other name begins anew")
    refuse_unwritable(path)
    header = RunHeader(
        name=plan.name,
        created=datetime.now(UTC),
        package=__version__,
        golden=tuple(Path(source).name for source in sources),
        gold=False,
        seed=plan.seed,
    )
    with appended(path) as file:
        file.write(line_of(header))
        for number, scored in enumerate(_all(sources), 1):
            file.write(line_of(scored))
            plan.progress(number)
    return load_run(path)


def _all(sources: Sequence[str]) -> Iterator[Scored]:
    """Ids are numbered within a source; with several, each has the number of its source before it."""
    for number, source in enumerate(sources, 1):
        for scored in opinions(source):
            yield scored if len(sources) == 1 else scored.replace(id=f"{number}/{scored.id}")
