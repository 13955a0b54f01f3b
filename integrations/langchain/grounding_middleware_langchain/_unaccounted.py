"""Text the model saw that nobody captured: the sign of a search that went past us (EV-1, EV-8)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from langchain_core.messages import BaseMessage
from langchain_core.prompt_values import PromptValue
from langchain_core.prompts import BasePromptTemplate

from grounding_middleware.evidence import delivered_ranges
from grounding_middleware.records import Span
from grounding_middleware_langchain._messages import prompt_text

TELLING_WORDS = 80
"""Words in a row from which on a text is worth a notice: longer than instructions usually are outside of templates."""

_SHOWN_WORDS = 8
_FIELD = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{[^{}]*\}", re.DOTALL)
_CUT = "\0"


def find(prompt: str, known: Iterable[str]) -> str:
    """The longest run of words in `prompt` that stands in none of the `known` texts, if it is long; else ""."""
    text = _plain(prompt)
    for piece in sorted({_plain(piece) for piece in known}, key=len, reverse=True):
        if piece:
            text = text.replace(piece, _CUT)
    longest = max(text.split(_CUT), key=lambda run: len(run.split()), default="")
    return longest.strip() if len(longest.split()) >= TELLING_WORDS else ""


def notice(run: str) -> str:
    """What to tell an operator about such a run."""
    opening = " ".join(run.split()[:_SHOWN_WORDS])
    return (
        f'{len(run.split())} words of the prompt come from no captured source ("{opening} ..."): if they are evidence, '
        "hand them over with cite()"
    )


def known_texts(spans: Sequence[Span], value: Any, constants: Iterable[str]) -> Iterator[str]:
    """Everything whose place in a prompt is explained: delivered source text, the input, texts known beforehand."""
    for span in spans:
        yield from (span.text[low:high] for low, high in delivered_ranges(span))
    yield from _strings(value)
    yield from constants


def constants_of(template: BasePromptTemplate[Any]) -> Iterator[str]:
    """The fixed text of a prompt template, between its fields."""
    for text in _written(template):
        yield from _FIELD.split(text)


def _written(part: Any) -> Iterator[str]:
    """The texts of a template, of the messages in it and of the templates in those."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, list | tuple):
        for item in part:
            yield from _written(item)
    else:
        for name in ("messages", "prompt", "template", "content", "prefix", "suffix"):
            yield from _written(getattr(part, name, ()))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, BaseMessage):
        yield prompt_text([value])
    elif isinstance(value, PromptValue):
        yield from _strings(value.to_messages())
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings(item)


def _plain(text: str) -> str:
    return " ".join(text.replace(_CUT, " ").split())
