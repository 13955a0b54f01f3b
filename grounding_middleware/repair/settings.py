"""What may be repaired, in which order the means are tried, and what a model may cost (SPEC RE-2, RE-5)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from grounding_middleware.policy.settings import Setting
from grounding_middleware.records import Kind, Label, Treatment, Verdict, sha256


class Step(StrEnum):
    """One means of repair. MODEL needs a repair model, the others need none."""

    RECITE = "recite"
    CORRECT = "correct"
    REPLACE = "replace"
    MODEL = "model"


UNTOUCHED = frozenset({Kind.FORBIDDEN, Kind.FOREIGN})
"""Claims that rest on what this reader may not see are never repaired, whatever else the evidence says."""

REPAIRABLE = frozenset({Label.CONTRADICTED, Label.INSUFFICIENT_EVIDENCE, Label.INVALID_CITATION})
"""What a verifier could not verify is not known to be wrong, and no wording makes it verifiable."""


def _marker(text: str) -> str:
    if text and (text.count("{id}") != 1 or text.replace("{id}", "").strip() == ""):
        raise ValueError("allowed is an empty text, or one with {id} once and signs around it")
    return text


class Repair(Setting):
    """How unsupported statements are repaired before they are removed. Default of a `Grounder`: none, only removal.

    - `steps` are tried in this order; what none of them repairs is removed. MODEL can only be the last.
    - `treatments`, `labels`, `kinds` choose the statements; an empty field chooses all. Blocked ones never are.
    - `cite` gives uncited supported statements the citation that supports them (CI-7).
    - `marker` is how a new citation is written where the answer shows no style of its own; empty: none is added.
    - `claims` bounds the statements of one answer that are repaired; further ones are removed.
    - `rounds`, `tokens` (input and output together) and `seconds` bound what the repair model does for one answer.
    """

    steps: Annotated[tuple[Step, ...], Field(min_length=1)] = (Step.RECITE, Step.CORRECT, Step.REPLACE)
    treatments: Annotated[tuple[Literal[Treatment.REPAIR, Treatment.REMOVE], ...], Field(min_length=1)] = (
        Treatment.REPAIR,
        Treatment.REMOVE,
    )
    labels: tuple[Label, ...] = ()
    kinds: tuple[Kind, ...] = ()
    cite: bool = False
    marker: Annotated[str, AfterValidator(_marker)] = "[{id}]"
    claims: int = Field(default=20, ge=1, le=1_000)
    rounds: int = Field(default=1, ge=1, le=5)
    tokens: int = Field(default=6_000, ge=1)
    seconds: float = Field(default=60.0, gt=0, allow_inf_nan=False)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if len(set(self.steps)) != len(self.steps):
            raise ValueError(f"steps: {', '.join(self.steps)}; allowed is each step once")
        if Step.MODEL in self.steps[:-1]:
            raise ValueError("steps: model is not the last; what needs no model is tried before one")
        return self

    @property
    def needs_model(self) -> bool:
        """Whether a model is asked when nothing else repairs a statement."""
        return Step.MODEL in self.steps

    @property
    def version(self) -> str:
        """Hash of all settings; changes when any of them does."""
        return sha256(self.model_dump_json())[:12]

    def chooses(self, verdict: Verdict) -> bool:
        """Whether this treated verdict is one to repair."""
        return (
            verdict.treatment in self.treatments
            and verdict.label in REPAIRABLE
            and verdict.kind not in UNTOUCHED
            and (not self.labels or verdict.label in self.labels)
            and (not self.kinds or verdict.kind in self.kinds)
        )
