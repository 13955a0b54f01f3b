"""What an agent's tools return, as evidence: documents they found, else their text; never the words of a model."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from llama_index.core.agent.workflow.workflow_events import ToolCallResult
from llama_index.core.base.llms.types import TextBlock
from llama_index.core.schema import BaseNode, NodeWithScore
from llama_index.core.tools import BaseTool, FunctionTool, QueryEngineTool, ToolOutput, adapt_to_async_tool
from pydantic import PrivateAttr

from grounding_middleware.capture import deliver, distinct, fed_by
from grounding_middleware.evidence import mint_id
from grounding_middleware.records import Report, Span
from grounding_middleware_llama_index._fronts import in_front
from grounding_middleware_llama_index._nodes import read
from grounding_middleware_llama_index._probe import Probe, watched
from grounding_middleware_llama_index._reports import find_report
from grounding_middleware_llama_index._responses import Draft
from grounding_middleware_llama_index._turn import Guard, Turn, shown_by
from grounding_middleware_llama_index.wrapping import ground

_THREADED = "_async_wrapped_fn"
"""Name of the wrapper LlamaIndex makes for plain functions; old versions lose the context in it."""

HANDOFF = "handoff"
"""The tool by which agents pass a request on; its text is a model's, and no source."""


class VerifiedOutput(ToolOutput):
    """The output of a tool in which a model wrote the text, verified, with the report."""

    _report: Report | None = PrivateAttr(default=None)


class WatchedTool:
    """Goes in front of a tool's class: where a model wrote what the tool returns, it is verified like an answer."""

    _grounding: Guard

    async def acall(self, *args: Any, **kwargs: Any) -> ToolOutput:
        """As the tool's own."""
        with watched() as probe:
            output: ToolOutput = await super().acall(*args, **kwargs)  # type: ignore[misc]  # the tool's class
        if output.is_error or find_report(output.raw_output) or not _written(output, probe):
            return output
        report = await _turn(self._grounding, output, probe).acheck()
        return _verified(output, report)


def watched_tool(tool: BaseTool, guard: Guard) -> BaseTool:
    """A copy of `tool` whose words can be relied on; a query engine in it is grounded."""
    if isinstance(tool, QueryEngineTool):
        return ground(tool, guard)
    if isinstance(tool, WatchedTool):
        return tool
    tool = adapt_to_async_tool(tool)
    wrapped = getattr(tool, "_async_fn", None)
    if isinstance(tool, FunctionTool) and getattr(wrapped, "__name__", "") == _THREADED:
        return in_front(WatchedTool, tool, _grounding=guard, _async_fn=_threaded(tool.fn))
    return in_front(WatchedTool, tool, _grounding=guard)


class WatchedRetriever:
    """Goes in front of the class of an object retriever: the tools it finds are watched like listed ones."""

    _grounding: Guard

    async def aretrieve(self, *args: Any, **kwargs: Any) -> list[BaseTool]:
        """As the retriever's own."""
        tools: list[BaseTool] = await super().aretrieve(*args, **kwargs)  # type: ignore[misc]  # the retriever's class
        return [watched_tool(tool, self._grounding) for tool in tools]


def watched_retriever(retriever: Any, guard: Guard) -> Any:
    """A copy of a tool retriever whose tools can be relied on."""
    return in_front(WatchedRetriever, retriever, _grounding=guard)


def _threaded(function: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
    """A plain function in a thread, as LlamaIndex runs it, but with the context in which models are seen."""

    async def call(*args: Any, **kwargs: Any) -> Any:
        return await asyncio.to_thread(function, *args, **kwargs)

    return call


def spans_of(results: Iterable[ToolCallResult], guard: Guard) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """The spans whose delivery is settled, because a report says so, and those an agent's prompt has yet to show."""
    settled: list[Span] = []
    pending: list[Span] = []
    for result in results:
        output = result.tool_output
        if output.is_error or result.tool_name == HANDOFF:
            continue
        report = report_of_tool(output)
        if report is None:
            pending.extend(_unsettled(result, guard))
        else:
            settled.extend(report.evidence.spans)
    return distinct(settled), distinct(pending)


def report_of_tool(output: ToolOutput) -> Report | None:
    """The report on what the tool returned, if it was verified."""
    return output._report if isinstance(output, VerifiedOutput) else find_report(output.raw_output)


def _unsettled(result: ToolCallResult, guard: Guard) -> tuple[Span, ...]:
    """Nodes the tool found, or its text: what is there for the agent's model to read."""
    raw = result.tool_output.raw_output
    nodes = getattr(raw, "source_nodes", None) or raw
    if isinstance(nodes, list) and nodes and all(isinstance(node, NodeWithScore | BaseNode) for node in nodes):
        return read(nodes, guard.reading).spans
    text, source = result.tool_output.content, f"tool:{result.tool_name}"
    if not text.strip():
        return ()
    return (Span(id=mint_id(source, "", "", text), source_id=source, text=text, delivered=False),)


def _written(output: ToolOutput, probe: Probe) -> bool:
    """Whether the text is what a model wrote while the tool ran; one that only asked a model for a query is not."""
    written = (run.output.strip() for run in probe.seen())
    return any(text and text in output.content for text in written)


def _turn(guard: Guard, output: ToolOutput, probe: Probe) -> Any:
    found = read(probe.nodes, guard.reading)
    turn = Turn(guard, str(output.raw_input.get("input", "")), found)
    seen = probe.seen()
    spans = deliver(found.spans, shown_by(fed_by(seen, seen)))
    return turn.checkable(Draft(output.content, [], lambda _: output.raw_output), spans, seen)


def _verified(output: ToolOutput, report: Report) -> VerifiedOutput:
    new = VerifiedOutput(
        tool_name=output.tool_name,
        blocks=[TextBlock(text=report.text)],
        raw_input=output.raw_input,
        raw_output=report.text,
    )
    new._report = report
    return new
