"""Chunks of a stream put together again, and streams that are closed whoever leaves them first."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
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


@contextmanager
def closed_after(chunks: Iterator[Any]) -> Iterator[Iterator[Any]]:
    """`chunks`, closed at the end: a reader who breaks off also stops the chain above."""
    try:
        yield chunks
    finally:
        close = getattr(chunks, "close", None)
        if close is not None:
            close()


@asynccontextmanager
async def aclosed_after(chunks: AsyncIterator[Any]) -> AsyncIterator[AsyncIterator[Any]]:
    """`chunks`, closed at the end: a reader who breaks off or is cancelled also stops the chain above."""
    try:
        yield chunks
    finally:
        close = getattr(chunks, "aclose", None)
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
