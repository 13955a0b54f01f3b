"""Any LlamaIndex LLM as a judge: its calls are traced like every other, and taken for no answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, ChatResponse, MessageRole
from llama_index.core.llms import LLM

from grounding_middleware.errors import JudgeError
from grounding_middleware.judges.protocol import Judge, Model, ModelCall, ModelReply

JudgeLike = LLM | Judge | Model | Callable[..., Any]
"""What can be a judge; a sequence of them is a cascade, each asked what the one before could not decide."""


class LLMModel:
    """A LlamaIndex LLM behind the core's model protocol.

    It may raise whatever the LLM raises: the drivers turn it into an unverified claim with that reason.
    """

    def __init__(self, llm: LLM) -> None:
        self.name = llm.metadata.model_name if llm.metadata.model_name != "unknown" else llm.class_name()
        self._llm = llm

    def complete(self, call: ModelCall) -> ModelReply:
        """Ask the model and wait."""
        return self._reply(self._llm.chat(self._messages(call)))

    async def acomplete(self, call: ModelCall) -> ModelReply:
        """Ask the model without blocking the event loop."""
        return self._reply(await self._llm.achat(self._messages(call)))

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
            model=self.name,
            input_tokens=_count(counts.get("prompt_tokens")),
            output_tokens=_count(counts.get("completion_tokens")),
        )


def as_core_judge(judge: JudgeLike | Sequence[JudgeLike] | None) -> Any:
    """`judge` as the core takes it: LLMs wrapped, everything else as it is."""
    if isinstance(judge, LLM):
        return LLMModel(judge)
    if isinstance(judge, list | tuple):
        return tuple(as_core_judge(item) for item in judge)
    return judge


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and value >= 0 else None


__all__ = ["JudgeLike", "LLMModel", "as_core_judge"]
