"""Waits are honoured and bounded, and a model that is down is left alone."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Generator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from types import SimpleNamespace
from typing import Any

import pytest

from grounding_middleware.errors import ConfigError
from grounding_middleware.judges import (
    Batch,
    Breaker,
    JudgeTask,
    LLMJudge,
    ModelCall,
    ModelReply,
    Patience,
    Replies,
    arun,
    failures,
    run,
)
from grounding_middleware.judges.failures import failed
from grounding_middleware.records import Label

CALL = ModelCall(tier="t", role="r", prompt_version="v", user="?")
GOOD = '{"verdicts":[{"claim":1,"label":"INSUFFICIENT_EVIDENCE"},{"claim":2,"label":"INSUFFICIENT_EVIDENCE"}]}'
Drive = Callable[..., Any]


@pytest.fixture(params=["sync", "async"])
def drive(request: pytest.FixtureRequest) -> Drive:
    """Both drivers, one signature."""
    if request.param == "sync":
        return run
    return lambda *args, **limits: asyncio.run(arun(*args, **limits))


def http_error(status: int, **headers: str) -> Exception:
    """An exception as HTTP clients raise it."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    made: Exception = type("APIStatusError", (Exception,), {})()
    made.status_code, made.response = status, SimpleNamespace(headers=names)  # type: ignore[attr-defined]
    return made


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after": "3"}, 3.0),
        ({"retry_after": "0.5"}, 0.5),
        ({"retry_after": "-4"}, 0.0),
        ({"retry_after_ms": "250"}, 0.25),
        ({"retry_after_ms": "250", "retry_after": "9"}, 0.25),
        ({"retry_after": "soon"}, None),
        ({"retry_after": "nan"}, None),
        ({"retry_after": "inf"}, None),
        ({}, None),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    """The wait a provider asks for is read from its headers; nonsense asks for none."""
    reply = failures.from_exception(http_error(429, **headers))
    assert failures.code(reply.error) == failures.RATE_LIMIT
    assert reply.retry_after == seconds


def test_retry_after_as_a_date() -> None:
    """A date is a wait until then; one in the past asks for none."""
    for offset, low, high in ((60, 55, 61), (-60, 0, 0)):
        date = format_datetime(datetime.now(UTC) + timedelta(seconds=offset), usegmt=True)
        found = failures.from_exception(http_error(503, retry_after=date)).retry_after
        assert found is not None
        assert low <= found <= high


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (400, failures.REJECTED),
        (401, failures.REJECTED),
        (404, failures.REJECTED),
        (408, failures.TIMEOUT),
        (429, failures.RATE_LIMIT),
        (500, failures.SERVER),
        (504, failures.TIMEOUT),
    ],
)
def test_statuses(status: int, reason: str) -> None:
    """Each status has its reason, and says so."""
    assert failures.from_exception(http_error(status)).error == f"{reason}: HTTP {status}"


@pytest.mark.parametrize("place", ["status_code", "code", "response"])
def test_wherever_a_client_keeps_the_status(place: str) -> None:
    """Some put it on the exception, some on the response it carries."""
    error = type("HTTPError", (Exception,), {})()
    setattr(
        error, place, SimpleNamespace(status_code=429, headers={"retry-after": "2"}) if place == "response" else 429
    )
    reply = failures.from_exception(error)
    assert failures.code(reply.error) == failures.RATE_LIMIT
    assert reply.retry_after == (2 if place == "response" else None)


def test_waits() -> None:
    """What the provider asks for goes first; else longer each time; what does not help is not waited for."""
    patience = Patience(retries=2, backoff=1.0, longest=10.0)
    limited = failed(failures.RATE_LIMIT)
    assert [patience.wait(limited, at) for at in range(3)] == [1.0, 2.0, None]
    assert patience.wait(limited.replace(retry_after=7), 0) == 7
    assert patience.wait(limited.replace(retry_after=11), 0) is None
    assert patience.wait(failed(failures.TIMEOUT), 0) == 0
    assert patience.wait(failed(failures.REJECTED), 0) is None
    assert Patience(backoff=100, longest=3).wait(limited, 1) == 3


@pytest.mark.parametrize("settings", [{"retries": 3}, {"retries": -1}, {"backoff": -1}, {"longest": float("nan")}])
def test_wrong_patience(settings: Any) -> None:
    """Wrong settings die at construction, by name; more than two retries are never allowed."""
    with pytest.raises(ConfigError, match=next(iter(settings))):
        Patience(**settings)


def test_the_wait_is_waited(drive: Drive, refunds: JudgeTask, scripted: Any) -> None:
    """A rate limit is waited out for as long as it asks, and the answer is judged."""
    limited = failed(failures.RATE_LIMIT).replace(retry_after=0.2)
    model = scripted(limited, GOOD)
    begun = time.perf_counter()
    opinions, calls = drive(LLMJudge(model).judge(refunds), {"llm": model}, timeout=5)
    assert 0.2 <= time.perf_counter() - begun < 20
    assert [opinion.label for opinion in opinions] == [Label.INSUFFICIENT_EVIDENCE] * 2
    assert [call.error for call in calls] == [failures.RATE_LIMIT, ""]


