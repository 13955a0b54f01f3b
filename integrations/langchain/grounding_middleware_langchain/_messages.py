"""Reading and extending what a model is given, without changing it in place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from langchain_core.language_models import BaseLanguageModel, BaseLLM
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage, convert_to_messages, get_buffer_string
from langchain_core.prompt_values import PromptValue

SEPARATOR = "\n\n"


def prompt_text(messages: Iterable[BaseMessage]) -> str:
    """All text a model was shown, message by message, in order."""
    return SEPARATOR.join(filter(None, (message_text(message) for message in messages)))


def message_text(message: BaseMessage) -> str:
    """The text blocks of a message and of documents attached to it, joined."""
    attached = (
        (_attached(block) for block in message.content if isinstance(block, dict))
        if isinstance(message.content, list)
        else ()
    )
    return SEPARATOR.join(filter(None, (str(message.text), *attached)))


def to_messages(model_input: Any) -> list[BaseMessage]:
    """The messages a chat model makes of its input; raises what LangChain raises for an input it cannot read."""
    if isinstance(model_input, PromptValue):
        return list(model_input.to_messages())
    if isinstance(model_input, str):
        return [HumanMessage(content=model_input)]
    return convert_to_messages(model_input)


def shown_text(model_input: Any) -> str:
    """The text of a model's input before anything is added to it."""
    return model_input if isinstance(model_input, str) else prompt_text(to_messages(model_input))


def add_rules(model_input: Any, rules: str, *, completion: bool) -> list[BaseMessage] | str:
    """A new input with `rules` in its system message, or before the prompt of a completion model (PR-5).

    The system message keeps its own blocks, so that cache marks on them survive.
    """
    if completion:
        return f"{rules}{SEPARATOR}{_completion_text(model_input)}"
    messages = to_messages(model_input)
    if not messages or not isinstance(messages[0], SystemMessage):
        return [SystemMessage(content=rules), *messages]
    return [extend_system(messages[0], rules), *messages[1:]]


def extend_system(message: SystemMessage, rules: str) -> SystemMessage:
    """A copy of `message` that ends with `rules`."""
    if isinstance(message.content, str):
        return message.model_copy(update={"content": f"{message.content}{SEPARATOR}{rules}"})
    return message.model_copy(update={"content": [*message.content, {"type": "text", "text": rules}]})


def is_completion(model: BaseLanguageModel[Any] | Any) -> bool:
    """True for a text completion model, which takes one string."""
    return isinstance(model, BaseLLM)


def last_human_text(messages: Sequence[BaseMessage]) -> str:
    """Text of the newest human message, "" without one."""
    return next((str(m.text) for m in reversed(messages) if isinstance(m, HumanMessage)), "")


def _completion_text(model_input: Any) -> str:
    if isinstance(model_input, str):
        return model_input
    if isinstance(model_input, PromptValue):
        return model_input.to_string()
    return get_buffer_string(to_messages(model_input))


def _attached(block: dict[str, Any]) -> str:
    """Text of an attached document: standard plain-text blocks and the form Anthropic uses for citations."""
    if block.get("type") == "text-plain":
        return str(block.get("text", ""))
    source = block.get("source")
    if block.get("type") == "document" and isinstance(source, dict) and source.get("type") == "text":
        return str(source.get("data", ""))
    return ""
