"""Agents of which no unverified word gets out: not in results, events or memory.

Only the step in which the model speaks is replaced. Its own stream is held back, its answer verified, and one stream
event given in its place; everything after that, memory included, works with the verified text.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.agent.workflow.workflow_events import AgentOutput, ToolCallResult
from llama_index.core.base.llms.types import ChatMessage, ChatResponse
from llama_index.core.llms import LLM
from llama_index.core.memory import BaseMemory
from llama_index.core.tools import AsyncBaseTool
from pydantic import PrivateAttr

from grounding_middleware import Grounder
from grounding_middleware.errors import ConfigError
from grounding_middleware.records import Report
from grounding_middleware_llama_index._options import GuardOptions, guard_of
from grounding_middleware_llama_index._probe import Probe, answering, hand_out, watched
from grounding_middleware_llama_index._reports import find_report, reports, with_report
from grounding_middleware_llama_index._steps import (
    AGENT_RULES,
    Evidence,
    Quiet,
    final_message,
    interim_message,
    ruled_messages,
    stream_of,
)
from grounding_middleware_llama_index._tools import HANDOFF, report_of_tool, watched_retriever, watched_tool
from grounding_middleware_llama_index._turn import Guard
from grounding_middleware_llama_index.injecting import DEFAULT_RULES


class GroundedAgent(ABC):
    """What the grounded agents share; goes in front of an agent's class.

    Takes the settings of `ground` beside the agent's own. Tools are copied: a query engine in one is grounded, and
    where a model writes what a tool returns, that is verified. Structured output is refused: a model makes it from the
    answer, after everything here has been done.
    """

    _guard: Guard

    def __init__(self, *args: Any, grounder: Grounder | None = None, **kwargs: Any) -> None:
        names = GuardOptions.__annotations__
        options: Any = {"rules": AGENT_RULES, **{name: kwargs.pop(name) for name in names if name in kwargs}}
        _refuse_structured(kwargs)
        guard = guard_of(grounder, options)
        super().__init__(*args, **kwargs)
        self._guard = guard
        for_tools = replace(guard, rules=DEFAULT_RULES if guard.rules is AGENT_RULES else guard.rules)
        self.tools: Any = self.tools and [watched_tool(tool, for_tools) for tool in self.tools]
        self.tool_retriever: Any = self.tool_retriever and watched_retriever(self.tool_retriever, for_tools)

    async def take_step(
        self, ctx: Any, llm_input: list[ChatMessage], tools: Sequence[AsyncBaseTool], memory: BaseMemory
    ) -> AgentOutput:
        """The agent's own step, and nothing of it unverified."""
        await _refuse_generated_end(ctx)
        evidence = await Evidence.of(ctx, self._guard)
        rules = evidence.rules(self._guard, self.llm)  # type: ignore[attr-defined]  # the agent's class
        with watched() as probe, answering():
            hand_out(rules)
            output = await self._raw_step(ctx, self._ruled(llm_input, rules), tools, memory)
        output, report = await self._verified(ctx, output, evidence, probe)
        if report is not None:
            with_report(output, report)
            await evidence.keep(ctx)
        if getattr(self, "streaming", True):
            ctx.write_event_to_stream(stream_of(output, report))
        return output

    async def finalize(self, ctx: Any, output: AgentOutput, memory: BaseMemory) -> AgentOutput:
        """The agent's own end; a tool that answers in its place passed through no step, so it is looked at here."""
        if find_report(output) is None:
            output = await self._from_tool(ctx, output)
        ended: AgentOutput = await super().finalize(ctx, output, memory)  # type: ignore[misc]  # the agent's class
        return ended

    async def _get_llm_response(self, ctx: Any, llm_input: list[ChatMessage], llm: LLM | None = None) -> ChatResponse:
        """The last word of an agent that ran out of steps, verified like any other."""
        evidence = await Evidence.of(ctx, self._guard)
        model: LLM = llm or self.llm  # type: ignore[attr-defined]  # the agent's class
        rules = evidence.rules(self._guard, model)
        with watched() as probe, answering():
            hand_out(rules)
            ruled = ruled_messages(llm_input, rules, model)
            response: ChatResponse = await super()._get_llm_response(Quiet(ctx), ruled, llm)  # type: ignore[misc]  # the same
        report = await evidence.checkable(response.message.content or "", self._guard, probe).acheck()
        return ChatResponse(message=final_message(report.text))

    async def _generate_early_stopping_response(self, *args: Any, **kwargs: Any) -> Any:
        """The agent's own, with the report on its result."""
        with reports() as made:
            stop = await super()._generate_early_stopping_response(*args, **kwargs)  # type: ignore[misc]  # the same
        with_report(stop.result, made[-1])
        return stop

    async def _raw_step(
        self, ctx: Any, llm_input: list[ChatMessage], tools: Sequence[AsyncBaseTool], memory: BaseMemory
    ) -> AgentOutput:
        raw: AgentOutput = await super().take_step(Quiet(ctx), llm_input, tools, memory)  # type: ignore[misc]  # the same
        return raw

    def _ruled(self, llm_input: list[ChatMessage], rules: str) -> list[ChatMessage]:
        return ruled_messages(llm_input, rules, self.llm)  # type: ignore[attr-defined]  # the agent's class

    @abstractmethod
    async def _verified(
        self, ctx: Any, output: AgentOutput, evidence: Evidence, probe: Probe
    ) -> tuple[AgentOutput, Report | None]:
        """The output with verified text, also where it waits for the memory; the report on an answer."""

    @abstractmethod
    async def _replaced(self, ctx: Any, text: str) -> None:
        """Puts another text in place of the answer that waits for the memory."""

    async def _from_tool(self, ctx: Any, output: AgentOutput) -> AgentOutput:
        """The output of a tool that returns directly: verified where a model wrote it, else its own source."""
        results: list[ToolCallResult] = await ctx.store.get("current_tool_calls", default=[])
        direct = next((item for item in results if item.return_direct and not item.tool_output.is_error), None)
        if direct is None or direct.tool_name == HANDOFF:
            return output
        evidence = await Evidence.of(ctx, self._guard)
        report = report_of_tool(direct.tool_output)
        if report is None:
            report = await evidence.returned(direct.tool_output.content, self._guard).acheck()
            await self._replaced(ctx, report.text)
            output = output.model_copy(update={"response": final_message(report.text)})
        await evidence.keep(ctx)
        return with_report(output, report)


