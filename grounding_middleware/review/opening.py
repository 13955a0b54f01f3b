"""The queue behind the command line: an existing database, and one line for whatever goes wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from grounding_middleware.errors import InputError
from grounding_middleware.review.queue import ReviewQueue
from grounding_middleware.store import Store

__all__ = ["opened"]


@contextmanager
def opened(url: str) -> Iterator[ReviewQueue]:
    """The queue in the database at `url`; a mistyped file is an error, not a new, empty queue."""
    file = _file(url)
    if file and not file.is_file():
        raise InputError(f"db: there is no file {str(file)!r}; whoever submits answers makes it")
    try:
        with Store(url) as store:
            yield ReviewQueue(store)
    except SQLAlchemyError as error:
        raise InputError(f"db: {getattr(error, 'orig', None) or error}") from error


def _file(url: str) -> Path | None:
    try:
        parsed = make_url(url)
    except ArgumentError:
        return None  # the store says what is wrong with it
    return Path(parsed.database) if parsed.get_backend_name() == "sqlite" and parsed.database else None
