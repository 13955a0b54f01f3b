"""What was shown is on record, also when the reader leaves in the middle of a stream or the chain fails there."""

from __future__ import annotations

import logging
from types import TracebackType

from grounding_middleware import Grounder
from grounding_middleware.errors import AnswerWithheldError
from grounding_middleware.records import Report
from grounding_middleware_langchain._release import Release

_log = logging.getLogger(__name__)


class Recorded:
    """Hands the report on what was shown to the sinks when the stream ends before its time; the reason goes on.

    A sink that fails then is logged: there is nobody left to withhold anything from. A class, not a generator: an event
    loop that shuts down closes all asynchronous generators at once, in no order.
    """

    def __init__(self, release: Release, grounder: Grounder) -> None:
        self._release = release
        self._grounder = grounder

    def __enter__(self) -> None:
        """Nothing to do yet."""

    async def __aenter__(self) -> None:
        """Nothing to do yet."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        report = self._left(error)
        if report is not None:
            try:
                self._grounder.deliver(report)
            except AnswerWithheldError:
                _failed(report)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        report = self._left(error)
        if report is not None:
            try:
                await self._grounder.adeliver(report)
            except AnswerWithheldError:
                _failed(report)

    def _left(self, error: BaseException | None) -> Report | None:
        return None if error is None else self._release.left()


def _failed(report: Report) -> None:
    _log.exception("a sink failed for answer %s, whose stream ended before its time", report.answer_id)
