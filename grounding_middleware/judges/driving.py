"""The two drivers of a sans-I/O generator, sync and async: the only place where a model is called.

Whatever a model does, each call gets exactly one reply: an exception, a timeout or a wrong type becomes a reply with a
named error. Only what is no `Exception` (KeyboardInterrupt, cancellation from outside) passes through.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from grounding_middleware.errors import ConfigError, JudgeError
from grounding_middleware.judges import failures
from grounding_middleware.judges.breaker import Breaker
from grounding_middleware.judges.limits import Limits
from grounding_middleware.judges.protocol import Batch, Model, ModelCall, ModelReply, Replies
from grounding_middleware.judges.threads import in_thread
from grounding_middleware.records import CallRecord

R = TypeVar("R")
Steps = Generator[Batch, Replies, R]
"""What the drivers run: yields batches of calls, is sent the replies in order, returns a result."""

MAX_ROUNDS = 1_000
"""Batches one generator may ask for; far above any honest judge."""


class Run(NamedTuple, Generic[R]):
    """What a generator returned, with one record for each model call, in the order of the calls.

    `started_ms` of a call counts from the first step of the generator.
    """

    result: R
    calls: tuple[CallRecord, ...]


def run(
    steps: Steps[R],
    models: Mapping[str, Model],
    *,
    timeout: float | None = None,
    deadline: float | None = None,
    breaker: Breaker | None = None,
) -> Run[R]:
    """Drive `steps` to its end, one call after the other; `models` maps tier names to models.

    `timeout` bounds each call and `deadline` the whole run, in seconds; a call that would begin after the deadline is
    not made. With either of them a call runs in a daemon thread, which is left behind when it does not return in time.
    A tier that `breaker` knows to be down is not called. Raises `ConfigError` for a tier without a model, `JudgeError`
    when `steps` breaks the protocol.
    """
    limits = Limits(timeout, deadline, breaker)
    with contextlib.closing(steps):
        progress = _Progress(steps)
        while progress.batch is not None:
            begun = time.monotonic()
            progress.send([_ask(call, _model(models, call), limits, begun) for call in progress.batch])
    return progress.finished()


async def arun(
    steps: Steps[R],
    models: Mapping[str, Model],
    *,
    timeout: float | None = None,  # noqa: ASYNC109  # bounds each model call, not this function
    deadline: float | None = None,
    breaker: Breaker | None = None,
) -> Run[R]:
    """As `run`, with the calls of a batch made concurrently; cancelling it cancels them."""
    limits = Limits(timeout, deadline, breaker)
    with contextlib.closing(steps):
        progress = _Progress(steps)
        while progress.batch is not None:
            begun = time.monotonic()
            asked = (_aask(call, _model(models, call), limits, begun) for call in progress.batch)
            progress.send(await asyncio.gather(*asked))
    return progress.finished()


class _Asked(NamedTuple):
    reply: ModelReply
    record: CallRecord
    begun: float


class _Progress(Generic[R]):
    """Where a generator stands, and the log of its calls."""

    def __init__(self, steps: Steps[R]) -> None:
        self._begun = time.perf_counter()
        self._steps = steps
        self._result: list[R] = []
        self._calls: list[CallRecord] = []
        self._rounds = 0
        self.batch: Batch | None = None
        self._advance(lambda: next(steps))

    def send(self, asked: Sequence[_Asked]) -> None:
        """Hand over the replies to the current batch."""
        self._rounds += 1
        if self._rounds > MAX_ROUNDS:
            raise JudgeError(f"a judge asked for more than {MAX_ROUNDS} batches of calls")
        self._calls.extend(self._timed(one) for one in asked)
        self._advance(lambda: self._steps.send(tuple(one.reply for one in asked)))

    def finished(self) -> Run[R]:
        return Run(self._result[0], tuple(self._calls))

    def _timed(self, asked: _Asked) -> CallRecord:
        started = (asked.begun - self._begun) * 1_000
        return asked.record.model_copy(update={"started_ms": round(started, 3)})

    def _advance(self, step: Callable[[], Batch]) -> None:
        try:
            batch = step()
        except StopIteration as stop:
            self._result.append(stop.value)
            self.batch = None
            return
        if not isinstance(batch, tuple) or not all(isinstance(call, ModelCall) for call in batch):
            raise JudgeError(f"a judge yielded {type(batch).__name__}; allowed is a tuple of ModelCall")
        self.batch = batch


def _model(models: Mapping[str, Model], call: ModelCall) -> Model:
    try:
        return models[call.tier]
    except KeyError:
        raise ConfigError(f"tier {call.tier!r} has no model; known are {sorted(models)}") from None


def _ask(call: ModelCall, model: Model, limits: Limits, begun: float) -> _Asked:
    wait = _wait(call, begun)
    if refusal := limits.refusal(call, wait):
        return _asked(call, model, refusal, time.perf_counter())
    time.sleep(wait)
    started, seconds = time.perf_counter(), limits.seconds()
    if seconds is None:
        reply = _settled(lambda: model.complete(call), call)
    else:
        reply = _settled(lambda: in_thread(model.complete, call).result(seconds), call)
    limits.saw(call, reply)
    return _asked(call, model, reply, started)


async def _aask(call: ModelCall, model: Model, limits: Limits, begun: float) -> _Asked:
    wait = _wait(call, begun)
    if refusal := limits.refusal(call, wait):
        return _asked(call, model, refusal, time.perf_counter())
    await asyncio.sleep(wait)
    started = time.perf_counter()
    reply = await _reply(call, model, limits.seconds())
    limits.saw(call, reply)
    return _asked(call, model, reply, started)


async def _reply(call: ModelCall, model: Model, seconds: float | None) -> ModelReply:
    task = asyncio.create_task(_completed(model, call))
    task.add_done_callback(lambda done: done.cancelled() or done.exception())  # left behind, its error is nobody's
    try:
        # Not asyncio.timeout: a client that swallows its cancellation would hold us past the limit.
        done, _ = await asyncio.wait({task}, timeout=seconds)
    finally:
        task.cancel()
    if not done:
        return failures.failed(failures.TIMEOUT)
    if task.cancelled():  # by somebody inside the client; from outside, the wait above raises
        return failures.from_exception(asyncio.CancelledError())
    return _settled(task.result, call)


def _wait(call: ModelCall, begun: float) -> float:
    """Seconds until a call may be made whose batch was asked for at `begun`."""
    return max(0.0, begun + call.delay - time.monotonic()) if call.delay else 0.0


async def _completed(model: Model, call: ModelCall) -> ModelReply:
    return await model.acomplete(call)


def _settled(outcome: Callable[[], object], call: ModelCall) -> ModelReply:
    """The reply of a model call, whatever it did: the one broad except of the core."""
    try:
        reply = outcome()
    except Exception as error:  # noqa: BLE001  # a model may raise anything, and none of it may stop an answer
        return failures.from_exception(error)
    return _checked(reply, call)


def _checked(reply: object, call: ModelCall) -> ModelReply:
    """`reply` if it is one; an empty, wrongly typed or non-finite one is an error."""
    if not isinstance(reply, ModelReply):
        return failures.failed(failures.NOT_TEXT, f"the model returned {type(reply).__name__} instead of a ModelReply")
    if reply.error:
        return reply
    if call.pairs:
        finite = all(math.isfinite(score) for scores in reply.scores for score in scores)
        fits = len(reply.scores) == len(call.pairs) and all(reply.scores)
        return reply if finite and fits else reply.replace(error=f"{failures.NOT_TEXT}: scores missing or not finite")
    return reply if reply.text.strip() else reply.replace(error=failures.EMPTY)


def _asked(call: ModelCall, model: Model, reply: ModelReply, begun: float) -> _Asked:
    elapsed = (time.perf_counter() - begun) * 1_000
    record = CallRecord(
        tier=call.tier,
        role=call.role,
        model=reply.model or str(model.name),
        prompt_version=call.prompt_version,
        claim_ids=call.claim_ids,
        error=reply.error,
        reply=reply.text,
        input_tokens=reply.input_tokens,
        output_tokens=reply.output_tokens,
        tokens_estimated=reply.tokens_estimated,
        latency_ms=reply.latency_ms or elapsed,
    )
    return _Asked(reply, record, begun)
