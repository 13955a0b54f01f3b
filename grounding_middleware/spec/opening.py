"""From the sections about audit trail, review queue and telemetry to what they describe, opened (SPEC ES-1, ES-4)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from grounding_middleware.errors import ConfigError, InputError
from grounding_middleware.escalation import Sink, best_effort, sampled, when
from grounding_middleware.records import Report
from grounding_middleware.spec.locations import beside, secret, url_beside
from grounding_middleware.spec.model import Spec
from grounding_middleware.spec.outlets import AuditSpec, ReviewSpec
from grounding_middleware.spec.tiers import Secret
from grounding_middleware.telemetry import Telemetry

if TYPE_CHECKING:
    from grounding_middleware.audit.answers import Trail
    from grounding_middleware.review import ReviewQueue

__all__ = ["database_of", "review_queue", "reviewing", "sinks"]


def sinks(spec: Spec) -> Iterator[Sink]:
    """In this order: times first, then proof, then people. Telemetry may fail, the others may not."""
    if spec.telemetry is not None:
        try:
            yield best_effort(Telemetry(spec.telemetry))
        except ConfigError as error:
            raise ConfigError(f"{spec.at('telemetry')}: {error}") from error
    if spec.audit is not None:
        from grounding_middleware.audit import AuditSink  # noqa: PLC0415  # only where a trail is written

        yield AuditSink(_trail(spec, spec.audit), redact=spec.audit.redact, keep=spec.audit.keep)
    if spec.review is not None:
        yield from _submitting(spec, spec.review)


def review_queue(spec: Spec) -> ReviewQueue:
    """The queue a spec names: for its reviewers, and with the trail of the spec, where every ruling is recorded.

    What `audit.redact` and `audit.keep` say holds for the texts of rulings, too. Raises `ConfigError`.
    """
    from grounding_middleware.audit.rulings import RulingTrail  # noqa: PLC0415  # as above

    trail = None
    if spec.audit is not None:
        trail = RulingTrail(_trail(spec, spec.audit), redact=spec.audit.redact, keep=spec.audit.keep)
    return _queue(spec, trail)


def reviewing(spec: Spec) -> ReviewSpec:
    """The section about the queue; raises `ConfigError` where there is none."""
    if spec.review is None:
        raise ConfigError(f"{spec.at()}: has no section review; write review: {{database: sqlite:///review.db}}")
    return spec.review


def database_of(spec: Spec) -> str:
    """The URL of the queue; raises `ConfigError` for a variable that is not set."""
    return _url(spec, reviewing(spec).database, "review", "database")


def _trail(spec: Spec, audit: AuditSpec) -> Trail:
    if audit.folder is None:
        with _stored(spec, "audit"):
            from grounding_middleware.store.audit import SqlTrail  # noqa: PLC0415  # the extra store

            return SqlTrail(_url(spec, audit.database, "audit", "database"))
    from grounding_middleware.audit import JsonlTrail  # noqa: PLC0415  # as above

    folder = beside(audit.folder, spec.folder)
    try:
        return JsonlTrail(folder, max_bytes=audit.max_bytes, fsync=audit.fsync, fsync_seconds=audit.fsync_seconds)
    except OSError as error:
        where = spec.at("audit", "folder")
        raise ConfigError(f"{where} is {str(folder)!r}, which cannot be used: {error.strerror}") from error


def _submitting(spec: Spec, section: ReviewSpec) -> Iterator[Sink]:
    from grounding_middleware.audit.redaction import as_rules, redact  # noqa: PLC0415  # only where something is masked

    queue = _queue(spec)
    rules = as_rules(section.redact)

    def submit(report: Report) -> None:
        queue.submit(redact(report, rules)[0] if rules else report)

    if section.actions:
        yield when(section.actions, submit)
    if section.sample:
        yield sampled(section.sample, submit)


def _queue(spec: Spec, trail: Trail | None = None) -> ReviewQueue:
    section = reviewing(spec)
    with _stored(spec, "review"):
        import_module("grounding_middleware.store")  # says what to install when it cannot be loaded
        from grounding_middleware.review import ReviewQueue  # noqa: PLC0415  # the extra store

        return ReviewQueue(database_of(spec), reviewers=section.reviewers, trail=trail)


@contextmanager
def _stored(spec: Spec, section: str) -> Iterator[None]:
    """Whatever keeps a database from being opened is a `ConfigError` that says which one."""
    where = spec.at(section, "database")
    try:
        yield
    except (ConfigError, InputError) as error:
        raise error if str(error).startswith(where) else ConfigError(f"{where}: {error}") from error
    except ModuleNotFoundError as error:
        raise ConfigError(f"{where}: {error}") from error


def _url(spec: Spec, location: str | Secret | None, *place: str) -> str:
    """The URL itself, or what the environment says: that is taken as it is, wherever the spec lies."""
    if isinstance(location, Secret):
        return secret(location, spec.at(*place))
    return url_beside(str(location), spec.folder)
