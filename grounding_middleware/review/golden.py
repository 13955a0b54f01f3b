"""Decided cases as a golden set: JSON lines, one ruled claim each, to be checked again (SPEC ES-2, ME-4).

| field | content |
|---|---|
| `id` | unique: the item's id and the claim's |
| `question`, `as_of`, `requester` | what was asked, the day of the question, attributes of who asked |
| `sources` | the evidence: mappings of `Span`'s fields, as `Grounder.check(evidence=...)` takes them |
| `answer` | the whole answer, as the model gave it |
| `claim`, `start`, `end` | the claim and its place: `answer[start:end] == claim` |
| `label`, `kind` | what a person holds to be right; a kind of error only where the label says that something is wrong |
| `also_ok` | further labels that are accepted; empty here |
| `quote` | the evidence a reviewer named: `span_id`, `start`, `end`, `text` |
| `correction` | the wording a reviewer gave for the claim |
| `was`, `decided_by` | the machine's label at that time, and which part of it decided |
| `reviewer`, `at`, `why` | who ruled, when, and the note |
| `origin`, `class`, `domain` | for tables of results: `review`, `reviewed`, empty |
| `lang`, `hard` | language of the claim; `deterministic` when rules decided it, else `semantic` |

Cases may come from elsewhere: only `id`, `answer`, `claim`, `label` and `sources` are required, and `start` and `end`
may be missing where the claim occurs once in the answer. Text that the requester was not allowed to see is in no report
and so in no case: a citation of it is an unknown one here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final, Self

from pydantic import ConfigDict, Field, ValidationError, model_validator

from grounding_middleware.errors import InputError
from grounding_middleware.evaluation.golden import placed
from grounding_middleware.grounder import Grounder
from grounding_middleware.printable import escaped_json
from grounding_middleware.records import Attributes, Kind, Label, Quote, Record, Report, Verdict
from grounding_middleware.review.items import Case
from grounding_middleware.review.rulings import Ruling
from grounding_middleware.validation import first_fault_with_value

__all__ = ["GoldenCase", "export", "golden_cases", "load_golden"]

_RULES: Final = frozenset({"claims", "provenance", "checks"})
_NOT_DUMPED: Final = {"offsets_verified"}


class GoldenCase(Record):
    """One claim with its right label and everything needed to check it again; the module names the fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_by_name=True, serialize_by_alias=True)

    id: str = Field(min_length=1)
    origin: str = ""
    subject: str = Field(default="", alias="class")
    domain: str = ""
    lang: str = ""
    hard: str = ""
    question: str = ""
    as_of: date | None = None
    requester: Attributes | None = None
    sources: tuple[Attributes, ...]
    answer: str
    claim: str = Field(min_length=1)
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    label: Label
    also_ok: tuple[Label, ...] = ()
    kind: Kind | None = None
    quote: Quote | None = None
    correction: str = ""
    supported_by: str | None = None
    judge_reply: str | None = None
    was: Label | None = None
    decided_by: str = ""
    reviewer: str = ""
    at: datetime | None = None
    why: str = ""

    @model_validator(mode="before")
    @classmethod
    def _placed(cls, data: Any) -> Any:
        """Find the place of a claim that comes without; afterwards it is never searched for again."""
        if not isinstance(data, dict) or "start" in data or not isinstance(data.get("claim"), str):
            return data
        (start,) = placed(str(data.get("answer", "")), (data["claim"],))
        return {**data, "start": start, "end": start + len(data["claim"])}

    @model_validator(mode="after")
    def _in_place(self) -> Self:
        if self.answer[self.start : self.end] != self.claim:
            raise ValueError(f"answer[{self.start}:{self.end}] is not the claim")
        return self

    def check(self, grounder: Grounder) -> Report:
        """The answer checked again, on the same evidence, day and requester."""
        return grounder.check(
            self.answer, evidence=self.sources, question=self.question, as_of=self.as_of, requester=self.requester
        )

    def verdict(self, report: Report) -> Verdict | None:
        """The verdict of a report on this answer that covers the claim, the shortest one; None when none does."""
        covering = [each for each in report.claims if each.start <= self.start and self.end <= each.end]
        return min(covering, key=lambda each: each.end - each.start, default=None)

    def accepts(self, label: Label) -> bool:
        """Whether the label is right."""
        return label is self.label or label in self.also_ok


def golden_cases(cases: Iterable[Case], *, only_overruled: bool = False) -> Iterator[GoldenCase]:
    """Every claim that somebody ruled on; with `only_overruled` those where the machine was wrong (ES-4)."""
    for case in cases:
        for verdict in case.report.claims:
            golden = _golden(case, verdict)
            if golden and not (only_overruled and golden.accepts(verdict.label) and golden.kind is verdict.kind):
                yield golden


def export(cases: Iterable[GoldenCase]) -> Iterator[str]:
    """One JSON line a case, without line breaks; control and direction characters are escaped, so it may be printed."""
    for case in cases:
        yield escaped_json(json.dumps(case.model_dump(mode="json", exclude_none=True), ensure_ascii=False))


def load_golden(path: Path | str) -> tuple[GoldenCase, ...]:
    """The cases of a file of JSON lines. Raises `InputError` with the line's number for one that is wrong."""
    try:
        lines = Path(path).read_text("utf-8").split("\n")  # not splitlines: U+2028 may stand inside a line
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"golden set {str(path)!r}: {error}") from error
    return tuple(_loaded(line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line.strip())


def _loaded(line: str, where: str) -> GoldenCase:
    try:
        return GoldenCase.model_validate(json.loads(line))
    except (ValidationError, json.JSONDecodeError, RecursionError) as error:
        cause = first_fault_with_value(error, "case") if isinstance(error, ValidationError) else str(error)
        raise InputError(f"{where}: {cause}") from error


def _golden(case: Case, verdict: Verdict) -> GoldenCase | None:
    right = case.right(verdict)
    ruled = case.of_claim(verdict.id) or case.of_answer
    if right is None or right.label is None or ruled is None:
        return None
    evidence = case.report.evidence
    sources = [span.model_dump(mode="json", exclude_defaults=True, exclude=_NOT_DUMPED) for span in evidence.spans]
    return GoldenCase.model_validate(
        {
            "id": f"{case.item.id}-{verdict.id}",
            "origin": "review",
            "class": "reviewed",
            "lang": verdict.language,
            "hard": "deterministic" if verdict.decided_by in _RULES else "semantic",
            "question": case.report.question,
            "as_of": evidence.as_of,
            "requester": evidence.requester,
            "sources": sources,
            "answer": case.report.answer,
            "claim": verdict.text,
            "start": verdict.start,
            "end": verdict.end,
            "label": right.label,
            "kind": right.kind,
            "quote": right.quote,
            "correction": right.text if right.ruling is Ruling.EDIT else "",
            "was": verdict.label,
            "decided_by": verdict.decided_by,
            "reviewer": ruled.reviewer,
            "at": ruled.at,
            "why": right.note or ruled.given.note,
        }
    )
