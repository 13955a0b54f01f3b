"""`GroundingMiddleware`: an agent whose answers are verified before anybody sees a word of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import Context
from dataclasses import dataclass, replace
from datetime import date
from typing import Annotated, Any, NotRequired, TypedDict, Unpack

from langchain.agents.middleware.types import (
    AgentMiddleware,
    AgentState,
    ExtendedModelResponse,
    ModelCallResult,
    ModelRequest,
    ModelResponse,
    OmitFromInput,
    PrivateStateAttr,
    ToolCallRequest,
)
from langchain_core.messages import SystemMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import ensure_config, merge_configs, set_config_context
from langchain_core.runnables.utils import coro_with_context
from langgraph.types import Command
from typing_extensions import override

from grounding_middleware import Grounder
from grounding_middleware.capture import SourceText, SpanFields, summary
from grounding_middleware.policy import Policy
from grounding_middleware.records import Report, Span
from grounding_middleware_langchain._agent import (
    SPANS,
    Answer,
    answer_of,
    merge_spans,
    model_response,
    spans_of_tool,
    with_spans,
    with_update,
)
from grounding_middleware_langchain._capture import Collector, Probe, active, documents_in
from grounding_middleware_langchain._delivery import require_rules
from grounding_middleware_langchain._guard import RulesLike, grounder_of, rules_of
from grounding_middleware_langchain._inputs import day_of, requester_of
from grounding_middleware_langchain._judge import NO_STREAM, JudgeLike
from grounding_middleware_langchain._labels import minted
from grounding_middleware_langchain._messages import last_human_text, prompt_text
from grounding_middleware_langchain._request import RuledRequest, extended
from grounding_middleware_langchain._rules import rules_for
from grounding_middleware_langchain._turn import Checkable, Guard, Turn

AGENT_RULE = "Sources are what the tools return. Call them before you say that the sources do not answer."
"""One rule more than a chain has: before its first tool call an agent has no sources yet."""


class GroundingState(AgentState[Any]):
    """The agent's state and what grounding adds: the newest summary, and the captured spans."""

    grounding: NotRequired[Annotated[dict[str, Any], OmitFromInput]]
    grounding_spans: NotRequired[Annotated[list[Mapping[str, Any]], PrivateStateAttr, merge_spans]]


class GuardOptions(TypedDict, total=False):
    """Settings that mean the same as for `ground`."""

    fields: SpanFields
    source_text: SourceText
    answer_key: str
    documents_key: str
    require_rules: bool
    max_prompt_tokens: int
    requester: Mapping[str, Any]
    as_of: date


@dataclass(frozen=True, slots=True)
class _Pending:
    """A model's response that waits for its verdicts."""

    checkable: Checkable
    answer: Answer
    command: Command[Any] | None


