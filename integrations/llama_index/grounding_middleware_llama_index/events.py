"""Instrumentation events of a verification: for LlamaIndex's own handlers, below whatever span is open."""

from __future__ import annotations

from typing import Any

from llama_index.core.instrumentation.events import BaseEvent
from typing_extensions import override


class GroundingStartEvent(BaseEvent):
    """A verification begins: the question, the ids of the captured spans, and of those the model was shown."""

    question: str
    span_ids: tuple[str, ...]
    delivered_ids: tuple[str, ...]

    @classmethod
    @override
    def class_name(cls) -> str:
        return "GroundingStartEvent"


class GroundingEndEvent(BaseEvent):
    """A verification has ended: the summary of the report, without a word that was withheld."""

    action: str
    summary: dict[str, Any]

    @classmethod
    @override
    def class_name(cls) -> str:
        return "GroundingEndEvent"


__all__ = ["GroundingEndEvent", "GroundingStartEvent"]
