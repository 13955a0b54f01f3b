"""Statements with what overlap, rules and model say about them, from the files of the two scoring steps."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.statements import SETS, Statement, sample

NEAREST = 1
"""Windows whose best score counts; the judge looks at as many. More cost more and told no more where it was tried."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A statement, its baselines, and the best probabilities over the nearest windows."""

    statement: Statement
    overlap: float
    rules: int
    windows: int
    entailment: float
    contradiction: float

    @property
    def dataset(self) -> str:
        """Name of the set."""
        return self.statement.dataset

    @property
    def row(self) -> str:
        """The answer it stands in."""
        return self.statement.row

    @property
    def is_supported(self) -> bool:
        """Whether people said that the passages carry it."""
        return self.statement.is_supported

    @property
    def is_fixed_on(self) -> bool:
        """Whether it serves to fix thresholds."""
        return self.statement.is_fixed_on

    @property
    def group(self) -> tuple[str, bool]:
        """Language, and whether there is more text than one window holds."""
        return self.statement.language, self.windows > 1


def joined(data: Path, rules: Path, scores: Path, most: int) -> list[Scored]:
    """All statements that both steps have scored; one without a score by the model cannot be supported by it."""
    ruled, asked = _lines(rules), _lines(scores)
    return [
        _scored(statement, ruled[statement.key], asked[statement.key])
        for name in SETS
        for statement in sample(data, name, most)
        if statement.key in ruled and statement.key in asked
    ]


def _scored(statement: Statement, ruled: dict[str, Any], asked: dict[str, Any]) -> Scored:
    near = asked["scores"][:NEAREST]
    return Scored(
        statement=statement,
        overlap=ruled["overlap"],
        rules=ruled["rules"],
        windows=asked["windows"],
        entailment=max((score[0] for score in near), default=0.0),
        contradiction=max((score[2] for score in near), default=0.0),
    )


def _lines(path: Path) -> dict[str, dict[str, Any]]:
    found = (json.loads(line) for line in path.read_text("utf-8").splitlines())
    return {line["key"]: line for line in found}
