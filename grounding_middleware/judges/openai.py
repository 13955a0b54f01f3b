"""Any OpenAI-compatible endpoint as a judge's model, through the official client (extra `openai`).

The client brings address, key, proxies and headers; reading, limits and retries are ours, so that a broken or endless
reply ends as a named failure and every attempt stands in the call log.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, get_args

from grounding_middleware.errors import ConfigError, JudgeError
from grounding_middleware.judges.completions import Body, read_all
from grounding_middleware.judges.protocol import ModelCall, ModelReply
from grounding_middleware.judges.threads import in_thread

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI

ReplyFormat = Literal["json_schema", "json_object", "tools", "text"]

_TOOL = "reply"
_GREEDY: Mapping[str, Any] = MappingProxyType({"temperature": 0})


@dataclass(frozen=True, slots=True)
class Wire:
    """How a request is put: which way the endpoint constrains a reply, streamed or not, and any further parameters.

    `text` is for endpoints that constrain nothing: the prompt asks for the same JSON. `token_limit` is the name of the
    parameter that bounds the reply, which newer models call "max_completion_tokens". `seconds` bounds a whole reply.
    Raises `ConfigError` for a wrong setting.
    """

    reply_format: ReplyFormat = "json_schema"
    stream: bool = False
    token_limit: str = "max_tokens"  # noqa: S105  # no password
    seconds: float = 60.0
    parameters: Mapping[str, Any] = field(default_factory=lambda: _GREEDY)

    def __post_init__(self) -> None:
        if self.reply_format not in get_args(ReplyFormat):
            allowed = ", ".join(get_args(ReplyFormat))
            raise ConfigError(f"reply_format is {self.reply_format!r}; allowed are {allowed}")
        if not (math.isfinite(self.seconds) and self.seconds > 0):
            raise ConfigError(f"seconds is {self.seconds!r}; allowed is a positive number")

    def body(self, model: str, call: ModelCall) -> dict[str, Any]:
        """The parameters of the request for `call`."""
        system = [{"role": "system", "content": call.system}] if call.system else []
        body: dict[str, Any] = {
            "model": model,
            "messages": [*system, {"role": "user", "content": call.user}],
            **self.parameters,
        }
        if call.max_output_tokens is not None:
            body.setdefault(self.token_limit, call.max_output_tokens)
        if call.reply_schema is not None:
            body.update(self._constraint(dict(call.reply_schema)))
        if self.stream:
            body.update(stream=True, stream_options={"include_usage": True})
        return body

    def _constraint(self, schema: dict[str, Any]) -> dict[str, Any]:
        named = {"name": _TOOL, "strict": True}
        if self.reply_format == "json_schema":
            return {"response_format": {"type": "json_schema", "json_schema": {**named, "schema": schema}}}
        if self.reply_format == "json_object":
            return {"response_format": {"type": "json_object"}}
        if self.reply_format == "tools":
            tool = {"type": "function", "function": {**named, "parameters": schema}}
            return {"tools": [tool], "tool_choice": {"type": "function", "function": {"name": _TOOL}}}
        return {}


class OpenAIModel:
    """The model `model` at the endpoint of an official client, or of one made from the environment.

    Give an async client, too, where many answers are judged at once: one made here lives for one call. With a sync
    client only, an async call runs it in a thread. The client's own retries are not used. Raises `ConfigError` when
    the client cannot be made.
    """

    def __init__(
        self,
        model: str,
        client: OpenAI | None = None,
        async_client: AsyncOpenAI | None = None,
        *,
        wire: Wire | None = None,
    ) -> None:
        if not model:
            raise ConfigError("model is empty; allowed is the name the endpoint knows it by")
        self.name = model
        self._wire = wire or Wire()
        self._own = client is None and async_client is None
        self._client = _made(sync=True) if self._own else client
        self._async_client = async_client

    def complete(self, call: ModelCall) -> ModelReply:
        """Ask and wait; raises what the client raises."""
        if self._client is None:
            return in_thread(asyncio.run, self.acomplete(call)).result()
        chat = self._client.with_options(max_retries=0).chat.completions.with_streaming_response
        with chat.create(**self._body(call), timeout=self._wire.seconds) as response:
            return read_all(response.http_response.iter_bytes(), self._reading(response.headers))

    async def acomplete(self, call: ModelCall) -> ModelReply:
        """Ask without blocking the event loop; raises what the client raises."""
        if self._async_client is not None:
            return await self._asked(self._async_client, call)
        if not self._own:
            return await asyncio.wrap_future(in_thread(self.complete, call))
        async with _made(sync=False) as client:  # its connections belong to the event loop they were opened in
            return await self._asked(client, call)

    async def _asked(self, client: AsyncOpenAI, call: ModelCall) -> ModelReply:
        chat = client.with_options(max_retries=0).chat.completions.with_streaming_response
        async with chat.create(**self._body(call), timeout=self._wire.seconds) as response:
            body = self._reading(response.headers)
            async for chunk in response.http_response.aiter_bytes():
                if not body.add(chunk):
                    break
            return body.reply()

    def _body(self, call: ModelCall) -> dict[str, Any]:
        if call.pairs:
            raise JudgeError("a chat model cannot score premise and hypothesis pairs; use it as a judge with prompts")
        return self._wire.body(self.name, call)

    def _reading(self, headers: Mapping[str, str]) -> Body:
        return Body(headers.get("content-type", ""), self._wire.seconds)


def _made(*, sync: bool) -> Any:
    try:
        import openai  # noqa: PLC0415  # optional, and slow to import
    except ImportError as error:
        raise ConfigError("the openai package is missing; install grounding-middleware[openai]") from error
    try:
        return openai.OpenAI() if sync else openai.AsyncOpenAI()
    except openai.OpenAIError as error:
        raise ConfigError(f"client: none was given and none can be made from the environment: {error}") from error
