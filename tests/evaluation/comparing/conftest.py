"""Runs of the real grounder over a small golden set, and of deliberately worse ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from grounding_middleware import Grounder, Policy
from grounding_middleware.checks import CHECKS
from grounding_middleware.evaluation.loading import golden_sha256, load
from grounding_middleware.evaluation.runs import Run, RunHeader, Scored, line_of, load_run
from grounding_middleware.evaluation.scoring import score

GOLDEN = Path(__file__).with_name("golden.jsonl")
UNJUDGED = Policy.preset("low")  # expects no judge
WriteRun = Callable[..., Run]


def without(check: str) -> Grounder:
    """A verifier that lacks one family of checks."""
    kept = [one for one in CHECKS if not one.__module__.endswith(f".{check}")]
    assert len(kept) == len(CHECKS) - 1
    return Grounder(checks=kept, policy=UNJUDGED)


@pytest.fixture
def write_run(tmp_path: Path) -> WriteRun:
    """Writes scored answers as a run file."""

    def write(name: str, answers: list[Scored], **header: object) -> Run:
        told = {"package": "0", "name": name, "golden_sha256": "g", **header}
        lines = [line_of(RunHeader.model_validate(told)), *map(line_of, answers)]
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(lines), "utf-8")
        return load_run(path)

    return write


@pytest.fixture(scope="session")
def scored_by() -> Callable[[str], list[Scored]]:
    """What the grounder without a check ("" for all of them) makes of the golden set."""
    known: dict[str, list[Scored]] = {}

    def scored(check: str) -> list[Scored]:
        if check not in known:
            grounder = without(check) if check else Grounder(policy=UNJUDGED)
            known[check] = [score(example, grounder) for example in load([GOLDEN])]
        return known[check]

    return scored


@pytest.fixture
def run_of(write_run: WriteRun, scored_by: Callable[[str], list[Scored]]) -> Callable[[str], Run]:
    """The run file of the grounder without a check."""
    return lambda check: write_run(check or "sound", scored_by(check), golden_sha256=golden_sha256([GOLDEN]))
