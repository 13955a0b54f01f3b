"""Streamed chunks taken apart into answer text and the rest, and put together again around verified text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from langchain_core.messages import LC_ID_PREFIX, AIMessageChunk
from langchain_core.runnables.utils import AddableDict

from grounding_middleware.capture import summary
from grounding_middleware.records import Report
from grounding_middleware_langchain._outputs import ANSWER_KEYS
from grounding_middleware_langchain._reasoning import kwargs_without, without_tokens


class Pieces(Protocol):
    """How the text of one kind of stream is read and written."""

    def take(self, chunk: Any) -> tuple[str, Any | None]:
        """The answer text in `chunk`, and what of it can be passed on at once, if anything."""

    def give(self, text: str) -> Any:
        """A chunk with verified text."""

    def last(self, report: Report) -> Any | None:
        """A closing chunk that carries the summary of the report, where the kind of stream has a place for it."""


class TextPieces:
    """A stream of plain text."""

    def take(self, chunk: Any) -> tuple[str, Any | None]:
        """The chunk is the text."""
        return chunk, None

    def give(self, text: str) -> Any:
        """The text is the chunk."""
        return text

    def last(self, report: Report) -> Any | None:  # noqa: ARG002  # text has no place for it
        """Nothing."""
        return None


@dataclass(slots=True)
class MessagePieces:
    """A stream of message chunks; usage, tool calls and metadata pass under the same id, its reasoning does not."""

    id: str | None = None

    def take(self, chunk: AIMessageChunk) -> tuple[str, Any | None]:
        """The text of the chunk, and the chunk without it if there is anything else in it."""
        if self.id is None or self.id.startswith(LC_ID_PREFIX):  # the provider's own id goes before LangChain's
            self.id = chunk.id or self.id
        rest = chunk.model_copy(
            update={
                "content": "",
                "id": self.id,
                "chunk_position": None,
                "additional_kwargs": kwargs_without(chunk.additional_kwargs),
                "response_metadata": without_tokens(chunk.response_metadata),
            }
        )
        return str(chunk.text), rest if rest != AIMessageChunk(content="", id=self.id) else None

    def give(self, text: str) -> Any:
        """A chunk of the same message."""
        return AIMessageChunk(content=text, id=self.id)

    def last(self, report: Report) -> Any | None:
        """One chunk with the summary: merging would add up or reject what stands on two."""
        metadata = {"grounding": summary(report)}
        return AIMessageChunk(content="", id=self.id, response_metadata=metadata, chunk_position="last")


@dataclass(frozen=True, slots=True)
class MemberPieces:
    """A stream of dicts, key by key; all keys but the answer's pass."""

    key: str

    def take(self, chunk: Mapping[str, Any]) -> tuple[str, Any | None]:
        """The text under the answer's key, and the other keys."""
        rest = AddableDict({name: value for name, value in chunk.items() if name != self.key})
        return chunk.get(self.key, ""), rest or None

    def give(self, text: str) -> Any:
        """A dict with the answer's key."""
        return AddableDict({self.key: text})

    def last(self, report: Report) -> Any | None:  # noqa: ARG002  # a key the chain does not have would be a surprise
        """Nothing."""
        return None


def pieces_of(chunk: Any, key: str | None) -> Pieces | None:
    """How to stream claim by claim what begins with `chunk`; None when it can only be verified as a whole."""
    if isinstance(chunk, str):
        return TextPieces()
    if isinstance(chunk, AIMessageChunk) and isinstance(chunk.content, str):
        return MessagePieces()
    if isinstance(chunk, AddableDict):
        name = key or next((name for name in ANSWER_KEYS if isinstance(chunk.get(name), str)), None)
        return MemberPieces(name) if name and isinstance(chunk.get(name, ""), str) else None
    return None
