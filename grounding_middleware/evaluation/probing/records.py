"""What a probe found, as records: one row for each transformation, controls, examples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator, Field, PlainSerializer, computed_field

from grounding_middleware.evaluation.intervals import Interval, wilson
from grounding_middleware.evaluation.probing.judging import Grade
from grounding_middleware.records import FrozenDict, Range, Record, Span

__all__ = ["Controls", "Example", "Probed", "Row"]

Counts = Annotated[Mapping[str, int], AfterValidator(FrozenDict), PlainSerializer(dict)]


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

    @computed_field  # type: ignore[prop-decorator]  # pydantic's own way
    @property
    def leak(self) -> Interval:
        """95 % Wilson interval of the share that passed as supported; from 0 to 1 when nothing was tried."""
        return _interval(self.passed, self.tried)


class Controls(Record):
    """The same statements unchanged: the other direction of error. `flagged` ones count as falsely flagged."""

    tried: int = 0
    supported: int = 0
    undecided: int = 0
    flagged: int = 0
    held: int = 0
    failed: int = 0
    examples: tuple[str, ...] = ()

    @computed_field  # type: ignore[prop-decorator]
    @property
    def false_alarm(self) -> Interval:
        """95 % Wilson interval of the share that is falsely flagged; from 0 to 1 when nothing was tried."""
        return _interval(self.flagged, self.tried)


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


def _interval(hits: int, tried: int) -> Interval:
    return wilson(hits, tried) if tried else (0.0, 1.0)
