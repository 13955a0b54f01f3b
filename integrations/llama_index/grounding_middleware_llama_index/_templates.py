"""A prompt template that gets the rules when it is rendered, whatever kind it is.

The rules are never part of a template: they quote first words of sources, and a source may say `{query_str}`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llama_index.core.base.llms.base import BaseLLM
from llama_index.core.base.llms.generic_utils import messages_to_prompt as plain_prompt
from llama_index.core.base.llms.types import ChatMessage, MessageRole, TextBlock
from llama_index.core.prompts import BasePromptTemplate, ChatPromptTemplate, RichPromptTemplate, SelectorPromptTemplate
from pydantic import SerializeAsAny
from typing_extensions import override

SEPARATOR = "\n\n"


class RuledTemplate(BasePromptTemplate):  # type: ignore[no-redef]  # their fields shadow names, as in their own templates
    """`inner` with `rules`: at the end of its system message, or before its text."""

    inner: SerializeAsAny[BasePromptTemplate]
    rules: str

    def __init__(self, inner: BasePromptTemplate, rules: str) -> None:
        super().__init__(
            inner=inner,
            rules=rules,
            metadata=inner.metadata,
            template_vars=inner.template_vars,
            kwargs=inner.kwargs,
            output_parser=inner.output_parser,
            template_var_mappings=inner.template_var_mappings,
            function_mappings=inner.function_mappings,
        )

    @override
    def partial_format(self, **kwargs: Any) -> BasePromptTemplate:
        return RuledTemplate(self._current().partial_format(**kwargs), self.rules)

    @override
    def format(
        self,
        llm: BaseLLM | None = None,
        messages_to_prompt: Callable[[Sequence[ChatMessage]], str] | None = None,
        completion_to_prompt: Callable[[str], str] | None = None,
        **kwargs: Any,
    ) -> str:
        """The prompt as one text."""
        if _is_chat(self.inner):
            return (messages_to_prompt or plain_prompt)(self.format_messages(llm, **kwargs))
        text = f"{self.rules}{SEPARATOR}{self._current().format(llm=llm, **kwargs)}"
        return completion_to_prompt(text) if completion_to_prompt else text

    @override
    def format_messages(self, llm: BaseLLM | None = None, **kwargs: Any) -> list[ChatMessage]:
        """The prompt as messages."""
        messages = self._current().format_messages(llm=llm, **kwargs)
        if _is_chat(self.inner):
            return with_rules(messages, self.rules, system_role(llm))
        return [_extended(messages[0], self.rules, before=True), *messages[1:]] if messages else messages

    @override
    def get_template(self, llm: BaseLLM | None = None) -> str:
        return f"{self.rules}{SEPARATOR}{self.inner.get_template(llm)}"

    def _current(self) -> BasePromptTemplate:
        """The inner template with the output parser that LlamaIndex may have set on this one."""
        if self.output_parser is self.inner.output_parser:
            return self.inner
        return self.inner.model_copy(update={"output_parser": self.output_parser})


def ruled(template: BasePromptTemplate, rules: str) -> BasePromptTemplate:
    """`template` with the rules, itself left as it is; every branch of a selector gets them, earlier rules go."""
    if isinstance(template, RuledTemplate):
        return ruled(template.inner, rules)
    if isinstance(template, SelectorPromptTemplate):
        branches = [(condition, ruled(branch, rules)) for condition, branch in template.conditionals or ()]
        selector = SelectorPromptTemplate(ruled(template.default_template, rules), branches)
        return selector.model_copy(update={"output_parser": template.output_parser})
    return RuledTemplate(template, rules)


def is_ruled(template: BasePromptTemplate) -> bool:
    """Whether the rules are in already."""
    if isinstance(template, SelectorPromptTemplate):
        return is_ruled(template.default_template)
    return isinstance(template, RuledTemplate)


def with_rules(messages: Sequence[ChatMessage], rules: str, role: MessageRole) -> list[ChatMessage]:
    """New messages with the rules at the end of the system message, in front where there is none."""
    if messages and messages[0].role in {MessageRole.SYSTEM, MessageRole.DEVELOPER}:
        return [_extended(messages[0], rules), *messages[1:]]
    return [ChatMessage(role=role, content=rules), *messages]


def system_role(llm: BaseLLM | None) -> MessageRole:
    """The role a model takes its instructions in."""
    return MessageRole.SYSTEM if llm is None else llm.metadata.system_role


def _extended(message: ChatMessage, rules: str, *, before: bool = False) -> ChatMessage:
    """A copy with the rules; its other blocks stay, so that cache marks on them survive."""
    blocks = list(message.blocks)
    at = 0 if before else len(blocks) - 1
    edge = blocks[at] if blocks else None
    if isinstance(edge, TextBlock):
        parts = (rules, edge.text) if before else (edge.text, rules)
        blocks[at] = edge.model_copy(update={"text": SEPARATOR.join(parts)})
    else:
        blocks.insert(0 if before else len(blocks), TextBlock(text=rules))
    return message.model_copy(update={"blocks": blocks})


def _is_chat(template: BasePromptTemplate) -> bool:
    if isinstance(template, RichPromptTemplate):
        return template.is_chat_template
    return isinstance(template, ChatPromptTemplate)
