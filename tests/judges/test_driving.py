"""The drivers: every call gets one reply whatever the model does, in bounded time, sync and async alike."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time
from collections.abc import Callable, Generator
from typing import Any

import pytest

from grounding_middleware.errors import ConfigError, JudgeError
from grounding_middleware.judges import Batch, ModelCall, ModelReply, Replies, Run, arun, failures, run
from grounding_middleware.judges.driving import MAX_ROUNDS

Drive = Callable[..., Run[Any]]


def _sync(*args: Any, **limits: Any) -> Run[Any]:
    return run(*args, **limits)


def _async(*args: Any, **limits: Any) -> Run[Any]:
    return asyncio.run(arun(*args, **limits))


@pytest.fixture(params=[_sync, _async], ids=["sync", "async"])
def drive(request: pytest.FixtureRequest) -> Drive:
    driver: Drive = request.param
    return driver


class Model:
    """A model that does `work` with each call."""

    name = "m"

    def __init__(self, work: Callable[[ModelCall], Any]) -> None:
        self._work = work

    def complete(self, call: ModelCall) -> Any:
        """What the work gives."""
        return self._work(call)

    async def acomplete(self, call: ModelCall) -> Any:
        """What the work gives; a wait is a coroutine."""
        result = self._work(call)
        return await result if asyncio.iscoroutine(result) else result


def call(text: str = "hello", tier: str = "t", **fields: Any) -> ModelCall:
    return ModelCall(tier=tier, role="r", prompt_version="v", user=text, **fields)


def ask(*batches: Batch) -> Generator[Batch, Replies, list[Replies]]:
    """Yield the batches and return all replies."""
    found = []
    for batch in batches:
        found.append((yield batch))  # noqa: PERF401  # a comprehension cannot yield
    return found


def _raises(error: BaseException) -> Callable[[ModelCall], Any]:
    def work(_: ModelCall) -> Any:
        raise error

    return work


def client_error(name: str, **fields: Any) -> Exception:
    """An exception named as HTTP and model clients name theirs."""
    made: Exception = type(name, (Exception,), fields)()
    return made


FAILURES = [
    (ValueError("secret"), "crashed:ValueError"),
    (RecursionError(), "crashed:RecursionError"),
    (TimeoutError(), failures.TIMEOUT),
    (client_error("ReadTimeout"), failures.TIMEOUT),
    (ConnectionResetError(), failures.CONNECTION),
    (client_error("APIConnectionError"), failures.CONNECTION),
    (client_error("RateLimitError", status_code=429), "rate_limit: HTTP 429"),
    (client_error("APIStatusError", status_code=503), "server_error: HTTP 503"),
    (client_error("AuthenticationError", status_code=401), "rejected: HTTP 401"),
    (client_error("BadRequestError", status_code=400, code="content_filter"), failures.CONTENT_FILTER),
    (client_error("RemoteProtocolError"), failures.CONNECTION),
    (client_error("LengthFinishReasonError"), failures.CUT_OFF),
    (client_error("ContentFilterFinishReasonError"), failures.CONTENT_FILTER),
    (JudgeError("no text"), "crashed:JudgeError: no text"),
]


@pytest.mark.parametrize(("error", "reason"), FAILURES, ids=lambda value: str(value)[:30])
def test_exceptions_are_replies(drive: Drive, error: Exception, reason: str) -> None:
    """An exception becomes a reply with a named reason; its message, which may hold secrets, does not."""
    found, calls = drive(ask((call(),)), {"t": Model(_raises(error))})
    assert found[0][0].error == reason
    assert calls[0].error == reason


def test_stop_iteration_ends_nothing(drive: Drive) -> None:
    """A StopIteration from a model is a failed call, not the end of the judge."""
    found, _ = drive(ask((call(),), (call(),)), {"t": Model(_raises(StopIteration("x")))})
    assert [failures.code(replies[0].error) for replies in found] == [failures.CRASHED] * 2


@pytest.mark.parametrize("value", [None, "text", 5, object(), {"text": "x"}])
def test_wrong_types_are_replies(drive: Drive, value: Any) -> None:
    """What is not a ModelReply is an error that names the type."""
    found, _ = drive(ask((call(),)), {"t": Model(lambda _: value)})
    assert failures.code(found[0][0].error) == failures.NOT_TEXT
    assert type(value).__name__ in found[0][0].error


@pytest.mark.parametrize("text", ["", " \n "])
def test_empty_reply_is_an_error(drive: Drive, text: str) -> None:
    """A reply is never both empty and fine."""
    found, _ = drive(ask((call(),)), {"t": Model(lambda _: ModelReply(text=text))})
    assert found[0][0].error == failures.EMPTY


@pytest.mark.parametrize("scores", [(), ((0.1,),), ((0.1,), ()), ((0.1,), (float("nan"),)), ((0.1,), (float("inf"),))])
def test_scores_must_fit(drive: Drive, scores: Any) -> None:
    """Scores are one finite row for each pair, or an error."""
    model = Model(lambda _: ModelReply(scores=scores))
    found, _ = drive(ask((call(pairs=(("a", "b"), ("c", "d"))),)), {"t": model})
    assert found[0][0].error
    fine = Model(lambda _: ModelReply(scores=((0.1,), (0.9,))))
    found, _ = drive(ask((call(pairs=(("a", "b"), ("c", "d"))),)), {"t": fine})
    assert not found[0][0].error


def test_order_and_log(drive: Drive) -> None:
    """Replies and records come in the order of the calls, one for each, from the model of their tier."""
    models = {
        "a": Model(lambda asked: ModelReply(text=f"A{asked.user}", input_tokens=3, output_tokens=1)),
        "b": Model(lambda asked: ModelReply(text=f"B{asked.user}", model="exact-name", latency_ms=5)),
    }
    found, calls = drive(ask((call("1", "a"), call("2", "b")), (), (call("3", "a", claim_ids=("c",)),)), models)
    assert [[reply.text for reply in replies] for replies in found] == [["A1", "B2"], [], ["A3"]]
    assert [(record.tier, record.model, record.reply) for record in calls] == [
        ("a", "m", "A1"),
        ("b", "exact-name", "B2"),
        ("a", "m", "A3"),
    ]
    assert (calls[0].role, calls[0].prompt_version, calls[0].input_tokens, calls[0].output_tokens) == ("r", "v", 3, 1)
    assert calls[1].latency_ms == 5
    assert calls[2].claim_ids == ("c",)


def test_timeout(drive: Drive) -> None:
    """A call that hangs ends after its timeout, with a named reason, and the next one is made."""
    release = threading.Event()

    def hang(asked: ModelCall) -> Any:
        if asked.user != "hang":
            return ModelReply(text="ok")
        if drive is _async:
            return asyncio.sleep(60)
        release.wait(60)
        return ModelReply(text="late")

    begun = time.perf_counter()
    found, calls = drive(ask((call("hang"),), (call("go"),)), {"t": Model(hang)}, timeout=0.1)
    assert time.perf_counter() - begun < 5
    release.set()
    assert [replies[0].error for replies in found] == [failures.TIMEOUT, ""]
    assert calls[0].error == failures.TIMEOUT


def test_deadline(drive: Drive) -> None:
    """After the deadline of the whole run no call is begun, and the one on its way is given up."""
    release = threading.Event()
    asked = []

    def hang(one: ModelCall) -> Any:
        asked.append(one.user)
        if drive is _async:
            return asyncio.sleep(60)
        release.wait(60)
        return ModelReply(text="late")

    begun = time.perf_counter()
    found, _ = drive(ask((call("1"),), (call("2"),)), {"t": Model(hang)}, timeout=30, deadline=0.1)
    assert time.perf_counter() - begun < 5
    release.set()
    assert asked == ["1"]
    assert [replies[0].error for replies in found] == [failures.TIMEOUT, failures.DEADLINE]


@pytest.mark.parametrize(
    "limits", [{"timeout": 0}, {"timeout": -1.0}, {"deadline": float("nan")}, {"deadline": float("inf")}]
)
def test_wrong_limits(drive: Drive, limits: Any) -> None:
    """A limit that is no positive number of seconds dies before anything is asked."""
    with pytest.raises(ConfigError, match=next(iter(limits))):
        drive(ask((call(),)), {}, **limits)


def test_unknown_tier(drive: Drive) -> None:
    """A call for a tier without a model is a wrong configuration, not a failed call."""
    with pytest.raises(ConfigError, match="'t' has no model; known are \\['a'\\]"):
        drive(ask((call(),)), {"a": Model(lambda _: ModelReply(text="x"))})


def test_broken_judge(drive: Drive) -> None:
    """A generator that yields something else, or never ends, is a defect that is named."""
    with pytest.raises(JudgeError, match="yielded list"):
        drive(ask([call()]), {})  # type: ignore[arg-type]  # the defect

    def endless() -> Generator[Batch, Replies, None]:
        while True:
            yield ()

    with pytest.raises(JudgeError, match=str(MAX_ROUNDS)):
        drive(endless(), {})


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("limits", [{}, {"timeout": 5}])
def test_interrupts_pass(error: type[BaseException], limits: Any) -> None:
    """KeyboardInterrupt and SystemExit are not swallowed, and the generator is closed."""
    steps = ask((call(),))
    with pytest.raises(error):
        run(steps, {"t": Model(_raises(error()))}, **limits)
    assert steps.gi_frame is None


async def test_cancellation_passes() -> None:
    """Cancelling an async run cancels its calls and raises."""
    cancelled = []

    async def wait() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    task = asyncio.create_task(arun(ask((call(), call())), {"t": Model(lambda _: wait())}))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0)
    assert cancelled == [True, True]


async def test_cancelled_inside_the_client() -> None:
    """A client that cancels itself has failed; nobody else is cancelled."""

    async def cancel() -> None:
        raise asyncio.CancelledError

    found, _ = await arun(ask((call(),)), {"t": Model(lambda _: cancel())})
    assert found[0][0].error == "crashed:CancelledError"


async def test_client_that_swallows_cancellation() -> None:
    """A client that ignores its cancellation does not hold the run past its timeout."""
    release = asyncio.Event()

    async def stubborn() -> ModelReply:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await release.wait()
        return ModelReply(text="late")

    begun = time.perf_counter()
    found, _ = await arun(ask((call(),)), {"t": Model(lambda _: stubborn())}, timeout=0.05)
    assert time.perf_counter() - begun < 5
    assert found[0][0].error == failures.TIMEOUT
    release.set()


async def test_a_batch_is_asked_at_once() -> None:
    """The calls of one batch run concurrently."""
    arrived = asyncio.Barrier(5)

    async def meet() -> ModelReply:
        await arrived.wait()
        return ModelReply(text="met")

    found, _ = await arun(ask(tuple(call(str(at)) for at in range(5))), {"t": Model(lambda _: meet())}, timeout=5)
    assert [reply.text for reply in found[0]] == ["met"] * 5


@pytest.mark.parametrize("limits", [{}, {"timeout": 5}])
def test_context_reaches_the_model(drive: Drive, limits: Any) -> None:
    """Context variables of the caller are seen by the model, also in a thread."""
    trace: contextvars.ContextVar[str] = contextvars.ContextVar("trace", default="none")
    trace.set("mine")
    found, _ = drive(ask((call(),)), {"t": Model(lambda _: ModelReply(text=trace.get()))}, **limits)
    assert found[0][0].text == "mine"


async def test_many_answers_without_cross_talk() -> None:
    """Fifty concurrent runs over one model each get their own replies."""

    async def echo(asked: ModelCall) -> ModelReply:
        await asyncio.sleep(0.001 * (hash(asked.user) % 5))
        return ModelReply(text=asked.user)

    model = {"t": Model(echo)}
    runs = await asyncio.gather(*(arun(ask((call(f"{at}a"), call(f"{at}b"))), model) for at in range(50)))
    for at, (found, _) in enumerate(runs):
        assert [reply.text for reply in found[0]] == [f"{at}a", f"{at}b"]
