"""Any callable is a model for both drivers, and whatever can be a judge becomes one."""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import Awaitable
from typing import Any

import pytest

from grounding_middleware.errors import ConfigError
from grounding_middleware.judges import (
    CallableModel,
    Cascade,
    Judge,
    LLMJudge,
    Model,
    ModelCall,
    as_cascade,
    as_judge,
    as_model,
    failures,
)

CALL = ModelCall(tier="t", role="r", prompt_version="v", system="Be strict.", user="Claim 1")
PROMPT = "Be strict.\n\nClaim 1"


def plain(prompt: str) -> str:
    return prompt


def halves(*, system: str, user: str) -> str:
    return f"{system}\n\n{user}"


async def awaited(prompt: str) -> str:
    await asyncio.sleep(0)
    return prompt


async def awaited_halves(system: str, user: str) -> str:
    return f"{system}\n\n{user}"


def gives_awaitable(prompt: str) -> Awaitable[str]:
    return awaited(prompt)


class Speaker:
    """An object that is called."""

    def __call__(self, prompt: str, temperature: float = 0) -> str:
        """The prompt."""
        return prompt


class AsyncSpeaker:
    """An object whose call is a coroutine."""

    async def __call__(self, prompt: str) -> str:
        """The prompt."""
        return prompt


CALLABLES = {
    "function": plain,
    "halves": halves,
    "coroutine function": awaited,
    "coroutine function with halves": awaited_halves,
    "function that gives an awaitable": gives_awaitable,
    "object": Speaker(),
    "async object": AsyncSpeaker(),
    "method": Speaker().__call__,
    "partial": functools.partial(Speaker().__call__, temperature=1),
    "lambda": lambda *args: args[0],
    "built-in": str.strip,
}


@pytest.mark.parametrize("fn", CALLABLES.values(), ids=CALLABLES)
def test_sync(fn: Any) -> None:
    """Any callable answers a sync driver with the prompt it was given."""
    assert CallableModel(fn).complete(CALL).text == PROMPT


@pytest.mark.parametrize("fn", CALLABLES.values(), ids=CALLABLES)
async def test_async(fn: Any) -> None:
    """Any callable answers an async driver, and an async one answers sync inside a running loop too."""
    assert (await CallableModel(fn).acomplete(CALL)).text == PROMPT
    assert CallableModel(fn).complete(CALL).text == PROMPT


async def test_sync_function_does_not_block_the_loop() -> None:
    """A slow sync function runs in a thread while the loop goes on."""

    def slow(_: str) -> str:
        time.sleep(0.2)
        return "done"

    asked = asyncio.create_task(CallableModel(slow).acomplete(CALL))
    ticks = 0
    while not asked.done():
        await asyncio.sleep(0.01)
        ticks += 1
    assert ticks > 3
    assert asked.result().text == "done"


@pytest.mark.parametrize("value", [None, 1, b"bytes", ["text"], {"verdicts": []}])
def test_no_text(value: Any) -> None:
    """A callable that gives no str gives an error that names the type."""
    reply = CallableModel(lambda _: value).complete(CALL)
    assert failures.code(reply.error) == failures.NOT_TEXT
    assert type(value).__name__ in reply.error


def test_lone_surrogates() -> None:
    """Text no record can hold is replaced, not refused."""
    assert CallableModel(lambda _: "a\ud800").complete(CALL).text == "a?"


def test_exceptions_are_the_drivers() -> None:
    """A model does not hide what its function raises; the drivers do that in one place."""
    with pytest.raises(ZeroDivisionError):
        CallableModel(lambda _: 1 / 0).complete(CALL)


@pytest.mark.parametrize("fn", [lambda: "", lambda a, b: "", lambda *, key: "", 5, None])
def test_wrong_callable(fn: Any) -> None:
    """What cannot take a prompt dies at construction."""
    with pytest.raises(ConfigError, match="fn"):
        CallableModel(fn)


def test_names() -> None:
    """A model is called as the caller says, else as its function, else as its class."""
    assert CallableModel(plain).name == "plain"
    assert CallableModel(plain, "mine").name == "mine"
    assert CallableModel(Speaker()).name == "Speaker"
    assert isinstance(CallableModel(plain), Model)


def test_as_judge() -> None:
    """A judge is itself; a model and a function become an LLM judge."""
    judge = LLMJudge(plain)
    assert as_judge(judge) is judge
    assert isinstance(judge, Judge)
    model = CallableModel(plain)
    made = as_judge(model)
    assert isinstance(made, LLMJudge)
    assert made.model is model
    assert as_model(model) is model
    assert as_judge(plain).model.name == "plain"


@pytest.mark.parametrize("obj", [None, 5, "gpt", object(), {}, LLMJudge, Speaker])
def test_not_a_judge(obj: Any) -> None:
    """Anything else is refused with what is allowed, classes included."""
    with pytest.raises(ConfigError, match="llowed is a judge"):
        as_judge(obj)


def test_as_cascade() -> None:
    """One judge, model or function, a sequence of them, or a cascade: all become a cascade with named tiers."""
    cascade = as_cascade(plain)
    assert as_cascade(cascade) is cascade
    assert list(cascade.models) == ["llm"]
    assert list(as_cascade([plain, LLMJudge(plain, "mine"), CallableModel(plain)]).models) == ["llm-1", "mine", "llm-3"]
    assert isinstance(cascade, Judge)
    with pytest.raises(ConfigError, match="names"):
        Cascade((LLMJudge(plain), LLMJudge(plain)))
    for nothing in ([], None, "gpt", [None]):
        with pytest.raises(ConfigError):
            as_cascade(nothing)


@pytest.mark.parametrize("settings", [{"max_input_tokens": 0}, {"name": ""}])
def test_wrong_settings(settings: Any) -> None:
    """A wrong setting dies at construction, by name."""
    with pytest.raises(ConfigError, match=next(iter(settings))):
        LLMJudge(plain, **settings)
