"""Chunks of a stream put together again, and streams that are closed whoever leaves them first."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

from langchain_core.messages import AIMessageChunk


def merge(chunks: Sequence[Any]) -> Any:
    """The value that `chunks` make up; a chunk that cannot be added replaces what was there (LangChain's own rule)."""
    if not chunks:
        return None
    if all(isinstance(chunk, str) for chunk in chunks):
        return "".join(chunks)
    if len(chunks) > 1 and all(isinstance(chunk, AIMessageChunk) for chunk in chunks):
        return chunks[0] + list(chunks[1:])  # in one addition: one by one is quadratic in tool calls
    value = chunks[0]
    for chunk in chunks[1:]:
        try:
            value = value + chunk
        except TypeError:
            value = chunk
    return value


class Closing:
    """A stream that is closed at the end: a reader who breaks off or is cancelled also stops the chain above.

    A class, not a generator: an event loop that shuts down closes all asynchronous generators at once, in no order.
    """

    def __init__(self, chunks: Any) -> None:
        self._chunks = chunks

    def __enter__(self) -> Iterator[Any]:
        return iter(self._chunks)

    def __exit__(self, *_: object) -> None:
        close = getattr(self._chunks, "close", None)
        if close is not None:
            close()

    async def __aenter__(self) -> AsyncIterator[Any]:
        return aiter(self._chunks)

    async def __aexit__(self, *_: object) -> None:
        close = getattr(self._chunks, "aclose", None)
        if close is not None:
            await close()


def chained(first: Any, rest: Iterator[Any]) -> Iterator[Any]:
    """The stream with the chunk that was read ahead; empty when there was none."""
    if first is not None:
        yield first
    yield from rest


async def achained(first: Any, rest: AsyncIterator[Any]) -> AsyncIterator[Any]:
    """The stream with the chunk that was read ahead; empty when there was none."""
    if first is not None:
        yield first
    async for chunk in rest:
        yield chunk
