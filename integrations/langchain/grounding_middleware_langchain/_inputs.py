"""The question of one invocation and who asks it, found in whatever the chain takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from langchain_core.messages import BaseMessage, convert_to_messages
from langchain_core.prompt_values import PromptValue
from langchain_core.runnables import RunnableConfig

from grounding_middleware.errors import InputError
from grounding_middleware.evidence import EvidenceRules
from grounding_middleware_langchain._messages import last_human_text

QUESTION_KEYS = ("question", "input", "query", "user_input", "prompt")


def question_of(value: Any, key: str | None = None) -> str:
    """The question in `value`, only read to resolve references; "" when none can be recognised.

    A text is the question; of a mapping, `key` or the first of the usual keys counts, then the newest human message.
    """
    if isinstance(value, str | BaseMessage):
        return value if isinstance(value, str) else str(value.text)
    if isinstance(value, PromptValue):
        return last_human_text(value.to_messages())
    if isinstance(value, Mapping):
        return _of_mapping(value, key)
    return _of_list(value) if isinstance(value, list | tuple) else ""


def requester_of(config: RunnableConfig | None, fixed: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Attributes of who asks: `configurable.requester` of this call, else those the guard was built with."""
    given = _configurable(config).get("requester", fixed)
    if given is not None and not isinstance(given, Mapping):
        raise InputError(f"configurable.requester: got {type(given).__name__}; allowed is a mapping of attributes")
    return given


def day_of(config: RunnableConfig | None, fixed: date | None, rules: EvidenceRules) -> date:
    """The day the question is about: `configurable.as_of` of this call, else a fixed day, else today.

    Raises `InputError` where nobody names a day and the evidence rules ask for one: today would be a guess.
    """
    given = _configurable(config).get("as_of", fixed)
    if given is None and rules.require_as_of:
        raise InputError(
            "as_of: is missing; the evidence rules ask for the day of the question, "
            "allowed is config={'configurable': {'as_of': 'YYYY-MM-DD'}}, or as_of= where the guard is made"
        )
    if given is None:
        return date.today()  # noqa: DTZ011  # the reader's own day; a time zone is the caller's to choose with as_of
    if isinstance(given, date):
        return given
    try:
        return date.fromisoformat(given)
    except (TypeError, ValueError) as error:
        raise InputError(f"configurable.as_of: {given!r} is no ISO date; allowed is YYYY-MM-DD") from error


def _of_mapping(value: Mapping[str, Any], key: str | None) -> str:
    if key is not None:
        if key not in value:
            raise InputError(f"question_key: {key!r} is not in the input; it has {sorted(map(str, value))}")
        return question_of(value[key])
    found = next((value[name] for name in QUESTION_KEYS if isinstance(value.get(name), str | BaseMessage)), None)
    return question_of(found if found is not None else value.get("messages"))


def _of_list(value: Sequence[Any]) -> str:
    try:
        return last_human_text(convert_to_messages(list(value)))
    except (NotImplementedError, ValueError, TypeError):  # a list that is no conversation
        return ""


def _configurable(config: RunnableConfig | None) -> Mapping[str, Any]:
    return (config or {}).get("configurable") or {}
