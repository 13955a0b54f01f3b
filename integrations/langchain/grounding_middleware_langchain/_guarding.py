"""What all guarded chains do: run under watch, verify, hand out a result; written for sync, async and streams."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import AsyncIterator, Iterator
from typing import Any, TypeVar

from langchain_core.callbacks import AsyncCallbackManagerForChainRun, CallbackManagerForChainRun
from langchain_core.callbacks.manager import adispatch_custom_event, dispatch_custom_event
from langchain_core.runnables import Runnable, RunnableConfig, RunnableSerializable
from langchain_core.runnables.config import patch_config
from langchain_core.runnables.graph import Graph
from langchain_core.runnables.utils import ConfigurableFieldSpec
from langchain_core.utils.pydantic import TypeBaseModel
from pydantic import ConfigDict
from typing_extensions import override

from grounding_middleware.capture import summary
from grounding_middleware.records import Report
from grounding_middleware_langchain._graphs import Held, is_graph
from grounding_middleware_langchain._outputs import Slot
from grounding_middleware_langchain._rules import Guarded
from grounding_middleware_langchain._stream import Closing, merge
from grounding_middleware_langchain._turn import Guard, Turn, watched

In = TypeVar("In")
Out = TypeVar("Out")

REPORT_EVENT = "grounding_report"
"""Name of the custom event that carries the summary of the report, in every mode."""


class Guarding(Guarded, RunnableSerializable[In, Out]):
    """Runs a chain under watch and turns its output and the report into a result; holds no state between calls.

    `bound` is the caller's chain, never changed and asked for types, schema, graph and name. `ruled` is the copy that
    runs. `batch` runs one guarded invocation for each input, so that evidence cannot cross; the chain's own step-wise
    batching is given up for that.
    """

    bound: Runnable[In, Any]
    ruled: Runnable[In, Any]
    guard: Guard
    expects_retrieval: bool
    model_config = ConfigDict(arbitrary_types_allowed=True)

    @abstractmethod
    def _result(self, found: Slot, report: Report) -> Out:
        """What the caller gets."""

    @override
    def invoke(self, input: In, config: RunnableConfig | None = None, **kwargs: Any) -> Out:
        return self._call_with_config(self._invoke, input, config, **kwargs)

    @override
    async def ainvoke(self, input: In, config: RunnableConfig | None = None, **kwargs: Any) -> Out:
        return await self._acall_with_config(self._ainvoke, input, config, **kwargs)

    @override
    def stream(self, input: In, config: RunnableConfig | None = None, **kwargs: Any) -> Iterator[Out]:
        yield from self.transform(iter([input]), config, **kwargs)

    @override
    async def astream(self, input: In, config: RunnableConfig | None = None, **kwargs: Any) -> AsyncIterator[Out]:
        async def inputs() -> AsyncIterator[In]:
            yield input

        async for chunk in self.atransform(inputs(), config, **kwargs):
            yield chunk

    @override
    def transform(self, input: Iterator[In], config: RunnableConfig | None = None, **kwargs: Any) -> Iterator[Out]:
        yield from self._transform_stream_with_config(input, self._transform, config, **kwargs)

    @override
    async def atransform(
        self, input: AsyncIterator[In], config: RunnableConfig | None = None, **kwargs: Any
    ) -> AsyncIterator[Out]:
        async for chunk in self._atransform_stream_with_config(input, self._atransform, config, **kwargs):
            yield chunk

    def _invoke(self, value: In, run_manager: CallbackManagerForChainRun, config: RunnableConfig, **kwargs: Any) -> Out:
        child = patch_config(config, callbacks=run_manager.get_child())
        turn = self._turn(value, child)
        found = turn.conclude(self.ruled.invoke(value, watched(turn.collector, child), **kwargs))
        report = found.settle(self.guard.grounder)
        dispatch_custom_event(REPORT_EVENT, summary(report), config=child)
        return self._result(found.slot, report)

    async def _ainvoke(
        self, value: In, run_manager: AsyncCallbackManagerForChainRun, config: RunnableConfig, **kwargs: Any
    ) -> Out:
        child = patch_config(config, callbacks=run_manager.get_child())
        turn = self._turn(value, child)
        found = turn.conclude(await self.ruled.ainvoke(value, watched(turn.collector, child), **kwargs))
        report = await found.asettle(self.guard.grounder)
        await adispatch_custom_event(REPORT_EVENT, summary(report), config=child)
        return self._result(found.slot, report)

    def _transform(
        self,
        inputs: Iterator[In],
        run_manager: CallbackManagerForChainRun,  # noqa: ARG002  # LangChain passes it by name
        config: RunnableConfig,
        **kwargs: Any,
    ) -> Iterator[Out]:
        value: In = merge(list(inputs))
        turn = self._turn(value, config)
        if is_graph(self.bound):
            held = Held(self.bound, kwargs)
            held.keep(self.ruled.stream(value, watched(turn.collector, config), **held.asked))
            found = turn.conclude(held.state)
            report = found.settle(self.guard.grounder)
            dispatch_custom_event(REPORT_EVENT, summary(report), config=config)
            yield from self._held(held, found.slot, report)
            return
        with Closing(self.ruled.stream(value, watched(turn.collector, config), **kwargs)) as chunks:
            yield from self._streamed(turn, chunks, config)

    async def _atransform(
        self,
        inputs: AsyncIterator[In],
        run_manager: AsyncCallbackManagerForChainRun,  # noqa: ARG002  # LangChain passes it by name
        config: RunnableConfig,
        **kwargs: Any,
    ) -> AsyncIterator[Out]:
        value: In = merge([item async for item in inputs])
        turn = self._turn(value, config)
        if is_graph(self.bound):
            held = Held(self.bound, kwargs)
            held.keep(
                [event async for event in self.ruled.astream(value, watched(turn.collector, config), **held.asked)]
            )
            found = turn.conclude(held.state)
            report = await found.asettle(self.guard.grounder)
            await adispatch_custom_event(REPORT_EVENT, summary(report), config=config)
            for chunk in self._held(held, found.slot, report):
                yield chunk
            return
        async with Closing(self.ruled.astream(value, watched(turn.collector, config), **kwargs)) as chunks:
            async for chunk in self._astreamed(turn, chunks, config):
                yield chunk

    def _streamed(self, turn: Turn, chunks: Iterator[Any], config: RunnableConfig) -> Iterator[Out]:
        """The whole answer, once it is verified."""
        found = turn.conclude(merge(list(chunks)))
        report = found.settle(self.guard.grounder)
        dispatch_custom_event(REPORT_EVENT, summary(report), config=config)
        yield self._result(found.slot, report)

    async def _astreamed(self, turn: Turn, chunks: AsyncIterator[Any], config: RunnableConfig) -> AsyncIterator[Out]:
        """The whole answer, once it is verified."""
        found = turn.conclude(merge([chunk async for chunk in chunks]))
        report = await found.asettle(self.guard.grounder)
        await adispatch_custom_event(REPORT_EVENT, summary(report), config=config)
        yield self._result(found.slot, report)

    def _held(self, held: Held, found: Slot, report: Report) -> Iterator[Any]:  # noqa: ARG002  # for graphs' own chunks
        """What a guarded graph streams."""
        yield self._result(found, report)

    def _turn(self, value: In, config: RunnableConfig) -> Turn:
        return self.guard.turn(value, config, expects_retrieval=self.expects_retrieval)

    @override
    def get_name(self, suffix: str | None = None, *, name: str | None = None) -> str:
        return super().get_name(suffix, name=name or self.name or self.bound.get_name())

    @property
    @override
    def InputType(self) -> type[In]:
        return self.bound.InputType

    @override
    def get_input_schema(self, config: RunnableConfig | None = None) -> TypeBaseModel:
        return self.bound.get_input_schema(config)

    @property
    @override
    def config_specs(self) -> list[ConfigurableFieldSpec]:
        return self.bound.config_specs

    @override
    def get_graph(self, config: RunnableConfig | None = None) -> Graph:
        return self.bound.get_graph(config)