class GroundedFunctionAgent(GroundedAgent, FunctionAgent):
    """A `FunctionAgent`, alone or in an `AgentWorkflow`, whose answers hold only what its tools returned.

    Text beside tool calls is verified, too. `AgentOutput.raw` and thoughts of the model are left out; instrumentation
    still sees them. The report stands in `output.grounding`.
    """

    _guard: Guard = PrivateAttr()

    async def _verified(
        self, ctx: Any, output: AgentOutput, evidence: Evidence, probe: Probe
    ) -> tuple[AgentOutput, Report | None]:
        text, report = output.response.content or "", None
        if not output.tool_calls:
            report = await evidence.checkable(text, self._guard, probe).acheck()
            shown = report.text
        else:
            shown = await evidence.interim(text, self._guard, probe) if text.strip() else ""
        kept = interim_message(output.response, shown) if output.tool_calls else final_message(shown)
        await self._keep_last(ctx, kept)
        verified = AgentOutput(
            response=final_message(shown), tool_calls=output.tool_calls, current_agent_name=output.current_agent_name
        )
        return verified, report

    async def _replaced(self, ctx: Any, text: str) -> None:
        await self._keep_last(ctx, final_message(text))

    async def _keep_last(self, ctx: Any, message: ChatMessage) -> None:
        scratchpad = await ctx.store.get(self.scratchpad_key, default=[])
        await ctx.store.set(self.scratchpad_key, [*scratchpad[:-1], message])


def _refuse_structured(settings: dict[str, Any]) -> None:
    for name in ("output_cls", "structured_output_fn"):
        if settings.get(name) is not None:
            raise ConfigError(
                f"{name}: a model makes structured output from the answer, after it was verified; allowed is None, and "
                "a call of your own whose result GroundingResponsePostprocessor verifies"
            )


async def _refuse_generated_end(ctx: Any) -> None:
    """An `AgentWorkflow` lets its model speak once more, past its agents, when it may end like that."""
    inside = await ctx.store.get("agents", default=None)
    if inside and await ctx.store.get("early_stopping_method", default="force") == "generate":
        raise ConfigError(
            "early_stopping_method: 'generate' makes an AgentWorkflow write an answer past its agents, which nothing "
            "verifies; allowed is 'force'"
        )


__all__ = ["GroundedAgent", "GroundedFunctionAgent"]
