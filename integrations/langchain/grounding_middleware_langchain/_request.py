"""An agent's model request whose rules survive whatever later middleware does to its prompt (PR-5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Self

from langchain.agents.middleware.types import ModelRequest
from langchain_core.messages import SystemMessage
from typing_extensions import override

from grounding_middleware_langchain._messages import extend_system

Extend = Callable[[ModelRequest[Any]], SystemMessage | None]
"""The system message of a request with the rules for its prompt, each rule in it once."""


class RuledRequest(ModelRequest[Any]):
    """A request with rules at the end of its system message; every `override` of it writes them anew.

    A `dynamic_prompt` replaces that message, a trimmer the messages: the rules then speak about what is shown now.
    """

    _extend: Extend

    @classmethod
    def of(cls, request: ModelRequest[Any], extend: Extend) -> Self:
        """`request` with the rules that `extend` writes."""
        own = {item.name: getattr(request, item.name) for item in fields(ModelRequest)}
        new = cls(**{**own, "system_message": extend(request)})
        object.__setattr__(new, "_extend", extend)  # plain assignment is deprecated for requests
        return new

    @override
    def override(self, **overrides: Any) -> ModelRequest[Any]:
        return RuledRequest.of(super().override(**overrides), self._extend)


def extended(own: SystemMessage | None, old: set[str], rules: str) -> SystemMessage:
    """A copy of `own` that ends with `rules` and holds none of the `old` ones; its other blocks stay."""
    bare = None if own is None else _without(own, old)
    return SystemMessage(content=rules) if bare is None else extend_system(bare, rules)


def _without(message: SystemMessage, old: set[str]) -> SystemMessage | None:
    """The message less the texts in `old`; None when nothing is left."""
    content: Any = message.content
    if isinstance(content, str):
        content = _cut(content, old)
    else:
        cut = [{**block, "text": _cut(block["text"], old)} if _is_text(block) else block for block in content]
        content = [block for block in cut if not _is_text(block) or block["text"]]
    return message.model_copy(update={"content": content}) if content else None


def _is_text(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str)


def _cut(text: str, old: set[str]) -> str:
    for rules in sorted(old, key=len, reverse=True):
        if rules in text:
            text = text.replace(rules, "").rstrip()
    return text
