"""What each validator can be told, as closed records: a typo, a wrong type or an impossible value dies at once."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field

from grounding_middleware.errors import ConfigError, GroundingError
from grounding_middleware.policy.settings import Setting


class GuardAction(StrEnum):
    """What a guard does with an answer that is not supported as a whole."""

    REMOVE = "remove"
    REPAIR = "repair"
    ESCALATE = "escalate"
    FLAG = "flag"

    @property
    def fixes(self) -> bool:
        """Whether the guard may give another text than it got."""
        return self in (GuardAction.REMOVE, GuardAction.REPAIR)


class ArgumentError(GroundingError):
    """An argument of a validator is wrong.

    No `ValueError`, unlike `ConfigError`: guardrails-ai drops a validator of a field whose constructor raises one.
    """


def _no_bool(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("allowed is a number")  # noqa: TRY004  # pydantic reports ValueErrors
    return value


Share = Annotated[float, BeforeValidator(_no_bool), Field(ge=0, le=1, allow_inf_nan=False)]
Seconds = Annotated[float, BeforeValidator(_no_bool), Field(gt=0, allow_inf_nan=False)]
Count = Annotated[int, BeforeValidator(_no_bool), Field(ge=1)]

Preset = Literal["low", "standard", "high", "high-volume", "release-gate", "by-severity"]


class Verification(Setting):
    """Arguments of the two validators that verify.

    `threshold` is the least confidence at which a judge's SUPPORTED counts. `judge` is `openai:MODEL`, `nli:FOLDER`, or
    in Python whatever `Grounder` takes. `policy` is a preset with its limits; without one the action alone decides.
    `max_unsupported` is the share of claims an answer may lose before nothing of it is released. `unchecked` says what
    happens to claims that no rule decides while no judge is there; `withheld_text` is given in place of a withheld
    answer. `grounder` (Python only) brings judge, policy and limits of its own.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    threshold: Share | None = None
    judge: Any = None
    policy: Preset | None = None
    max_unsupported: Share | None = None
    unchecked: Literal["withhold", "keep"] = "withhold"
    timeout: Seconds = 60.0
    grounder: Any = None


class VerifiedClaimsArguments(Verification):
    """Arguments of `grounding/verified_claims`."""

    action: GuardAction = GuardAction.REMOVE
    withheld_text: str = ""


class ClaimListArguments(Verification):
    """Arguments of `grounding/claim_list`: which keys of an object hold the text of a claim and its citations."""

    action: Literal[GuardAction.REMOVE, GuardAction.ESCALATE, GuardAction.FLAG] = GuardAction.REMOVE
    text_key: str = Field(default="text", min_length=1)
    citations_key: str = Field(default="citations", min_length=1)


class GateArguments(Setting):
    """What all gates can be told: an answer that fails is withheld, or marked.

    `grounder` (Python only) is the one whose citation syntax and evidence rules count.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    grounder: Any = None
    action: Literal[GuardAction.ESCALATE, GuardAction.FLAG] = GuardAction.ESCALATE


class CitedSpansArguments(GateArguments):
    """Arguments of `grounding/cited_spans`."""

    allow_uncited: bool = False


class QuotesAndNumbersArguments(GateArguments):
    """Arguments of `grounding/quotes_and_numbers`: `doubts` lets pass what the rules only doubt, not what conflicts."""

    tolerance: Literal["none", "doubts"] = "none"


class AnswerableArguments(GateArguments):
    """Arguments of `grounding/answerable`: with fewer usable spans than this, an answer must say that it has none.

    A `grounder` whose evidence rules ask for more counts.
    """

    min_spans: Count = 1


def named(
    owner: str, settings: type[Setting], given: tuple[tuple[Any, ...], Mapping[str, Any]], order: tuple[str, ...]
) -> tuple[Any, dict[str, Any]]:
    """The record of arguments, and the same arguments by name as they were given; `order` names positional ones.

    Raises `ArgumentError`.
    """
    args, kwargs = given
    if len(args) > len(order):
        raise ArgumentError(f"{owner}: {len(args)} arguments by position; allowed are {', '.join(order)}")
    by_position = dict(zip(order, args, strict=False))
    twice = sorted(by_position.keys() & kwargs.keys())
    if twice:
        raise ArgumentError(f"{owner}: {twice[0]} is given by position and by name; allowed is once")
    by_name = {**by_position, **kwargs}
    allowed = ", ".join(settings.model_fields)
    unknown = sorted(map(str, by_name.keys() - settings.model_fields.keys()))
    faults = [f"{name!r} is no argument; allowed are {allowed}" for name in unknown]
    known = {name: value for name, value in by_name.items() if name in settings.model_fields}
    try:
        record = settings(**known)
    except ConfigError as error:
        faults.append(str(error).replace(settings.__name__ + ".", ""))
    if faults:
        raise ArgumentError(f"{owner}: {'; '.join(faults)}")
    return record, by_name
