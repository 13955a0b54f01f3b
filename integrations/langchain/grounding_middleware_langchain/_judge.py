"""Judges from LangChain: a chat model, its name, a decision model, or any runnable over messages, as the core's.

A judge's run is a child of the guarded run in every trace, but none of its tokens enters a stream, no cached reply
stands in for it, and no capture takes it for a run that wrote the answer.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.runnables.config import ensure_config, merge_configs

from grounding_middleware.errors import ConfigError, JudgeError
from grounding_middleware.judges import failures
from grounding_middleware.judges.protocol import Judge, Model, ModelCall, ModelReply
from grounding_middleware_langchain._capture import INTERNAL

if TYPE_CHECKING:
    from langchain_core.decisions import BaseDecisionModel

NO_STREAM = "nostream"
"""Tag by which LangGraph keeps a run's tokens out of its message stream."""

JudgeLike = str | Runnable[Any, Any] | Judge | Model | Callable[..., Any]
"""What can be a judge; a sequence of them is a cascade, each asked what the one before could not decide."""


class RunnableModel:
    """A chat model, or any runnable from messages to a message or text, behind the core's model protocol.

    For a `Grounder` of your own: `Grounder(judge=RunnableModel(model), repair_model=RunnableModel(other))`. It
    may raise whatever the runnable raises: the drivers turn it into an unverified claim with that reason.
    """

    def __init__(self, runnable: Runnable[Any, Any]) -> None:
        self.name = _name(runnable)
        self._runnable = _uncached(runnable)

    def complete(self, call: ModelCall) -> ModelReply:
        """Ask the model and wait."""
        return self._reply(self._runnable.invoke(_messages(call), internal(call)))

    async def acomplete(self, call: ModelCall) -> ModelReply:
        """Ask the model without blocking the event loop."""
        return self._reply(await self._runnable.ainvoke(_messages(call), internal(call)))

    def _reply(self, result: Any) -> ModelReply:
        if isinstance(result, str):
            return ModelReply(text=result, model=self.name)
        if not isinstance(result, BaseMessage):
            raise JudgeError(f"judge {self.name}: returned {type(result).__name__}; allowed are a message or text")
        usage: dict[str, int] = getattr(result, "usage_metadata", None) or {}
        return ModelReply(
            text=str(result.text),
            error=_why_unfinished(result),
            model=str(result.response_metadata.get("model_name") or self.name),
            input_tokens=usage.get("input_tokens"),
            output_tokens=usage.get("output_tokens"),
        )


def as_core_judge(judge: JudgeLike | Sequence[JudgeLike] | None) -> Any:
    """`judge` as the core takes it; raises `ConfigError` when a name is given and `langchain` is not installed."""
    if isinstance(judge, str):
        return RunnableModel(_chat_model(judge))
    if isinstance(judge, list | tuple):
        return tuple(as_core_judge(item) for item in judge)
    if _decides(judge):
        from grounding_middleware_langchain.deciding import DecisionJudge  # noqa: PLC0415  # it imports this module

        return DecisionJudge(judge)
    return RunnableModel(judge) if isinstance(judge, Runnable) else judge


def _decides(judge: object) -> TypeGuard[BaseDecisionModel]:
    """True for a decision model; nobody has one who never loaded the module."""
    module = sys.modules.get("langchain_core.decisions.base")
    return module is not None and isinstance(judge, module.BaseDecisionModel)


def _chat_model(name: str) -> Runnable[Any, Any]:
    try:
        from langchain.chat_models import init_chat_model  # noqa: PLC0415  # optional, and slow to import
    except ImportError as error:
        raise ConfigError(
            f"judge: {name!r} is a model name, which needs the langchain package; install "
            "grounding-middleware-langchain[agent], or give a chat model object"
        ) from error
    model: Runnable[Any, Any] = init_chat_model(name)
    return model


def _uncached(runnable: Runnable[Any, Any]) -> Runnable[Any, Any]:
    """A second opinion read from a cache is the first one again."""
    return runnable.model_copy(update={"cache": False}) if isinstance(runnable, BaseChatModel) else runnable


def _messages(call: ModelCall) -> list[BaseMessage]:
    if call.pairs:
        raise JudgeError("a chat model cannot score premise and hypothesis pairs; use it as a judge with prompts")
    return [SystemMessage(call.system), HumanMessage(call.user)] if call.system else [HumanMessage(call.user)]


def internal(call: ModelCall) -> RunnableConfig:
    """The config of the running invocation, marked as internal."""
    own: RunnableConfig = {
        "tags": [NO_STREAM],
        "metadata": {INTERNAL: "grounding"},
        "run_name": f"grounding.{call.role}",
    }
    return merge_configs(ensure_config(), own)


def _why_unfinished(result: BaseMessage) -> str:
    """The named reason a reply is not whole: a limit, a filter, a refusal; empty for a whole one."""
    if result.additional_kwargs.get("refusal"):
        return failures.REFUSED
    told = (result.response_metadata.get(field) for field in ("finish_reason", "stop_reason", "done_reason"))
    return next((reason for reason in map(failures.from_finish, told) if reason), "")


def _name(runnable: Runnable[Any, Any]) -> str:
    """The name the provider knows the model by, else that of the runnable."""
    named = (getattr(runnable, field, None) for field in ("model_name", "model"))
    return next((name for name in named if isinstance(name, str) and name), runnable.get_name())
