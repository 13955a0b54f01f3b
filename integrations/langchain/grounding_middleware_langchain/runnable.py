"""`ground(chain)`: the chain somebody already has, with the same input and output, verified."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import AsyncIterator, Iterator, Mapping
from datetime import date
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

from grounding_middleware import Grounder
from grounding_middleware.errors import ConfigError
from grounding_middleware.policy import Policy
from grounding_middleware.prevention import Rules
from grounding_middleware.records import Report
from grounding_middleware_langchain._documents import SourceText, SpanFields
from grounding_middleware_langchain._guard import grounder_of
from grounding_middleware_langchain._judge import JudgeLike
from grounding_middleware_langchain._outputs import Slot
from grounding_middleware_langchain._rewrite import Rewrite
from grounding_middleware_langchain._rules import Guarded, Ruled
from grounding_middleware_langchain._stream import aclosed_after, closed_after, merge
from grounding_middleware_langchain._summary import summary
from grounding_middleware_langchain._turn import Guard, Turn, watched

In = TypeVar("In")
Out = TypeVar("Out")

REPORT_EVENT = "grounding_report"
"""Name of the custom event that carries the summary of the report, in every mode."""


class _Guarding(Guarded, RunnableSerializable[In, Out]):
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
        report = found.check(self.guard.grounder)
        dispatch_custom_event(REPORT_EVENT, summary(report), config=child)
        return self._result(found.slot, report)

    async def _ainvoke(
        self, value: In, run_manager: AsyncCallbackManagerForChainRun, config: RunnableConfig, **kwargs: Any
    ) -> Out:
        child = patch_config(config, callbacks=run_manager.get_child())
        turn = self._turn(value, child)
        found = turn.conclude(await self.ruled.ainvoke(value, watched(turn.collector, child), **kwargs))
        report = await found.acheck(self.guard.grounder)
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
        with closed_after(self.ruled.stream(value, watched(turn.collector, config), **kwargs)) as chunks:
            found = turn.conclude(merge(list(chunks)))
        report = found.check(self.guard.grounder)
        dispatch_custom_event(REPORT_EVENT, summary(report), config=config)
        yield self._result(found.slot, report)

    async def _atransform(
        self,
        inputs: AsyncIterator[In],
        run_manager: AsyncCallbackManagerForChainRun,  # noqa: ARG002  # LangChain passes it by name
        config: RunnableConfig,
        **kwargs: Any,
    ) -> AsyncIterator[Out]:
        value: In = merge([item async for item in inputs])
        turn = self._turn(value, config)
        async with aclosed_after(self.ruled.astream(value, watched(turn.collector, config), **kwargs)) as chunks:
            found = turn.conclude(merge([chunk async for chunk in chunks]))
        report = await found.acheck(self.guard.grounder)
        await adispatch_custom_event(REPORT_EVENT, summary(report), config=config)
        yield self._result(found.slot, report)

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


class ReportedRunnable(_Guarding[In, Report]):
    """The guarded chain that hands out the report instead of the answer; streams it as its only chunk."""

    @property
    @override
    def OutputType(self) -> type[Report]:
        return Report

    @override
    def _result(self, found: Slot, report: Report) -> Report:
        return report


class GroundedRunnable(_Guarding[In, Out]):
    """The guarded chain: same input, same output type, only verified text in it."""

    @property
    @override
    def OutputType(self) -> type[Out]:
        return self.bound.OutputType

    @override
    def get_output_schema(self, config: RunnableConfig | None = None) -> TypeBaseModel:
        return self.bound.get_output_schema(config)

    def with_report(self) -> ReportedRunnable[In]:
        """The same guarded chain, giving the whole report."""
        return ReportedRunnable(
            bound=self.bound,
            ruled=self.ruled,
            guard=self.guard,
            expects_retrieval=self.expects_retrieval,
            name=self.name,
        )

    @override
    def _result(self, found: Slot, report: Report) -> Out:
        result: Out = found.put(report)
        return result


def ground(  # noqa: PLR0913  # the front door: every option by name, all but the chain optional
    chain: Runnable[In, Out],
    grounder: Grounder | None = None,
    *,
    judge: JudgeLike | None = None,
    policy: Policy | None = None,
    rules: Rules | None = Rules(),  # noqa: B008  # frozen record
    require_rules: bool = True,
    fields: SpanFields = SpanFields(),  # noqa: B008  # frozen record
    source_text: SourceText | None = None,
    question_key: str | None = None,
    answer_key: str | None = None,
    documents_key: str | None = None,
    requester: Mapping[str, Any] | None = None,
    as_of: date | None = None,
    name: str | None = None,
) -> GroundedRunnable[In, Out]:
    """`chain` with the same input and output, whose answers hold only what the evidence shown to the model supports.

    Args:
        chain: any runnable; it is copied where a model gets the rules, and never changed.
        grounder: verifies the answers; or give `judge` and `policy` to build one.
        judge: decides what the checks cannot: a chat model, the name of one, a callable or a judge of the core.
        policy: what happens to unsupported claims.
        rules: put into the prompt of every model that can be reached; None for none.
        require_rules: refuse a chain in which no model can be reached; False leaves it to the report.
        fields: metadata keys of documents.
        source_text: full text of a document's source, to confirm its offsets.
        question_key: key of a mapping input that holds the question.
        answer_key: key or field of the output that holds the answer.
        documents_key: key of input or output that holds documents the chain did not get from a retriever.
        requester: attributes of who asks; `config["configurable"]["requester"]` goes before.
        as_of: day the questions are about, today by default; `config["configurable"]["as_of"]` goes before.
        name: name of the runs, the chain's own by default.

    Raises:
        ConfigError: for options that exclude each other, or if the rules reach no model of the chain.
    """
    walk = Rewrite(lambda model: model if rules is None else Ruled.around(model, rules))
    copy = walk(chain)
    if rules is not None and require_rules and not walk.models:
        raise ConfigError(_unreached(walk.hidden))
    return GroundedRunnable(
        bound=chain,
        ruled=copy,
        guard=Guard(
            grounder_of(grounder, judge, policy),
            rules,
            fields,
            source_text,
            question_key,
            answer_key,
            documents_key,
            requester,
            as_of,
        ),
        expects_retrieval=walk.retrieves,
        name=name,
    )


def with_rules(model: Runnable[Any, Any], rules: Rules = Rules()) -> Ruled:  # noqa: B008  # frozen record
    """`model` for a place no walk can reach, such as the inside of a function: gets the rules of guarded invocations.

    Outside of one it is the bare model.
    """
    return Ruled.around(model, rules)


def _unreached(hidden: int) -> str:
    seen = f"{hidden} of them captured by a function" if hidden else "none seen"
    return (
        f"rules: no model of this chain can be reached ({seen}); allowed are with_rules(model) around the model inside "
        "the function, rules=None to go without, or require_rules=False to let the report say how many runs had them"
    )
