"""Every prompt role with its version and what changed when; a version nobody recorded fails the tests.

A new version goes into `history.json` with the figures of the regression set (`benchmarks/prompt_regression.py`).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from pydantic import TypeAdapter

from grounding_middleware.judges.prompts import first_pass, regeneration, repair, severity, verification
from grounding_middleware.records import Record

VERSIONS: Final = MappingProxyType[str, Callable[[], str]](
    {
        verification.ROLE: verification.version,
        repair.ROLE: repair.version,
        first_pass.ROLE: first_pass.version,
        severity.ROLE: severity.version,
        regeneration.ROLE: regeneration.version,
    }
)
"""Role to the hash of all it says."""


class Regression(Record):
    """How a model did on the regression set: `right` of `total` claims, `missed` of those that had to be flagged."""

    set_version: str
    model: str
    right: int
    total: int
    missed: int
    note: str = ""


class Change(Record):
    """One version of one role, oldest first: what changed and why; `regression` for roles that give verdicts."""

    role: str
    version: str
    date: str
    change: str
    regression: Regression | None = None


@cache
def history() -> tuple[Change, ...]:
    """All versions there have been, oldest first."""
    data = json.loads(files(__package__).joinpath("history.json").read_text("utf-8"))
    return TypeAdapter(tuple[Change, ...]).validate_python(data)
