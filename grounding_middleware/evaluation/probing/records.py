"""What a probe found, as records: one row for each transformation, controls, examples."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Final

from pydantic import AfterValidator, Field, PlainSerializer

from grounding_middleware.evaluation.probing.judging import Grade
from grounding_middleware.records import FrozenDict, Range, Record, Span

__all__ = ["Controls", "Example", "Probed", "Row", "wilson"]

_Z: Final = 1.959963984540054  # 95 %, two-sided

Counts = Annotated[Mapping[str, int], AfterValidator(FrozenDict), PlainSerializer(dict)]
Interval = tuple[float, float]


def wilson(hits: int, tried: int) -> Interval:
    """The 95 % Wilson interval of a share; (0, 1) when nothing was tried."""
    if tried == 0:
        return 0.0, 1.0
    share, square = hits / tried, _Z**2
    middle = (share + square / (2 * tried)) / (1 + square / tried)
    half = _Z / (1 + square / tried) * math.sqrt(share * (1 - share) / tried + square / (4 * tried**2))
    return max(0.0, middle - half), min(1.0, middle + half)


class Example(Record):
    """The smallest mutant found that leaks: `answer[start:end]`, with the words in `changed` new or at a cut.

    `was` is the supported statement, `note` what was changed, `origin` where the statement was found.
    """

    transformation: str
    grade: Grade
    answer: str
    start: int
    end: int
    changed: tuple[Range, ...] = ()
    was: str
    note: str
    evidence: tuple[Span, ...]
    question: str = ""
    as_of: str = ""
    language: str = ""
    origin: str = ""


class Row(Record):
    """One transformation: how many mutants were tried, and what became of them."""

    name: str
    summary: str
    tried: int = 0
    passed: int = 0
    left: int = 0
    caught: int = 0
    held: int = 0
    failed: int = 0
    languages: Counts = Field(default_factory=FrozenDict)

    @property
    def leak(self) -> Interval:
        """95 % interval of the share that passed as supported."""
        return wilson(self.passed, self.tried)


class Controls(Record):
    """The same statements unchanged: the other direction of error. `flagged` ones count as falsely flagged."""

    tried: int = 0
    supported: int = 0
    undecided: int = 0
    flagged: int = 0
    held: int = 0
    failed: int = 0
    examples: tuple[str, ...] = ()

    @property
    def false_alarm(self) -> Interval:
        """95 % interval of the share that is falsely flagged."""
        return wilson(self.flagged, self.tried)


class Probed(Record):
    """The result of a probe. `unread` counts statements by languages for which only some transformations exist."""

    statements: int
    languages: Counts
    unread: Counts = Field(default_factory=FrozenDict)
    seed: int
    most: int
    rows: tuple[Row, ...]
    controls: Controls
    examples: tuple[Example, ...] = ()

    @property
    def tried(self) -> int:
        """Mutants tried."""
        return sum(row.tried for row in self.rows)

    @property
    def passed(self) -> int:
        """Mutants that pass as supported, or left in the text of a chain."""
        return sum(row.passed for row in self.rows)

    @property
    def failed(self) -> int:
        """Attempts at which the verifier raised an error, controls too."""
        return sum(row.failed for row in self.rows) + self.controls.failed

    def row(self, name: str) -> Row:
        """The row of a transformation; raises `KeyError` when it was not part of the probe."""
        found = {row.name: row for row in self.rows}
        return found[name]
