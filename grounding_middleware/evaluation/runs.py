"""The run file: what a grounder made of a golden set, one line an answer, enough to compare and to show it.

JSON lines. The first is the `RunHeader`, then one `Scored` for each example in the order of the golden set. `load_run`
opens one; a `Run` may be read any number of times, one line at a time, so its length does not matter.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import AfterValidator, AwareDatetime, Field, PlainSerializer, ValidationError

from grounding_middleware.errors import InputError
from grounding_middleware.evaluation.golden import GoldLabel, Segments, Side, accepts, side_of
from grounding_middleware.labels import Action, Kind, Label, Risk, Severity
from grounding_middleware.printable import escaped_json
from grounding_middleware.records import Attributes, FrozenDict, Quote, Record
from grounding_middleware.validation import first_fault

__all__ = [
    "RUN_SCHEMA_VERSION",
    "Fate",
    "Run",
    "RunHeader",
    "Scored",
    "ScoredClaim",
    "ScoredFact",
    "Stage",
    "TierCost",
    "line_of",
    "load_run",
]

RUN_SCHEMA_VERSION: Final = "1"

_Line = TypeVar("_Line", bound=Record)

Counts = Annotated[Mapping[str, int], AfterValidator(FrozenDict), PlainSerializer(dict)]
"""How often each name occurs."""


class Stage(StrEnum):
    """Which part of the cascade decided a claim."""

    CLAIMS = "claims"
    PROVENANCE = "provenance"
    CHECKS = "checks"
    JUDGE = "judge"
    NOBODY = "nobody"


class Fate(StrEnum):
    """What became of a statement of the answer.

    `kept`: it reaches the reader as it was; `repaired`: with other, verified words; `removed`: it was cut; `withheld`:
    the whole answer was.
    """

    KEPT = "kept"
    REPAIRED = "repaired"
    REMOVED = "removed"
    WITHHELD = "withheld"


class ScoredClaim(Record):
    """One statement: what is right (`gold`...), what the verifier said (`label`...), and what became of it.

    `gold` is None for a statement of the answer that the golden set says nothing about. `label` is None for a gold
    claim that no verdict covers; that is never a pass. `rules` are the findings behind the verdict, as
    "outcome check.rule". `cited` are the spans its valid markers lead to; `excerpt` is the beginning of the first of
    them where nothing was quoted. `answer[start:end] == text`.
    """

    id: str = ""
    text: str
    start: int
    end: int
    gold: GoldLabel | None = None
    also_ok: tuple[Label, ...] = ()
    gold_kind: Kind | None = None
    gold_cites: tuple[str, ...] | None = None
    gold_supported_by: str | None = None
    label: Label | None = None
    kind: Kind | None = None
    severity: Severity | None = None
    risk: Risk | None = None
    language: str = ""
    decided_by: str = ""
    reason: str = ""
    rules: tuple[str, ...] = ()
    quotes: tuple[Quote, ...] = ()
    excerpt: str = ""
    cited: tuple[str, ...] = ()
    markers: int = 0
    invalid_markers: int = 0
    supported_elsewhere: str = ""
    fate: Fate = Fate.KEPT
    overlap: float | None = Field(default=None, ge=0, le=1)
    segments: Segments = FrozenDict()

    @property
    def side(self) -> Side | None:
        """What the verifier should have done; None without gold."""
        return None if self.gold is None else side_of(self.gold, self.also_ok)

    @property
    def right(self) -> bool | None:
        """Whether the label is an accepted one; None without gold."""
        return None if self.gold is None else accepts(self.gold, self.also_ok, self.label)

    @property
    def stage(self) -> Stage | None:
        """Which part of the cascade decided; None when no verdict covers the claim."""
        if self.label is None:
            return None
        return Stage(self.decided_by) if self.decided_by in set(Stage) else Stage.JUDGE


class ScoredFact(Record):
    """One critical fact: whether the answer stated it as the model wrote it, and whether the reader still gets it."""

    id: str
    text: str
    in_answer: bool
    in_text: bool


class TierCost(Record):
    """What one tier of the cascade cost for one answer; tokens are None where nobody counted them."""

    tier: str
    calls: int = Field(ge=0)
    failed: int = Field(default=0, ge=0)
    input_tokens: int | None = None
    output_tokens: int | None = None
    latency_ms: float = Field(default=0.0, ge=0, allow_inf_nan=False)


class Scored(Record):
    """What the grounder made of one example. With an `error` the check crashed and nothing else is known.

    `text` is what the reader gets, `shown` whether that is the (edited) answer and no fixed text. `before` counts the
    labels of every statement the verifier found in `answer`, `after` those of what reaches the reader; a repaired
    statement counts there as SUPPORTED, because its new words were verified. `abstained`: the answer, as the model
    wrote it, asserts nothing. `silent`: what the reader gets asserts nothing. `leaked` are forbidden texts that reach
    the reader. `actions` are the accepted ones, empty when the golden set names none.
    """

    id: str
    question: str = ""
    answer: str
    text: str = ""
    segments: Segments = FrozenDict()
    claims: tuple[ScoredClaim, ...] = ()
    facts: tuple[ScoredFact, ...] = ()
    action: Action | None = None
    actions: tuple[Action, ...] = ()
    reason: str = ""
    shown: bool = False
    before: Counts = FrozenDict()
    after: Counts = FrozenDict()
    answerable: bool | None = None
    abstained: bool = False
    silent: bool = False
    leaked: tuple[str, ...] = ()
    forbidden: int = Field(default=0, ge=0)
    markers: Counts = FrozenDict()
    repairs_tried: int = Field(default=0, ge=0)
    repairs_made: int = Field(default=0, ge=0)
    elapsed_ms: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    tiers: tuple[TierCost, ...] = ()
    completed: bool | None = None
    review_seconds: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    error: str = ""

    @property
    def gold_claims(self) -> tuple[ScoredClaim, ...]:
        """The statements somebody labelled."""
        return tuple(claim for claim in self.claims if claim.gold is not None)


class RunHeader(Record):
    """What was measured, on what: two runs are comparable when `golden_sha256` is the same.

    `grounder` describes the grounder in one line; `grounder_sha256` is the hash of its spec, or of what is known of one
    that was built in code. `answers` is how many a finished run has, 0 where that was not known when it began. `gold`
    is false for runs without a golden set, whose figures are the verifier's own opinion.
    """

    kind: Literal["grounding-run"] = "grounding-run"
    schema_version: str = RUN_SCHEMA_VERSION
    name: str = ""
    created: AwareDatetime = Field(default_factory=lambda: datetime.now(UTC))
    package: str
    grounder: str = ""
    grounder_sha256: str = ""
    versions: Attributes = FrozenDict()
    golden: tuple[str, ...] = ()
    golden_sha256: str = ""
    answers: int = Field(default=0, ge=0)
    gold: bool = True
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Run:
    """A run file. Iterating reads it from the start, one answer at a time.

    `InputError` tells a line that is wrong, and a file that ends before its last answer: figures of a part would read
    as those of the whole.
    """

    path: Path
    header: RunHeader

    def __iter__(self) -> Iterator[Scored]:
        """The answers, in golden order; ids never occur twice."""
        number = 0
        for number, scored in enumerate(self.so_far(), 1):  # noqa: B007  # counted
            yield scored
        if number < self.header.answers:
            raise InputError(
                f"{self.path}: ends after {number} of {self.header.answers} answers; grounding eval --resume goes on"
            )

    def so_far(self) -> Iterator[Scored]:
        """The answers that are there, also of a run that is not finished."""
        with self.path.open("rb") as lines:
            next(lines)
            for number, line in enumerate(lines, 2):
                yield _parsed(Scored, line, f"{self.path}, line {number}")


def load_run(path: Path | str) -> Run:
    """The run in this file; raises `InputError` when it is none, or of a version this package cannot read."""
    where = Path(path)
    try:
        with where.open("rb") as lines:
            first = lines.readline()
    except OSError as error:
        raise InputError(
            f"run {str(path)!r}: {error.strerror}; allowed is a file that grounding eval --out wrote"
        ) from None
    header = _parsed(RunHeader, first, f"{path}, line 1")
    if header.schema_version != RUN_SCHEMA_VERSION:
        raise InputError(
            f"{path}, line 1: schema_version is {header.schema_version!r}; this package reads {RUN_SCHEMA_VERSION!r}"
        )
    return Run(where, header)


def line_of(record: RunHeader | Scored) -> str:
    """The record as one line that can be printed without harm, with its line break; an answer leaves defaults out."""
    data: dict[str, Any] = record.model_dump(mode="json", exclude_defaults=isinstance(record, Scored))
    return f"{escaped_json(json.dumps(data, ensure_ascii=False, allow_nan=False))}\n"


def _parsed(kind: type[_Line], line: bytes, where: str) -> _Line:
    if not line.endswith(b"\n"):
        raise InputError(f"{where}: the line is unfinished; grounding eval --resume cuts it off and goes on")
    try:
        return kind.model_validate_json(line)
    except ValidationError as error:
        problem = first_fault(error, kind.__name__)
        raise InputError(f"{where}: {problem}; allowed is a line that grounding eval wrote") from None
