"""Work that may hang, in a thread that nobody has to wait for."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def in_thread(work: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
    """The result of `work`, computed in a daemon thread with a copy of the caller's context variables.

    A pool would be joined at exit, or when an event loop closes, and would hang there with the work; this thread dies
    with the process.
    """
    future: Future[R] = Future()
    future.set_running_or_notify_cancel()
    context = contextvars.copy_context()

    def relay() -> None:
        try:
            result = context.run(work, *args, **kwargs)
        except BaseException as error:  # noqa: BLE001  # handed to whoever waits, nothing is swallowed
            future.set_exception(error)
        else:
            future.set_result(result)

    threading.Thread(target=relay, name="grounding-model-call", daemon=True).start()
    return future
