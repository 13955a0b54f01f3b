"""Guarded chains: the same input and output as the chain, the report instead, or released claim by claim."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

from langchain_core.callbacks.manager import adispatch_custom_event, dispatch_custom_event
from langchain_core.runnables import RunnableConfig
from langchain_core.utils.pydantic import TypeBaseModel
from typing_extensions import override

from grounding_middleware.capture import summary
from grounding_middleware.records import Report
from grounding_middleware_langchain._graphs import Held
from grounding_middleware_langchain._guarding import REPORT_EVENT, Guarding, In, Out
from grounding_middleware_langchain._outputs import Slot
from grounding_middleware_langchain._pieces import Pieces, pieces_of
from grounding_middleware_langchain._recording import Recorded
from grounding_middleware_langchain._release import Release
from grounding_middleware_langchain._stream import achained, chained
from grounding_middleware_langchain._turn import Turn

JUDGED_TOGETHER = 3
"""Statements put to a judge in one call while streaming; fewer would cost a call for each sentence."""


class ReportedRunnable(Guarding[In, Report]):
    """The guarded chain that hands out the report instead of the answer; streams it as its only chunk."""

    @property
    @override
    def OutputType(self) -> type[Report]:
        return Report

    @override
    def _result(self, found: Slot, report: Report) -> Report:
        return report


class GroundedRunnable(Guarding[In, Out]):
    """The guarded chain: same input, same output type, only verified text in it. Streams the whole answer at once."""

    @property
    @override
    def OutputType(self) -> type[Out]:
        return self.bound.OutputType

    @override
    def get_output_schema(self, config: RunnableConfig | None = None) -> TypeBaseModel:
        return self.bound.get_output_schema(config)

    def with_report(self) -> ReportedRunnable[In]:
        """The same guarded chain, giving the whole report."""
        return ReportedRunnable(**{name: getattr(self, name) for name in Guarding.model_fields})

    @override
    def _result(self, found: Slot, report: Report) -> Out:
        result: Out = found.put(report)
        return result

    @override
    def _held(self, held: Held, found: Slot, report: Report) -> Iterator[Any]:
        yield from held.released(found, report)


class ClaimStreamingRunnable(GroundedRunnable[In, Out]):
    """The guarded chain that streams claim by claim: each is shown once it is verified, none is taken back.

    Text, message chunks with plain text, and dicts whose `answer_key` is set stream like that; everything else, and all
    calls but streams, as in `GroundedRunnable`. A limit on the share of unsupported claims can only be applied at the
    end: text that was shown is supported and stays, the policy's text follows it.
    """

    @override
    def _streamed(self, turn: Turn, chunks: Iterator[Any], config: RunnableConfig) -> Iterator[Out]:
        first = next(chunks, None)
        pieces = self._pieces(first)
        if pieces is None:
            yield from super()._streamed(turn, chained(first, chunks), config)
            return
        grounder, release = self.guard.grounder, Release(turn, self.guard.grounder.policy, self._group())
        with Recorded(release, grounder):
            for chunk in chained(first, chunks):
                text, rest = pieces.take(chunk)
                if rest is not None:
                    turn.note(rest)
                    yield rest
                pending = release.feed(text)
                if pending is not None and (shown := release.shown(pending.check(grounder))):
                    yield pieces.give(shown)
                if release.stopped:
                    break
            pending = release.finish()
            last = "" if pending is None else release.shown(pending.check(grounder))
            end, report = release.conclude()
            grounder.deliver(report)
        dispatch_custom_event(REPORT_EVENT, summary(report), config=config)
        yield from _ending(pieces, (last, end), report)

    @override
    async def _astreamed(self, turn: Turn, chunks: AsyncIterator[Any], config: RunnableConfig) -> AsyncIterator[Out]:
        first = await anext(chunks, None)
        pieces = self._pieces(first)
        if pieces is None:
            async for chunk in super()._astreamed(turn, achained(first, chunks), config):
                yield chunk
            return
        grounder, release = self.guard.grounder, Release(turn, self.guard.grounder.policy, self._group())
        async with Recorded(release, grounder):
            async for chunk in achained(first, chunks):
                text, rest = pieces.take(chunk)
                if rest is not None:
                    turn.note(rest)
                    yield rest
                pending = release.feed(text)
                if pending is not None and (shown := release.shown(await pending.acheck(grounder))):
                    yield pieces.give(shown)
                if release.stopped:
                    break
            pending = release.finish()
            last = "" if pending is None else release.shown(await pending.acheck(grounder))
            end, report = release.conclude()
            await grounder.adeliver(report)
        await adispatch_custom_event(REPORT_EVENT, summary(report), config=config)
        for chunk in _ending(pieces, (last, end), report):
            yield chunk

    def _pieces(self, first: Any) -> Pieces | None:
        """How to stream what begins with `first`; None when the whole must be there before anything is shown.

        A repair changes statements in the light of the whole answer.
        """
        return None if self.guard.grounder.repair else pieces_of(first, self.guard.answer_key)

    def _group(self) -> int:
        """Statements that make a group: a judge is asked about several at once, checks alone take each at once."""
        return 1 if self.guard.grounder.cascade is None else JUDGED_TOGETHER


def _ending(pieces: Pieces, texts: Iterable[str], report: Report) -> Iterator[Any]:
    """The last texts, and a closing chunk where there is one."""
    yield from (pieces.give(text) for text in texts if text)
    last = pieces.last(report)
    if last is not None:
        yield last
