"""The queue behind the command line: an existing database, and one line for whatever goes wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from grounding_middleware.audit.redaction import as_rules
from grounding_middleware.errors import ConfigError, InputError
from grounding_middleware.review.masking import Mask
from grounding_middleware.review.queue import ReviewQueue
from grounding_middleware.spec.model import Spec

__all__ = ["Desk", "opened", "opened_by"]


class Desk(NamedTuple):
    """A queue, and what nobody may see of it."""

    queue: ReviewQueue
    mask: Mask


@contextmanager
def opened(url: str) -> Iterator[Desk]:
    """The queue in the database at `url`; a mistyped file is an error, not a new, empty queue."""
    _there(url, "db")
    with _telling("db"):
        queue = ReviewQueue(url)
        with queue.store:
            yield Desk(queue, Mask())


@contextmanager
def opened_by(spec: Spec) -> Iterator[Desk]:
    """The queue a spec names, with its reviewers, its redaction, and its trail, in which rulings are recorded."""
    from grounding_middleware.spec.opening import database_of, review_queue, reviewing  # noqa: PLC0415  # it knows us

    where = spec.at("review", "database")
    _there(database_of(spec), where)
    with _telling(where):
        queue = review_queue(spec)
        with queue.store:
            yield Desk(queue, Mask(as_rules(reviewing(spec).redact)))


def _there(url: str, where: str) -> None:
    file = _file(url)
    if file and not file.is_file():
        raise InputError(f"{where}: there is no file {str(file)!r}; whoever submits answers makes it")


@contextmanager
def _telling(where: str) -> Iterator[None]:
    try:
        yield
    except SQLAlchemyError as error:
        raise InputError(f"{where}: {getattr(error, 'orig', None) or error}") from error
    except OSError as error:
        raise ConfigError(f"audit: the ruling is kept in the queue, but not in the trail: {error}") from error


def _file(url: str) -> Path | None:
    try:
        parsed = make_url(url)
    except ArgumentError:
        return None  # the store says what is wrong with it
    return Path(parsed.database) if parsed.get_backend_name() == "sqlite" and parsed.database else None
