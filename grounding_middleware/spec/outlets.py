"""Where reports go, as data: the sections for the audit trail and the review queue (SPEC ES-1, AU-1)."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from grounding_middleware.labels import Action
from grounding_middleware.policy.settings import Setting
from grounding_middleware.spec.locations import Folder, Location

__all__ = ["AuditSpec", "Redaction", "ReviewSpec"]

Redaction = Literal["email", "phone", "iban", "card", "ip"]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Days = Annotated[int, Field(ge=0, le=100_000)]


class AuditSpec(Setting):
    """One record of every answer, in a `folder` of JSON lines or in a `database` (its URL, or the variable it is in).

    `keep: hashes` writes no text at all, `redact` names what is masked before anything is written. `fsync` and
    `max_bytes` are for folders. `retention_days` is what `grounding audit purge --spec` applies.
    """

    folder: Folder | None = None
    database: Location | None = None
    keep: Literal["report", "hashes"] = "report"
    redact: tuple[Redaction, ...] = ()
    fsync: Literal["always", "interval", "never"] = "always"
    fsync_seconds: Annotated[float, Field(gt=0, le=3_600, allow_inf_nan=False)] = 1.0
    max_bytes: Annotated[int, Field(ge=1)] = 100_000_000
    retention_days: Days | None = None

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if (self.folder is None) == (self.database is None):
            raise ValueError("folder, database: allowed is exactly one of them")
        return self


class ReviewSpec(Setting):
    """A queue in a `database`: answers with one of `actions`, and a `sample` (0 to 1) of all answers.

    With `reviewers` only they may hold items. `redact` masks what must not be in the queue, as it does in the trail.
    `retention_days` is what `grounding review purge --spec` applies.
    """

    database: Location
    actions: tuple[Action, ...] = (Action.REVIEW, Action.DRAFT_REVIEW, Action.ESCALATE, Action.BLOCKED)
    sample: Share = 0.0
    reviewers: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    redact: tuple[Redaction, ...] = ()
    retention_days: Days | None = None
