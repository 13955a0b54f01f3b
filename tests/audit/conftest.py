"""What the tests of the trail share: a report to record, a trail in a new folder, and its lines as text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware import Grounder, Policy, Report
from grounding_middleware.audit import JsonlTrail, Verification, verify
from grounding_middleware.audit.reading import read

QUIET = Policy(needs_judge=False)
FERRY = "The ferry leaves at 07:45. Dogs travel free of charge. Bicycles may be taken on board."
ANSWER = "Dogs travel free of charge [S1]. The ferry leaves at 08:45 [S1]. Bicycles may be taken on board [S1]."


def checked(answer: str = ANSWER, *evidence: Any, sinks: tuple[Any, ...] = (), **more: Any) -> Report:
    """The report on `answer` by rules alone."""
    return Grounder(policy=QUIET, sinks=sinks).check(answer, evidence=evidence or (FERRY,), **more)


@pytest.fixture(scope="session")
def report() -> Report:
    """One supported claim, one contradicted, one supported; action revised."""
    return checked(question="When does the ferry leave?", requester={"user": "ann"})


@pytest.fixture
def trail(tmp_path: Path) -> JsonlTrail:
    return JsonlTrail(tmp_path / "trail", fsync="never")


@pytest.fixture
def verified(trail: JsonlTrail) -> Callable[[], Verification]:
    """The trail, verified as the command does it."""
    return lambda: verify(read(trail.folder))


def lines(trail: JsonlTrail) -> list[str]:
    """All lines of a trail, whatever its files."""
    return [line for path in sorted(trail.folder.glob("*.jsonl")) for line in path.read_text("ascii").splitlines()]
