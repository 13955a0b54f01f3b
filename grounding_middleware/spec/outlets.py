"""Where reports go, as data: telemetry, audit trail, review queue; each a sink of the grounder (SPEC ES-1, ES-4)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from grounding_middleware.errors import ConfigError
from grounding_middleware.escalation import Sink, best_effort, sampled, when
from grounding_middleware.labels import Action
from grounding_middleware.policy.settings import Setting
from grounding_middleware.records import Report
from grounding_middleware.spec.tiers import Secret
from grounding_middleware.telemetry import Telemetry, TelemetrySettings

__all__ = ["AuditSpec", "ReviewSpec", "outlets", "secret"]


def _open(url: str) -> str:
    """A URL without a password: that would stand in the spec, in its printed form and in every message."""
    if _PASSWORD.search(url):
        raise ValueError("a password stands in the URL; allowed is a reference to the environment: {env: NAME}")
    return url


_PASSWORD: Final = re.compile(r"://[^/@\s]*:[^/@\s]*@")
Location = Annotated[str, Field(min_length=1), AfterValidator(_open)] | Secret
Redaction = Literal["email", "phone", "iban", "card", "ip"]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class AuditSpec(Setting):
    """One record of every answer, in a `folder` of JSON lines or in a `database` (its URL, or the variable it is in).

    `keep: hashes` writes no text at all, `redact` names what is masked before anything is written. `fsync` and
    `max_bytes` are for folders. `retention_days` is what `grounding audit purge --spec` applies.
    """

    folder: Annotated[str, Field(min_length=1)] | None = None
    database: Location | None = None
    keep: Literal["report", "hashes"] = "report"
    redact: tuple[Redaction, ...] = ()
    fsync: Literal["always", "interval", "never"] = "always"
    fsync_seconds: Annotated[float, Field(gt=0, le=3_600, allow_inf_nan=False)] = 1.0
    max_bytes: Annotated[int, Field(ge=1)] = 100_000_000
    retention_days: Annotated[int, Field(ge=0)] | None = None

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if (self.folder is None) == (self.database is None):
            raise ValueError("folder, database: allowed is exactly one of them")
        return self


class ReviewSpec(Setting):
    """A queue in a `database`: answers with one of `actions`, and a `sample` (0 to 1) of all answers.

    With `reviewers` only they may hold items. `redact` masks what must not be in the queue, as it does in the trail.
    """

    database: Location
    actions: tuple[Action, ...] = (Action.REVIEW, Action.DRAFT_REVIEW, Action.ESCALATE, Action.BLOCKED)
    sample: Share = 0.0
    reviewers: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    redact: tuple[Redaction, ...] = ()


def outlets(telemetry: TelemetrySettings | None, audit: AuditSpec | None, review: ReviewSpec | None) -> Iterator[Sink]:
    """The sinks in their order: times first, then proof, then people. Telemetry may fail, the others may not."""
    if telemetry is not None:
        yield best_effort(Telemetry(telemetry))
    if audit is not None:
        yield _audit(audit)
    if review is not None:
        yield from _review(review)


def secret(value: Secret, where: str) -> str:
    """What stands in the environment; raises `ConfigError` naming field and variable when nothing does."""
    found = os.environ.get(value.env, "")
    if not found:
        raise ConfigError(f"{where}: the environment variable {value.env} is not set")
    return found


def _audit(spec: AuditSpec) -> Sink:
    from grounding_middleware.audit import AuditSink, JsonlTrail  # noqa: PLC0415  # only where a trail is written

    if spec.folder is not None:
        try:
            trail = JsonlTrail(
                spec.folder, max_bytes=spec.max_bytes, fsync=spec.fsync, fsync_seconds=spec.fsync_seconds
            )
        except OSError as error:
            raise ConfigError(f"audit.folder is {spec.folder!r}, which cannot be used: {error.strerror}") from error
        return AuditSink(trail, redact=spec.redact, keep=spec.keep)
    from grounding_middleware.store.audit import SqlTrail  # noqa: PLC0415  # the extra store

    return AuditSink(SqlTrail(_url(spec.database, "audit.database")), redact=spec.redact, keep=spec.keep)


def _review(spec: ReviewSpec) -> Iterator[Sink]:
    from grounding_middleware.audit.redaction import as_rules, redact  # noqa: PLC0415  # only where something is masked
    from grounding_middleware.review import ReviewQueue  # noqa: PLC0415  # the extra store

    queue = ReviewQueue(_url(spec.database, "review.database"), reviewers=spec.reviewers)
    rules = as_rules(spec.redact)

    def submit(report: Report) -> None:
        queue.submit(redact(report, rules)[0] if rules else report)

    if spec.actions:
        yield when(spec.actions, submit)
    if spec.sample:
        yield sampled(spec.sample, submit)


def _url(location: str | Secret | None, where: str) -> str:
    return secret(location, where) if isinstance(location, Secret) else str(location)
