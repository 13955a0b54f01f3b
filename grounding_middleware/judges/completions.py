"""Reads the body of a chat completion, whole or as a stream of events, into a reply; nothing of it is trusted.

Sync and async clients feed the same `Body`. Whatever is not a complete text of this format ends as a named failure.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from pydantic import BaseModel, ConfigDict, ValidationError

from grounding_middleware.judges import failures
from grounding_middleware.judges.protocol import ModelReply

MAX_BYTES = 4_000_000
"""Far above any honest reply, far below what an endless one would take."""

_EVENTS = "text/event-stream"
_DONE = "[DONE]"


class Body:
    """Bytes of one reply, as they come; raises `TimeoutError` when they take longer than `seconds` in all."""

    def __init__(self, content_type: str, seconds: float) -> None:
        self._events = content_type.lower().startswith(_EVENTS)
        self._json = "json" in content_type.lower()
        self._type = content_type.partition(";")[0][:60]
        self._end = time.monotonic() + seconds
        self._parts: list[bytes] = []
        self._size = 0

    def add(self, chunk: bytes) -> bool:
        """Takes the next bytes; False when no more are wanted."""
        if time.monotonic() > self._end:
            raise TimeoutError
        self._parts.append(chunk)
        self._size += len(chunk)
        return self._size <= MAX_BYTES

    def reply(self) -> ModelReply:
        """The reply the bytes make; never raises for what they hold."""
        if self._size > MAX_BYTES:
            return failures.failed(failures.NOT_TEXT, f"the reply is longer than {MAX_BYTES} bytes")
        if not (self._events or self._json):
            return failures.failed(failures.NOT_TEXT, f"the reply is {self._type or 'of no type'}, not JSON")
        text = b"".join(self._parts).decode("utf-8", "replace")
        try:
            return _from_events(text) if self._events else _from_completion(_Completion.model_validate_json(text))
        except (ValidationError, ValueError, RecursionError):
            return failures.failed(failures.NOT_TEXT, "the reply is no chat completion")


class _Lenient(BaseModel):
    """Providers add keys; those read here must have their types."""

    model_config = ConfigDict(strict=True, frozen=True)


class _Function(_Lenient):
    arguments: str | None = None


class _ToolCall(_Lenient):
    function: _Function | None = None


class _Message(_Lenient):
    content: str | None = None
    refusal: str | None = None
    tool_calls: list[_ToolCall] | None = None

    @property
    def text(self) -> str:
        """The arguments of a call that was asked for, else the content."""
        called = "".join(call.function.arguments or "" for call in self.tool_calls or () if call.function)
        return called or self.content or ""


class _Choice(_Lenient):
    message: _Message | None = None
    delta: _Message | None = None
    finish_reason: str | None = None


class _Usage(_Lenient):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Completion(_Lenient):
    """A completion, or one event of a stream of them."""

    choices: list[_Choice]
    model: str | None = None
    usage: _Usage | None = None


def _from_completion(found: _Completion) -> ModelReply:
    if not found.choices or found.choices[0].message is None:
        return failures.failed(failures.NOT_TEXT, "the reply is a chat completion without a message")
    first = found.choices[0]
    message = first.message or _Message()
    return _reply(message.text, message.refusal or "", first.finish_reason, found)


def _from_events(text: str) -> ModelReply:
    events = [_Completion.model_validate_json(data) for data in _data(text) if data != _DONE]
    choices = [event.choices[0] for event in events if event.choices]
    finish = next((one.finish_reason for one in reversed(choices) if one.finish_reason), None)
    if finish is None:
        return failures.failed(failures.CONNECTION, "the stream ended before the reply did")
    deltas = [one.delta for one in choices if one.delta]
    usage = next((event for event in reversed(events) if event.usage), events[-1])
    refusal = "".join(delta.refusal or "" for delta in deltas)
    return _reply("".join(delta.text for delta in deltas), refusal, finish, usage)


def _data(text: str) -> Iterator[str]:
    """The data of each event; an error event has none that is a completion and makes the reply unreadable."""
    for block in text.replace("\r\n", "\n").split("\n\n"):
        lines = [line[5:].removeprefix(" ") for line in block.split("\n") if line.startswith("data:")]
        if lines:
            yield "\n".join(lines)


def _reply(text: str, refusal: str, finish: str | None, found: _Completion) -> ModelReply:
    reason = failures.REFUSED if refusal else failures.from_finish(finish)
    usage = found.usage or _Usage()
    return ModelReply(
        text=_plain(text or refusal),
        error=reason,
        model=_plain(found.model or ""),
        input_tokens=usage.prompt_tokens,
        output_tokens=usage.completion_tokens,
    )


def _plain(text: str) -> str:
    """`text` without lone surrogates, which records refuse."""
    return text.encode("utf-8", "replace").decode()


def read_all(chunks: Iterable[bytes], body: Body) -> ModelReply:
    """The reply that `chunks` make, read no further than wanted."""
    for chunk in chunks:
        if not body.add(chunk):
            break
    return body.reply()
