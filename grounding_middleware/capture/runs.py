"""Which of the model runs of one invocation wrote the answer, and which of them fed those."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_TELLING = 20  # characters a model's output must have before its place in another prompt means anything


@dataclass(eq=False, slots=True)
class ModelRun:
    """One model run: the prompt without our rules, whether they were in it, what came back, from which model.

    Runs of one `group` write one answer together (a synthesizer that refines, an agent's turn); a run without one is
    not known to write answers. `early` runs came before anything had been retrieved, such as a query rewriter.
    """

    prompt: str
    ruled: bool = False
    group: object | None = None
    early: bool = False
    output: str = ""
    model: str = ""


def able(runs: Sequence[ModelRun]) -> list[ModelRun]:
    """The runs that could have written the answer: those known to write answers, else all but the early ones."""
    return [run for run in runs if run.group is not None] or [run for run in runs if not run.early] or list(runs)


def recognised(runs: Sequence[ModelRun], answer: str) -> list[ModelRun]:
    """Those of `runs` whose words are the answer; none when that cannot be told.

    The answer may be the output of a run, hold it, or be a piece of it: a stream is checked piece by piece, and a
    parser may take a part.
    """
    text = answer.strip()
    exact = [run for run in runs if run.output.strip() and run.output.strip() == text]
    part = [run for run in runs if len(run.output) >= _TELLING and run.output.strip() in text]
    piece = [run for run in runs if len(text) >= _TELLING and text in run.output]
    return exact or part or piece


def writers(runs: Sequence[ModelRun], answer: str) -> list[ModelRun]:
    """The runs whose words are the answer, with their groups; all that could be when that cannot be told.

    Runs of an attempt that was retried saw other evidence and are left out that way.
    """
    candidates = able(runs)
    wrote = recognised(candidates, answer) or candidates
    groups = {id(run.group) for run in wrote if run.group is not None}
    return [run for run in candidates if run in wrote or id(run.group) in groups]


def fed_by(found: Sequence[ModelRun], runs: Sequence[ModelRun]) -> list[ModelRun]:
    """`found` and all of `runs` whose output they were shown: evidence read by a summarising step stays evidence."""
    reached = list(found)
    others = [run for run in runs if len(run.output) >= _TELLING and run not in reached]
    for run in reached:  # grows while it is walked; every run enters at most once
        fed = [other for other in others if other.output.strip() in run.prompt]
        reached.extend(fed)
        others = [other for other in others if other not in fed]
    return reached
