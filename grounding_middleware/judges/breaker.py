"""A circuit breaker: a model that is down costs a few requests its timeout, not all of them."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from grounding_middleware.errors import ConfigError
from grounding_middleware.judges import failures
from grounding_middleware.judges.protocol import ModelReply

DOWN: Final = frozenset({failures.TIMEOUT, failures.CONNECTION, failures.SERVER})
"""Failures of a model that is not there. One that answers, with whatever nonsense, is."""


@dataclass(slots=True)
class _Circuit:
    failures: int = 0
    closed_again: float = -math.inf


class Breaker:
    """Refuses calls to a tier after `threshold` failures in a row, for `cooldown` seconds at a time.

    After the cooldown one call is let through; its success admits all again, its failure, or its silence, refuses for
    another cooldown. Safe to share between threads and event loops. `clock` gives seconds that never run backwards.
    Raises `ConfigError` for a wrong setting.
    """

    def __init__(
        self, threshold: int = 5, cooldown: float = 30.0, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        if threshold < 1:
            raise ConfigError(f"threshold is {threshold!r}; allowed is a positive number of failures")
        if not (math.isfinite(cooldown) and cooldown > 0):
            raise ConfigError(f"cooldown is {cooldown!r}; allowed is a positive number of seconds")
        self._threshold = threshold
        self._cooldown = cooldown
        self._clock = clock
        self._circuits: dict[str, _Circuit] = {}
        self._lock = threading.Lock()

    def admits(self, tier: str) -> bool:
        """Whether a call to `tier` may be made now; the one trial after a cooldown begins the next cooldown."""
        with self._lock:
            circuit = self._circuits.get(tier)
            if circuit is None or circuit.failures < self._threshold:
                return True
            now = self._clock()
            if now < circuit.closed_again:
                return False
            circuit.closed_again = now + self._cooldown
            return True

    def saw(self, tier: str, reply: ModelReply) -> None:
        """Takes note of how a call ended."""
        down = failures.code(reply.error) in DOWN
        with self._lock:
            circuit = self._circuits.setdefault(tier, _Circuit())
            circuit.failures = circuit.failures + 1 if down else 0
            if down and circuit.failures >= self._threshold:
                circuit.closed_again = self._clock() + self._cooldown
