"""Any LlamaIndex LLM as a judge: its calls are traced like every other, and taken for no answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, ChatResponse, MessageRole
from llama_index.core.llms import LLM

from grounding_middleware.errors import JudgeError
from grounding_middleware.judges import failures
from grounding_middleware.judges.protocol import Judge, Model, ModelCall, ModelReply

JudgeLike = LLM | Judge | Model | Callable[..., Any]
"""What can be a judge; a sequence of them is a cascade, each asked what the one before could not decide."""

MAX_CHARACTERS = 400_000
"""A stream is read no further; what is longer is no verdict."""


class LLMModel:
    """A LlamaIndex LLM behind the core's model protocol, asked for its reply as a stream where `stream` is set.

    It may raise whatever the LLM raises: the drivers turn it into an unverified claim with that reason.
    """

    def __init__(self, llm: LLM, *, stream: bool = False) -> None:
        self.name = llm.metadata.model_name if llm.metadata.model_name != "unknown" else llm.class_name()
        self._llm = llm
        self._stream = stream

    def complete(self, call: ModelCall) -> ModelReply:
        """Ask the model and wait."""
        if not self._stream:
            return self._reply(self._llm.chat(self._messages(call)))
        gathered = _Gathered()
        for event in self._llm.stream_chat(self._messages(call)):
            if not gathered.add(event):
                break
        return self._reply(gathered.response())

    async def acomplete(self, call: ModelCall) -> ModelReply:
        """Ask the model without blocking the event loop."""
        if not self._stream:
            return self._reply(await self._llm.achat(self._messages(call)))
        gathered = _Gathered()
        async for event in await self._llm.astream_chat(self._messages(call)):
            if not gathered.add(event):
                break
        return self._reply(gathered.response())

    def _messages(self, call: ModelCall) -> list[ChatMessage]:
        if call.pairs:
            raise JudgeError("an LLM cannot score premise and hypothesis pairs; use it as a judge with prompts")
        user = ChatMessage(role=MessageRole.USER, content=call.user)
        if not call.system:
            return [user]
        return [ChatMessage(role=self._llm.metadata.system_role, content=call.system), user]

    def _reply(self, response: ChatResponse) -> ModelReply:
        counts = response.additional_kwargs
        return ModelReply(
            text=response.message.content or "",
            error=failures.from_finish(_finish(response.raw)),
            model=str(_field(response.raw, "model") or self.name),
            input_tokens=_count(counts.get("prompt_tokens")),
            output_tokens=_count(counts.get("completion_tokens")),
        )


class _Gathered:
    """The events of one stream: the last tells the whole text, an earlier one may tell why it ended."""

    def __init__(self) -> None:
        self._last: ChatResponse | None = None
        self._finish: object = None

    def add(self, event: ChatResponse) -> bool:
        """Takes the next event; False when no more are wanted."""
        self._last = event
        self._finish = _finish(event.raw) or self._finish
        return len(event.message.content or "") <= MAX_CHARACTERS

    def response(self) -> ChatResponse:
        """The whole, with the finish reason of whichever event had it."""
        if self._last is None:
            raise JudgeError("the stream ended before it began")
        raw = {"model": _field(self._last.raw, "model"), "finish_reason": self._finish}
        return self._last.model_copy(update={"raw": raw})


def as_core_judge(judge: JudgeLike | Sequence[JudgeLike] | None) -> Any:
    """`judge` as the core takes it: LLMs wrapped, everything else as it is."""
    if isinstance(judge, LLM):
        return LLMModel(judge)
    if isinstance(judge, list | tuple):
        return tuple(as_core_judge(item) for item in judge)
    return judge


def _finish(raw: object) -> object:
    """Why a reply ended, as the known providers tell it."""
    choices = _field(raw, "choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    if _field(_field(first, "message") or _field(first, "delta"), "refusal"):
        return "refusal"
    told = (_field(first, "finish_reason"), _field(raw, "finish_reason"), _field(raw, "stop_reason"))
    return next((reason for reason in told if reason), None)


def _field(holder: object, name: str) -> object:
    """A field of a mapping or of an object; None where there is none."""
    return holder.get(name) if isinstance(holder, Mapping) else getattr(holder, name, None)


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and value >= 0 else None


__all__ = ["JudgeLike", "LLMModel", "as_core_judge"]
