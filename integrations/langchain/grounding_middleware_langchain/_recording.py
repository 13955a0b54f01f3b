"""What was shown is on record, also when the reader leaves in the middle of a stream or the chain fails there."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from grounding_middleware import Grounder
from grounding_middleware.errors import AnswerWithheldError
from grounding_middleware.records import Report
from grounding_middleware_langchain._release import Release

_log = logging.getLogger(__name__)


@contextmanager
def recorded(release: Release, grounder: Grounder) -> Iterator[None]:
    """Hands the report on what was shown to the sinks when the stream ends before its time; the reason goes on.

    A sink that fails then is logged: there is nobody left to withhold anything from.
    """
    try:
        yield
    except BaseException:
        report = release.left()
        if report is not None:
            try:
                grounder.deliver(report)
            except AnswerWithheldError:
                _failed(report)
        raise


@asynccontextmanager
async def arecorded(release: Release, grounder: Grounder) -> AsyncIterator[None]:
    """As `recorded`, without blocking the event loop."""
    try:
        yield
    except BaseException:
        report = release.left()
        if report is not None:
            try:
                await grounder.adeliver(report)
            except AnswerWithheldError:
                _failed(report)
        raise


def _failed(report: Report) -> None:
    _log.exception("a sink failed for answer %s, whose stream ended before its time", report.answer_id)
