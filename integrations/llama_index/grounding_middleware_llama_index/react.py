"""`GroundedReActAgent`: thoughts stay inside; only verified answers leave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.agent.react.types import ActionReasoningStep, ResponseReasoningStep
from llama_index.core.agent.workflow import ReActAgent
from llama_index.core.agent.workflow.workflow_events import AgentInput, AgentOutput
from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.memory import BaseMemory
from llama_index.core.tools import AsyncBaseTool
from pydantic import PrivateAttr
from workflows.errors import WorkflowRuntimeError

from grounding_middleware.records import Report
from grounding_middleware_llama_index._probe import Probe
from grounding_middleware_llama_index._steps import Evidence, Quiet, final_message
from grounding_middleware_llama_index._templates import system_role
from grounding_middleware_llama_index._turn import Guard
from grounding_middleware_llama_index.agent import GroundedAgent

_TRIES = 3
"""How often a model may miss the ReAct format within one step."""


class GroundedReActAgent(GroundedAgent, ReActAgent):
    """A `ReActAgent`, alone or in an `AgentWorkflow`, whose answers hold only what its tools returned.

    What the model thinks is for the model: it is no claim, is not verified, and leaves neither through events (there
    are no `AgentInput` events) nor into memory. A reply in the wrong form is put right within the step.
    """

    _guard: Guard = PrivateAttr()

    async def _raw_step(
        self, ctx: Any, llm_input: list[ChatMessage], tools: Sequence[AsyncBaseTool], memory: BaseMemory
    ) -> AgentOutput:
        for _ in range(_TRIES):
            output = await ReActAgent.take_step(self, Quiet(ctx, AgentInput), llm_input, tools, memory)
            if not output.retry_messages:
                return output
            llm_input = [*llm_input, *output.retry_messages]
        raise WorkflowRuntimeError(f"the model missed the form of a ReAct reply {_TRIES} times in a row")

    def _ruled(self, llm_input: list[ChatMessage], rules: str) -> list[ChatMessage]:
        """ReAct drops a leading system message, its own prompt has that text: the rules come behind one."""
        if not rules:
            return llm_input
        role = system_role(self.llm)
        led = bool(llm_input) and llm_input[0].role == MessageRole.SYSTEM
        first, rest = (llm_input[0], llm_input[1:]) if led else (ChatMessage(role="system", content=""), llm_input)
        return [first, ChatMessage(role=role, content=rules), *rest]

    async def _verified(
        self, ctx: Any, output: AgentOutput, evidence: Evidence, probe: Probe
    ) -> tuple[AgentOutput, Report | None]:
        if output.tool_calls:
            report, shown = None, ""
        else:
            reasoning = await ctx.store.get(self.reasoning_key, default=[])
            report = await evidence.checkable(reasoning[-1].response, self._guard, probe).acheck()
            await self._replaced(ctx, report.text)
            shown = f"Answer: {report.text}"  # what comes before these words is cut off in the end
        verified = AgentOutput(
            response=final_message(shown), tool_calls=output.tool_calls, current_agent_name=output.current_agent_name
        )
        return verified, report

    async def _replaced(self, ctx: Any, text: str) -> None:
        """The answer, and no thought on the way to it: all of this goes into memory."""
        reasoning = await ctx.store.get(self.reasoning_key, default=[])
        quiet = [
            step.model_copy(update={"thought": ""}) if isinstance(step, ActionReasoningStep) else step
            for step in reasoning[:-1]
        ]
        await ctx.store.set(self.reasoning_key, [*quiet, ResponseReasoningStep(thought="", response=text)])


__all__ = ["GroundedReActAgent"]
