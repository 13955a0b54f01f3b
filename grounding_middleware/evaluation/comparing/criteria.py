"""Rollback criteria as data: which changes, rates and costs of a later run are a regression (SPEC ME-6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self, TypeVar

from pydantic import AfterValidator, Field, PlainSerializer, TypeAdapter, ValidationError, model_validator

from grounding_middleware import strict_documents
from grounding_middleware.errors import ConfigError
from grounding_middleware.evaluation.comparing.changes import WORSE
from grounding_middleware.evaluation.measures import MEASURES, Better, measure
from grounding_middleware.policy.settings import Setting
from grounding_middleware.records import FrozenDict
from grounding_middleware.spec.messages import faults
from grounding_middleware.strict_documents import StrictDocument

_Number = TypeVar("_Number", int, float)

__all__ = ["SHIPPED", "Cost", "Criteria", "Proof", "RateLimit", "shipped"]

SHIPPED: Final = files("grounding_middleware.evaluation.comparing") / "criteria.yaml"
"""The criteria that hold when none are given, with the reasons beside them."""


class Proof(StrEnum):
    """What must be beyond a limit: the bare figure, or all of its 95 % interval."""

    ESTIMATE = "estimate"
    INTERVAL = "interval"


class Cost(StrEnum):
    """What an answer costs: milliseconds of the whole check, model calls, tokens of all calls."""

    P50_MS = "p50_ms"
    P95_MS = "p95_ms"
    CALLS = "calls"
    TOKENS = "tokens"


class RateLimit(Setting):
    """A rate may be worse by at most `max_worse` than before, at most `at_most`, at least `at_least` (all from 0 to 1).

    `segment` holds every value of that segment to it, `value` only this one. `proof` says what `max_worse` is compared
    with. Nothing is concluded where fewer than `least` claims or answers were counted. Raises `ConfigError`.
    """

    measure: str
    segment: str = ""
    value: str = ""
    max_worse: float | None = Field(default=None, ge=0, le=1, allow_inf_nan=False)
    at_most: float | None = Field(default=None, ge=0, le=1, allow_inf_nan=False)
    at_least: float | None = Field(default=None, ge=0, le=1, allow_inf_nan=False)
    proof: Proof = Proof.INTERVAL
    least: int = Field(default=1, ge=1)

    @model_validator(mode="after")
    def _sensible(self) -> Self:
        known = [one.name for one in MEASURES]
        if self.measure not in known:
            raise ValueError(f"measure: got {self.measure!r}; allowed is one of {', '.join(known)}")
        if self.max_worse is None and self.at_most is None and self.at_least is None:
            raise ValueError(f"{self.measure}: no limit is given; allowed are max_worse, at_most, at_least")
        if self.max_worse is not None and measure(self.measure).better is Better.NEITHER:
            raise ValueError(f"max_worse: neither direction of {self.measure} is worse; allowed are at_most, at_least")
        if self.value and not self.segment:
            raise ValueError(f"value: got {self.value!r} without a segment; allowed together with segment")
        return self


def _known(allowed: Iterable[str]) -> Callable[[Mapping[str, _Number]], Mapping[str, _Number]]:
    """A validator of the names in a mapping."""
    names = sorted(allowed)

    def checked(limits: Mapping[str, _Number]) -> Mapping[str, _Number]:
        wrong = next((name for name in limits if name not in names), None)
        if wrong is not None:
            raise ValueError(f"got {wrong!r}; allowed are {', '.join(names)}")
        return FrozenDict(limits)

    return checked


class Criteria(Setting):
    """What makes a later run a regression; whatever is not named may change. Raises `ConfigError`."""

    criteria: Literal[1] = 1
    changes: Annotated[
        Mapping[str, Annotated[int, Field(ge=0)]], AfterValidator(_known(WORSE)), PlainSerializer(dict)
    ] = FrozenDict()
    rates: tuple[RateLimit, ...] = ()
    costs: Annotated[
        Mapping[str, Annotated[float, Field(gt=0, allow_inf_nan=False)]],
        AfterValidator(_known(Cost)),
        PlainSerializer(dict),
    ] = FrozenDict()

    @model_validator(mode="after")
    def _not_empty(self) -> Self:
        if not (self.changes or self.rates or self.costs):
            raise ValueError("no limit is given, so nothing could ever fail; allowed are changes, rates, costs")
        return self

    @classmethod
    def read(cls, source: Path | str | Mapping[str, Any]) -> Criteria:
        """The criteria in a YAML or JSON file or in a mapping; raises `ConfigError` with one line for each fault."""
        if isinstance(source, Mapping):
            return _validated(StrictDocument(dict(source), "criteria"))
        return _validated(strict_documents.load(Path(source)))


@cache
def shipped() -> Criteria:
    """The criteria of `SHIPPED`."""
    return _validated(strict_documents.parse(SHIPPED.read_text("utf-8"), SHIPPED.name))


def _validated(document: StrictDocument) -> Criteria:
    try:
        return TypeAdapter(Criteria).validate_python(document.data)
    except ValidationError as error:
        raise faults(error.errors(include_url=False), document, Criteria) from None
    except ConfigError as error:
        raise ConfigError(f"{document.at(())}: {error}") from None
