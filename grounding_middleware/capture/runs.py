"""Which of the model runs of one invocation wrote the answer, and which of them fed those."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_TELLING = 20  # characters a model's output must have before its place in another prompt means anything


@dataclass(slots=True)
class ModelRun:
    """One model run as it happened: the prompt without our rules, whether the rules were in it, what came back.

    `answering` runs are known to write answers (a synthesizer, an agent's turn); `early` ones ran before anything had
    been retrieved, such as a query rewriter.
    """

    prompt: str
    ruled: bool = False
    answering: bool = False
    early: bool = False
    output: str = ""


def writers(runs: Sequence[ModelRun], answer: str) -> tuple[ModelRun, ...]:
    """The runs whose words are the answer; all that could be when that cannot be told.

    Runs of an attempt that was retried saw other evidence and are left out that way.
    """
    able = [run for run in runs if run.answering] or [run for run in runs if not run.early] or list(runs)
    text = answer.strip()
    exact = [run for run in able if run.output.strip() and run.output.strip() == text]
    part = [run for run in able if len(run.output) >= _TELLING and run.output.strip() in text]
    return tuple(exact or part or able)


def fed_by(found: Sequence[ModelRun], runs: Sequence[ModelRun]) -> tuple[ModelRun, ...]:
    """`found` and all of `runs` whose output they were shown: evidence read by a summarising step stays evidence."""
    reached = list(found)
    others = [run for run in runs if len(run.output) >= _TELLING and not any(run is one for one in reached)]
    for run in reached:  # grows while it is walked; every run enters at most once
        fed = [other for other in others if other.output.strip() in run.prompt]
        reached.extend(fed)
        others = [other for other in others if not any(other is one for one in fed)]
    return tuple(reached)
