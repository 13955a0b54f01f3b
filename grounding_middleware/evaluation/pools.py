"""Work on parts of a stream in other processes: results in order, few parts under way, nothing left behind."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection, get_context, parent_process
from typing import Final, TypeVar

from grounding_middleware.errors import GroundingError

__all__ = ["mapped"]

Part = TypeVar("Part")
Result = TypeVar("Result")

_AHEAD: Final = 3  # parts under way for each process: enough to keep it busy while the first is waited for


def mapped(work: Callable[[Part], Result], parts: Iterable[Part], processes: int) -> Iterator[Result]:
    """The result of `work` for each part, in order; here for one process, else in that many fresh ones.

    Memory: a few parts for each process. `work` and the parts must be picklable. Raises what `work` raises, and
    `GroundingError` when a process dies; the processes end with this one, however it ends.
    """
    if processes == 1:
        yield from map(work, parts)
        return
    # A fork would copy threads of libraries in whatever state they are.
    pool = ProcessPoolExecutor(processes, get_context("spawn"), initializer=_end_with_parent)
    try:
        yield from _in_order(pool, work, parts, processes * _AHEAD)
    except BrokenProcessPool as error:
        raise GroundingError(f"a process died at its work, perhaps for want of memory: {error}") from error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _in_order(
    pool: ProcessPoolExecutor, work: Callable[[Part], Result], parts: Iterable[Part], ahead: int
) -> Iterator[Result]:
    under_way: deque[Future[Result]] = deque()
    for part in parts:
        under_way.append(pool.submit(work, part))
        if len(under_way) >= ahead:
            yield under_way.popleft().result()
    while under_way:
        yield under_way.popleft().result()


def _end_with_parent() -> None:
    """A process that waits for work would wait for ever once a parent that was killed can give none."""
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_watch, args=(parent.sentinel,), daemon=True, name="grounding-parent-watch").start()


def _watch(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)