def test_a_wait_too_long(drive: Drive, refunds: JudgeTask, scripted: Any) -> None:
    """A wait beyond what is allowed is not waited: the claims are UNVERIFIED at once, with what was asked."""
    model = scripted(failed(failures.RATE_LIMIT).replace(retry_after=3_600))
    begun = time.perf_counter()
    opinions, calls = drive(LLMJudge(model).judge(refunds), {"llm": model})
    assert time.perf_counter() - begun < 30
    assert len(calls) == 1
    assert all(one.label is Label.UNVERIFIED and "asks to wait 3600 s" in one.reason for one in opinions)


def test_a_wait_beyond_the_deadline(drive: Drive, refunds: JudgeTask, scripted: Any) -> None:
    """What would come after the deadline of the answer is not waited for."""
    model = scripted(failed(failures.RATE_LIMIT).replace(retry_after=20))
    begun = time.perf_counter()
    opinions, _ = drive(LLMJudge(model).judge(refunds), {"llm": model}, deadline=2)
    assert time.perf_counter() - begun < 15
    assert all("deadline: a wait of 20 s is longer" in one.reason for one in opinions)


def test_a_batch_waits_once(drive: Drive, make_task: Any, scripted: Any) -> None:
    """Several calls that are told to wait wait at the same time, not one after the other."""
    task = make_task(["One."] * 4, ["One"] * 4, [[1], [2], [3], [4]])
    limited = failed(failures.RATE_LIMIT).replace(retry_after=0.3)
    model = scripted(limited, limited, limited, limited, GOOD)
    begun = time.perf_counter()
    drive(LLMJudge(model, per_claim=True).judge(task), {"llm": model})
    assert time.perf_counter() - begun < 1.1  # 1.2 would be four waits


class Clock:
    """A clock that is set."""

    now = 0.0

    def __call__(self) -> float:
        """The time."""
        return self.now


def test_breaker() -> None:
    """After several failures in a row a tier is refused; after the cooldown one call finds out whether it is back."""
    clock = Clock()
    breaker = Breaker(3, 10.0, clock=clock)
    down, up = failed(failures.CONNECTION), ModelReply(text="fine")
    for _ in range(3):
        assert breaker.admits("t")
        breaker.saw("t", down)
    assert not breaker.admits("t")
    assert breaker.admits("other")
    clock.now = 10
    assert breaker.admits("t")
    assert not breaker.admits("t")
    breaker.saw("t", down)
    clock.now = 19
    assert not breaker.admits("t")
    clock.now = 20
    assert breaker.admits("t")
    breaker.saw("t", up)
    assert breaker.admits("t")
    assert breaker.admits("t")


def test_a_trial_that_never_ends() -> None:
    """A trial whose end nobody sees does not close the tier for ever, nor open it."""
    clock = Clock()
    breaker = Breaker(1, 10.0, clock=clock)
    breaker.saw("t", failed(failures.TIMEOUT))
    clock.now = 10
    assert breaker.admits("t")
    clock.now = 19
    assert not breaker.admits("t")
    clock.now = 20
    assert breaker.admits("t")


@pytest.mark.parametrize("reason", [failures.REFUSED, failures.RATE_LIMIT, failures.CUT_OFF, "crashed:ValueError", ""])
def test_an_answering_model_is_not_down(reason: str) -> None:
    """Nonsense and refusals are answers; only silence and server errors count, and only in a row."""
    breaker = Breaker(2)
    for one in (failures.SERVER, reason, failures.SERVER, reason):
        breaker.saw("t", failed(one) if one else ModelReply(text="x"))
    assert breaker.admits("t")


@pytest.mark.parametrize("settings", [{"threshold": 0}, {"cooldown": 0}, {"cooldown": float("inf")}])
def test_wrong_breaker(settings: Any) -> None:
    """Wrong settings die at construction, by name."""
    with pytest.raises(ConfigError, match=next(iter(settings))):
        Breaker(**settings)


def test_a_dead_judge_costs_few_timeouts(drive: Drive) -> None:
    """Of twenty answers only the first ones wait for a judge that hangs; the rest end at once, named."""
    release = threading.Event()

    class Hangs:
        name = "hangs"

        def complete(self, _: ModelCall) -> ModelReply:
            release.wait(30)
            return ModelReply(text="late")

        async def acomplete(self, _: ModelCall) -> ModelReply:
            await asyncio.sleep(30)
            return ModelReply(text="late")

    def once() -> Generator[Batch, Replies, str]:
        (reply,) = yield (CALL,)
        return reply.error

    breaker = Breaker(3)
    begun = time.perf_counter()
    errors = [drive(once(), {"t": Hangs()}, timeout=0.1, breaker=breaker).result for _ in range(20)]
    assert time.perf_counter() - begun < 5
    release.set()
    assert errors[:3] == [failures.TIMEOUT] * 3
    assert {failures.code(error) for error in errors[3:]} == {failures.UNAVAILABLE}


def test_breaker_under_threads() -> None:
    """Many threads that fail at once leave the tier refused, and the count sane."""
    breaker = Breaker(50, 1_000.0)

    def fail() -> None:
        for _ in range(10):
            breaker.saw("t", failed(failures.SERVER))

    threads = [threading.Thread(target=fail) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not breaker.admits("t")
