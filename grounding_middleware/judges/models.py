"""Any callable as a model, and any judge, model or callable as a judge."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from grounding_middleware.errors import ConfigError
from grounding_middleware.judges import failures
from grounding_middleware.judges.protocol import Model, ModelCall, ModelReply
from grounding_middleware.judges.threads import in_thread
from grounding_middleware.tokens import count_tokens

_ALLOWED = (
    "a judge (name, model, judge), a model (name, complete, acomplete), "
    "or a function from the prompt (or from `system` and `user`) to the reply text, sync or async"
)


class CallableModel:
    """A function from prompt to reply text, sync or async, as a model for both drivers.

    `fn` gets the whole prompt as one string, or, when it has parameters `system` and `user`, the two halves by
    keyword. An async function asked synchronously runs in its own thread and event loop; a sync function asked
    asynchronously runs in a thread. Raises `ConfigError` when `fn` cannot be called like that.
    """

    def __init__(self, fn: Callable[..., Any], name: str | None = None) -> None:
        self._fn = fn
        self._split = _takes_halves(fn)
        self._is_async = inspect.iscoroutinefunction(fn) or inspect.iscoroutinefunction(getattr(fn, "__call__", None))  # noqa: B004  # looks for async def __call__
        self.name = name or str(getattr(fn, "__name__", type(fn).__name__))

    def complete(self, call: ModelCall) -> ModelReply:
        """The reply of the function, waited for; raises what it raises."""
        if self._is_async:
            return _reply(in_thread(asyncio.run, self._awaited(call)).result(), call)
        value = self._invoke(call)
        return _reply(in_thread(asyncio.run, _result(value)).result() if inspect.isawaitable(value) else value, call)

    async def acomplete(self, call: ModelCall) -> ModelReply:
        """The reply of the function without blocking the event loop; raises what it raises."""
        if self._is_async:
            return _reply(await self._awaited(call), call)
        value = await asyncio.wrap_future(in_thread(self._invoke, call))
        return _reply(await value if inspect.isawaitable(value) else value, call)

    def _invoke(self, call: ModelCall) -> Any:
        if self._split:
            return self._fn(system=call.system, user=call.user)
        return self._fn(f"{call.system}\n\n{call.user}")

    async def _awaited(self, call: ModelCall) -> Any:
        return await self._invoke(call)


def as_model(obj: object) -> Model:
    """`obj` as a model; raises `ConfigError` naming what is allowed."""
    if isinstance(obj, type):
        raise ConfigError(f"judge is the class {obj.__name__}; give an object of it. Allowed is {_ALLOWED}")
    if isinstance(obj, Model):
        return obj
    if callable(obj):
        return CallableModel(obj)
    raise ConfigError(
        f"judge is a {type(obj).__name__}; allowed is {_ALLOWED}. Models of a framework go through its integration"
    )


def _takes_halves(fn: Callable[..., Any]) -> bool:
    if not callable(fn):
        raise ConfigError(f"fn is a {type(fn).__name__}; allowed is a function from the prompt to the reply text")
    try:
        signature = inspect.signature(fn)
    except (TypeError, ValueError):  # some callables written in C do not say
        return False
    if {"system", "user"} <= signature.parameters.keys():
        return True
    try:
        signature.bind("prompt")
    except TypeError as error:
        raise ConfigError(f"fn{signature} does not take one prompt, nor `system` and `user`: {error}") from None
    return False


def _reply(value: object, call: ModelCall) -> ModelReply:
    """The reply, with our own token counts: a function that gives text tells none."""
    if not isinstance(value, str):
        detail = f"the judge function returned {type(value).__name__}, a str is expected"
        return failures.failed(failures.NOT_TEXT, detail)
    text = value.encode("utf-8", "replace").decode()  # records refuse lone surrogates
    return ModelReply(
        text=text,
        input_tokens=count_tokens(call.system) + count_tokens(call.user),
        output_tokens=count_tokens(text),
        tokens_estimated=True,
    )


async def _result(value: Awaitable[Any]) -> Any:
    return await value
