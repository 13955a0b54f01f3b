"""What the steps of an agent share: the evidence so far, the quiet context, messages with verified text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.agent.workflow.workflow_events import AgentOutput, AgentStream
from llama_index.core.base.llms.types import ChatMessage, MessageRole, TextBlock
from llama_index.core.llms import LLM

from grounding_middleware.capture import deliver, distinct
from grounding_middleware.prevention import Rules
from grounding_middleware.records import Report, Span
from grounding_middleware_llama_index._nodes import Found
from grounding_middleware_llama_index._probe import Probe
from grounding_middleware_llama_index._responses import Draft
from grounding_middleware_llama_index._templates import system_role, with_rules
from grounding_middleware_llama_index._tools import spans_of
from grounding_middleware_llama_index._turn import Checkable, Guard, Turn, shown_by
from grounding_middleware_llama_index.injecting import PRECEDENCE

AGENT_RULES = Rules(
    extra=(PRECEDENCE, "Sources are what the tools return. Call them before you say that the sources do not answer.")
)
"""The default rules of agents: before its first tool call an agent has no sources yet."""

SPANS = "grounding_spans"
"""Key in the context's store: spans of earlier runs, as plain JSON, because contexts are saved."""


class Quiet:
    """The agent's context without the raw words of the model: events of these kinds do not reach the stream."""

    def __init__(self, ctx: Any, *kinds: type[Any]) -> None:
        self._ctx = ctx
        self._kinds: tuple[type[Any], ...] = (AgentStream, *kinds)

    def write_event_to_stream(self, event: Any) -> None:
        """Passes on what is not held back."""
        if event is not None and not isinstance(event, self._kinds):
            self._ctx.write_event_to_stream(event)

    def __getattr__(self, name: str) -> Any:
        """Everything else is the context's."""
        return getattr(self._ctx, name)


class Evidence:
    """What the tools of this conversation returned up to now."""

    def __init__(self, settled: Sequence[Span], pending: Sequence[Span], question: str) -> None:
        self.settled = distinct(settled)
        self.pending = distinct(pending)
        self.question = question

    @classmethod
    async def of(cls, ctx: Any, guard: Guard) -> Evidence:
        """From the calls of this run, and what earlier runs of the same context left."""
        kept = await ctx.store.get(SPANS, default=None) or {}
        earlier = {name: [Span.model_validate(span) for span in kept.get(name, ())] for name in ("settled", "pending")}
        settled, pending = spans_of(await ctx.store.get("current_tool_calls", default=[]), guard)
        question = await ctx.store.get("user_msg_str", default="") or ""
        return cls((*earlier["settled"], *settled), (*earlier["pending"], *pending), str(question))

    async def keep(self, ctx: Any) -> None:
        """For the runs that follow."""
        plain = {
            name: [span.model_dump(mode="json") for span in getattr(self, name)] for name in ("settled", "pending")
        }
        await ctx.store.set(SPANS, plain)

    def rules(self, guard: Guard, llm: LLM) -> str:
        """The rules with the ids of these spans, for this model."""
        return guard.rules_for(Found(distinct((*self.settled, *self.pending))), llm)

    def checkable(self, text: str, guard: Guard, probe: Probe) -> Checkable:
        """The text with this evidence, as far as the agent's model was shown it."""
        seen = probe.seen()
        spans = distinct((*self.settled, *deliver(self.pending, shown_by(seen))))
        return Turn(guard, self.question, Found(spans)).checkable(Draft(text, [], _no_response), spans, seen)

    async def interim(self, text: str, guard: Guard, probe: Probe) -> str:
        """What may stand beside a tool call: where the policy shows nothing of a text, none takes its place."""
        checkable = self.checkable(text, guard, probe)
        report = await checkable.averified()
        return (await checkable.adelivered(report)).text if report.action in guard.grounder.policy.shown else ""

    def returned(self, text: str, guard: Guard) -> Checkable:
        """The text of a tool that goes to the reader as it is, with everything the tools returned."""
        spans = distinct((*self.settled, *self.pending))
        return Turn(guard, self.question, Found(spans)).shown(Draft(text, [], _no_response))


def ruled_messages(messages: Sequence[ChatMessage], rules: str, llm: LLM) -> list[ChatMessage]:
    """New messages with the rules in the system message."""
    return with_rules(messages, rules, system_role(llm)) if rules else list(messages)


def final_message(text: str) -> ChatMessage:
    """An answer and nothing else: thoughts, raw replies and attachments of the model are not verified."""
    return ChatMessage(role=MessageRole.ASSISTANT, content=text)


def interim_message(message: ChatMessage, text: str) -> ChatMessage:
    """A message that calls tools, with other text beside the calls; what the model needs to go on stays."""
    blocks = [block for block in message.blocks if not isinstance(block, TextBlock)]
    return message.model_copy(update={"blocks": [*([TextBlock(text=text)] if text else []), *blocks]})


def stream_of(output: AgentOutput, report: Report | None) -> AgentStream:
    """The one event that takes the place of the model's own."""
    text = report.text if report and not output.tool_calls else output.response.content or ""
    return AgentStream(
        delta=text, response=text, current_agent_name=output.current_agent_name, tool_calls=output.tool_calls
    )


def _no_response(_: Report) -> Any:
    raise AssertionError("a step is put together by its agent")
