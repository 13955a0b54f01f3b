"""What an agent's tools and models return, read and rewritten by plain functions; the hooks stay thin."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from langchain.agents.middleware.types import ExtendedModelResponse, ModelCallResult, ModelResponse
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langgraph.types import Command

from grounding_middleware.capture import deliver, fed_by, recognised
from grounding_middleware.evidence import mint_id
from grounding_middleware.records import Action, Report, Span
from grounding_middleware_langchain._capture import Collector
from grounding_middleware_langchain._outputs import Slot, restated, slot, structured
from grounding_middleware_langchain._reasoning import blocks_without

SPANS = "grounding_spans"
"""State key of the captured spans, as plain JSON: checkpointers refuse to load what they do not know."""

SHOWN = (Action.OK, Action.REVISED, Action.REVIEW)
"""Actions under which text beside a tool call stays; under any other it goes, without a text in its place."""


def merge_spans(old: Sequence[Mapping[str, Any]] | None, new: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The state's reducer: spans by id, so that parallel and repeated tool calls add up once."""
    return list({span["id"]: span for span in (*(old or ()), *new)}.values())


def spans_of_tool(collector: Collector, result: ToolMessage | Command[Any], tool: str) -> tuple[Span, ...]:
    """What one tool call gave as evidence: the documents it found, else its text as it stands.

    Documents that only a model inside the tool was shown count as shown when its words are the tool's: another agent
    reports on them. When neither it nor the text shows any, the text is what the answer rests on. A tool that failed
    gives none.
    """
    found = collector.spans()
    messages = [message for message in _tool_messages(result) if message.status != "error"]
    if not messages:
        return found if isinstance(result, Command) else ()
    texts = [str(message.text) for message in messages if str(message.text).strip()]
    wrote = recognised(list(collector.runs.values()), "\n".join(texts))
    read = deliver(found, [run.prompt for run in fed_by(wrote, list(collector.runs.values()))])
    if any(span.delivered for span in (*read, *deliver(found, texts))):
        return read
    source = f"tool:{tool}"
    own = (Span(id=mint_id(source, "", "", text), source_id=source, text=text, delivered=False) for text in texts)
    return (*found, *own)


def with_spans(result: ToolMessage | Command[Any], spans: Iterable[Span]) -> ToolMessage | Command[Any]:
    """The tool's result with the spans beside it, for the state; the result itself when there are none."""
    plain = [span.model_dump(mode="json") for span in spans]
    if not plain:
        return result
    if isinstance(result, ToolMessage):
        return Command(update={"messages": [result], SPANS: plain})
    update = result.update
    if update is None or isinstance(update, Mapping):
        return replace(result, update={**(update or {}), SPANS: plain})
    if isinstance(update, list | tuple):
        return replace(result, update=[*update, (SPANS, plain)])
    return result


def model_response(result: ModelCallResult[Any]) -> tuple[ModelResponse[Any], Command[Any] | None]:
    """The three things a handler may return, as one."""
    if isinstance(result, ExtendedModelResponse):
        return result.model_response, result.command
    if isinstance(result, AIMessage):
        return ModelResponse(result=[result]), None
    return result, None


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer in a model's response, how verified text gets there, and whether it is a remark beside tool calls."""

    slot: Slot
    rebuild: Callable[[Report], ModelResponse[Any]]
    interim: bool = False

    def is_shown(self, report: Report) -> bool:
        """False for a remark beside tool calls that is cut out: the reader gets nothing, so nothing is on record."""
        return not self.interim or report.action in SHOWN


def with_update(command: Command[Any] | None, own: Mapping[str, Any]) -> Command[Any]:
    """`command`, or a new one, that also writes `own` into the state."""
    if command is None or command.update is None:
        return replace(command or Command(), update=dict(own))
    if isinstance(command.update, list | tuple):
        return replace(command, update=[*command.update, *own.items()])
    return replace(command, update={**command.update, **own})


def answer_of(response: ModelResponse[Any], key: str | None) -> Answer | None:
    """The answer in a model's response; None when it is no answer.

    A structured response is the answer if there is one: it stands in the object, in the tool call or text it was parsed
    from, and in the echo that LangChain adds. Text beside tool calls is interim: it is verified, too. A message without
    a word answers nothing, unless it calls tools or shows something else.
    """
    message = next((item for item in reversed(response.result) if isinstance(item, AIMessage)), None)
    if message is None:
        return None
    if response.structured_response is not None:
        found = structured(response.structured_response, key)
        return Answer(found, lambda report: _structured(response, message, found.put(report)))
    if not str(message.text).strip() and (message.tool_calls or blocks_without(message.content)):
        return None
    found, interim = slot(message), bool(message.tool_calls)

    def rebuild(report: Report) -> ModelResponse[Any]:
        cut = interim and report.action not in SHOWN
        return _replaced(response, message, found.put(report.replace(text="", edits=()) if cut else report))

    return Answer(found, rebuild, interim)


def _replaced(response: ModelResponse[Any], old: BaseMessage, new: BaseMessage) -> ModelResponse[Any]:
    return replace(response, result=[new if item is old else item for item in response.result])


def _structured(response: ModelResponse[Any], message: AIMessage, value: Any) -> ModelResponse[Any]:
    """The verified object in all places where the unverified one stood."""
    new, echo = restated(message, value), f"Returning structured response: {value}"
    result = [
        new if item is message else item.model_copy(update={"content": echo}) if _echoes(item, response) else item
        for item in response.result
    ]
    return replace(response, result=result, structured_response=value)


def _echoes(item: BaseMessage, response: ModelResponse[Any]) -> bool:
    return isinstance(item, ToolMessage) and str(response.structured_response) in str(item.content)


def _tool_messages(result: ToolMessage | Command[Any]) -> list[ToolMessage]:
    if isinstance(result, ToolMessage):
        return [result]
    update = result.update
    messages = update.get("messages", []) if isinstance(update, Mapping) else []
    return [message for message in messages if isinstance(message, ToolMessage)]
