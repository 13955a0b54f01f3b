"""Nothing of a stream is shown before it is verified: guardrails' own streams are refused, ours are collected."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from guardrails import AsyncGuard, Guard

from grounding_middleware.errors import ConfigError
from grounding_middleware_guardrails import (
    Answerable,
    CitedSpans,
    ClaimList,
    QuotesAndNumbers,
    VerifiedClaims,
    abuffered,
    buffered,
)

pytestmark = pytest.mark.filterwarnings("ignore:policy '.*' expects a judge:UserWarning")

CHUNKS = ("The sky", " is blue. Pigs", " can fly")
METADATA = {"sources": ["The sky is blue."]}
VALIDATORS: tuple[Any, ...] = (VerifiedClaims, CitedSpans, QuotesAndNumbers, Answerable)


def model(*, messages: Any, **_: Any) -> Iterator[str]:
    """A model that streams."""
    del messages
    yield from CHUNKS


@pytest.mark.parametrize("kind", VALIDATORS)
@pytest.mark.parametrize("action", ["escalate", "flag", "remove"])
def test_streams_of_guardrails_are_refused(kind: Any, action: str) -> None:
    """The error comes before the first piece, and says what to do instead."""
    if action == "remove" and kind is not VerifiedClaims:
        pytest.skip("gates do not remove")
    guard = Guard().use(kind(action=action))
    seen: list[Any] = []
    with pytest.raises(ConfigError, match="allowed is buffered"):
        seen.extend(
            guard(model, messages=[{"role": "user", "content": "?"}], stream=True, metadata=METADATA, temperature=0)
        )
    assert seen == []


async def test_async_streams_of_guardrails_are_refused() -> None:
    """The awaited form of the same."""
    for validator in (VerifiedClaims(), ClaimList()):
        with pytest.raises(ConfigError, match="allowed is buffered"):
            await validator.async_validate_stream("x", {})


def test_buffered() -> None:
    """One outcome, of the whole text, the last sentence without a full stop included."""
    outcomes = list(buffered(Guard().use(VerifiedClaims()), iter(CHUNKS), metadata=METADATA))
    assert [outcome.validated_output for outcome in outcomes] == ["The sky is blue."]


def test_buffered_leaves_nothing_behind() -> None:
    """What one stream held does not reach the next."""
    guard = Guard().use(VerifiedClaims())
    list(buffered(guard, ["Pigs can"], metadata=METADATA))
    (outcome,) = buffered(guard, ["The sky is blue."], metadata={"sources": ["The sky is blue."]})
    assert outcome.validated_output == "The sky is blue."
    (empty,) = buffered(guard, [], metadata={"sources": ["The sky is blue."]})
    assert (empty.validated_output, empty.validation_passed) == (None, False)


def test_a_stream_that_breaks_shows_nothing() -> None:
    """An error of the model reaches the caller, and no text does."""

    def breaks() -> Iterator[str]:
        yield "The sky is blue."
        raise ConnectionError("cut")

    seen: list[Any] = []
    with pytest.raises(ConnectionError):
        seen.extend(buffered(Guard().use(VerifiedClaims()), breaks(), metadata=METADATA))
    assert seen == []


async def chunks() -> AsyncIterator[str]:
    """The same pieces, awaited."""
    for chunk in CHUNKS:
        yield chunk


@pytest.mark.filterwarnings("ignore:Could not obtain an event loop:UserWarning")
@pytest.mark.parametrize("kind", [Guard, AsyncGuard])
async def test_abuffered(kind: Any) -> None:
    """For awaited chunks, with either guard."""
    guard = kind().use(VerifiedClaims())
    seen = [outcome.validated_output async for outcome in abuffered(guard, chunks(), metadata=dict(METADATA))]
    assert seen == ["The sky is blue."]


def test_an_async_guard_needs_awaiting() -> None:
    """`buffered` would give a coroutine nobody awaits."""
    with pytest.raises(ConfigError, match="allowed is a Guard, or abuffered"):
        next(buffered(AsyncGuard().use(VerifiedClaims()), CHUNKS, metadata=METADATA))