class GroundingMiddleware(AgentMiddleware[GroundingState, Any, Any]):
    """Puts the rules in, collects evidence from tools, and lets only verified text out of the model call.

    List it first, so that it is outermost: retries, fallbacks and routers then run inside, and no raw token of theirs
    reaches a stream, the state or a checkpoint. Evidence is what tools return (documents they found or carry as
    artifact, else their text), documents under `documents_key` of the state, and `cite()` in middleware listed after
    this one. A message keeps its id; its summary stands in `response_metadata` and under `grounding` in the state.
    Tracers and `astream_events` version 2 see the raw model run: they are the audit trail.

    Args:
        grounder: verifies the answers; or give `judge` and `policy` to build one.
        judge: decides what the checks cannot: a chat model, the name of one, a decision model, a callable, a judge of
            the core, or several in order of cost.
        policy: what happens to unsupported claims.
        rules: put into the system message of every model call, also one that later middleware (`dynamic_prompt`)
            replaces: those of the grounder and `AGENT_RULE`, or your own; None for none. A model run without them is an
            error unless `require_rules=False`.
        tools: names of the tools whose results are evidence; None for all.
        options: as for `ground`; `answer_key` names the answer in a structured response.
    """

    state_schema = GroundingState

    def __init__(
        self,
        grounder: Grounder | None = None,
        *,
        judge: JudgeLike | Sequence[JudgeLike] | None = None,
        policy: Policy | None = None,
        rules: RulesLike = "grounder",
        tools: Sequence[str] | None = None,
        **options: Unpack[GuardOptions],
    ) -> None:
        super().__init__()
        self.tools = []
        self._sources = None if tools is None else frozenset(tools)
        verifier = grounder_of(grounder, judge, policy)
        self._guard = Guard(verifier, rules_of(verifier, rules, AGENT_RULE), **options)

    @override
    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelCallResult[Any]:
        turn = self._turn(request)
        with _watching(turn.collector, NO_STREAM) as context:
            result = context.run(handler, self._ruled(request, turn.collector))
        pending = self._pending(result, turn)
        if pending is None:
            return result
        report = pending.checkable.check(self._guard.grounder)
        if pending.answer.is_shown(report):
            self._guard.grounder.deliver(report)
        return self._settled(pending, report)

    @override
    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelCallResult[Any]:
        turn = self._turn(request)
        with _watching(turn.collector, NO_STREAM) as context:
            result = await coro_with_context(handler(self._ruled(request, turn.collector)), context)
        pending = self._pending(result, turn)
        if pending is None:
            return result
        report = await pending.checkable.acheck(self._guard.grounder)
        if pending.answer.is_shown(report):
            await self._guard.grounder.adeliver(report)
        return self._settled(pending, report)

    @override
    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]]
    ) -> ToolMessage | Command[Any]:
        if not self._is_source(request):
            return handler(request)
        collector = self._guard.collector()
        with _watching(collector) as context:
            result = context.run(handler, request)
        return with_spans(result, spans_of_tool(collector, result, request.tool_call["name"]))

    @override
    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]]
    ) -> ToolMessage | Command[Any]:
        if not self._is_source(request):
            return await handler(request)
        collector = self._guard.collector()
        with _watching(collector) as context:
            result = await coro_with_context(handler(request), context)
        return with_spans(result, spans_of_tool(collector, result, request.tool_call["name"]))

    def _is_source(self, request: ToolCallRequest) -> bool:
        return self._sources is None or request.tool_call["name"] in self._sources

    def _turn(self, request: ModelRequest[Any]) -> Turn:
        """A fresh turn that knows what tools returned so far."""
        state: Mapping[str, Any] = request.state
        collector = self._guard.collector(known=[Span.model_validate(span) for span in state.get(SPANS) or ()])
        if self._guard.documents_key is not None:
            collector.add(collector.passed, documents_in(state, self._guard.documents_key))
        config = ensure_config()
        own = request.system_message
        return Turn(
            replace(self._guard, constants=(prompt_text([own]),) if own else ()),
            collector,
            request.messages,
            last_human_text(request.messages),
            requester_of(config, self._guard.requester),
            day_of(config, self._guard.as_of, self._guard.grounder.evidence_rules),
        )

    def _ruled(self, request: ModelRequest[Any], collector: Collector) -> ModelRequest[Any]:
        """The request with the rules at the end of its system message, for as long as nobody builds another one."""
        rules = self._guard.rules
        if rules is None:
            return request

        def extend(current: ModelRequest[Any]) -> SystemMessage:
            own = current.system_message
            prompt, _ = collector.without_rules(prompt_text([*([own] if own else []), *current.messages]))
            text = rules_for(prompt, collector, rules)
            message = extended(own, collector.handed_out, text)
            collector.handed_out.add(text)
            return message

        return RuledRequest.of(request, extend)

    def _pending(self, result: ModelCallResult[Any], turn: Turn) -> _Pending | None:
        if self._guard.rules is not None and self._guard.require_rules:
            require_rules(list(turn.collector.runs.values()))
        response, command = model_response(result)
        answer = answer_of(response, self._guard.answer_key)
        return None if answer is None else _Pending(turn.checkable(answer.slot), answer, command)

    def _settled(self, pending: _Pending, report: Report) -> ExtendedModelResponse[Any]:
        """What goes on to the agent and its state."""
        command = with_update(pending.command, self._update(report))
        return ExtendedModelResponse(pending.answer.rebuild(report), command)

    def _update(self, report: Report) -> dict[str, Any]:
        """What the state gets to know: the newest summary, and what the conversation has been shown."""
        shown = [minted(span).model_dump(mode="json") for span in report.evidence.spans if span.delivered]
        return {"grounding": summary(report), SPANS: shown}


@contextmanager
def _watching(collector: Collector, *tags: str) -> Iterator[Context]:
    """A context in which everything that runs is seen by `collector`.

    The tags stand in the ambient config, not on a model: what a fallback or router puts in its place keeps them.
    """
    probe = Probe(collector)
    own: RunnableConfig = {"callbacks": [probe], "tags": list(tags)}
    with set_config_context(merge_configs(ensure_config(), own)) as context:
        context.run(active.set, probe)
        yield context
