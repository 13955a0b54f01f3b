"""Streams through a guard: collected, verified as a whole, then shown. Nothing is shown before.

The streams of guardrails-ai show each piece before it is judged (noop), or judge pieces that lost their neighbours, and
leave the rest of one request to the next. The validators of this package refuse them.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping
from typing import Any

from guardrails import AsyncGuard, Guard, ValidationOutcome

from grounding_middleware.errors import ConfigError

__all__ = ["abuffered", "buffered"]


def buffered(
    guard: Guard[Any], chunks: Iterable[str], *, metadata: Mapping[str, Any]
) -> Iterator[ValidationOutcome[Any]]:
    """One outcome, once the last chunk is there and the whole text is verified; an empty stream gives one, too."""
    if isinstance(guard, AsyncGuard):
        raise ConfigError("guard: got AsyncGuard; allowed is a Guard, or abuffered")
    yield guard.validate("".join(chunks), metadata=metadata)


async def abuffered(
    guard: Guard[Any] | AsyncGuard[Any], chunks: AsyncIterable[str], *, metadata: Mapping[str, Any]
) -> AsyncIterator[ValidationOutcome[Any]]:
    """As `buffered`, for chunks that are awaited. Take an `AsyncGuard`: a `Guard` blocks the event loop meanwhile."""
    outcome = guard.validate("".join([chunk async for chunk in chunks]), metadata=metadata)
    yield await outcome if inspect.isawaitable(outcome) else outcome
