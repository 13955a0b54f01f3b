"""How long the calls of one answer may take, and what is refused before it is asked."""

from __future__ import annotations

import math
import time

from grounding_middleware.errors import ConfigError
from grounding_middleware.judges import failures
from grounding_middleware.judges.breaker import Breaker
from grounding_middleware.judges.protocol import ModelCall, ModelReply


class Limits:
    """`timeout` for each call and `deadline` for all of them, in seconds; `breaker` knows the tiers that are down."""

    def __init__(self, timeout: float | None, deadline: float | None, breaker: Breaker | None = None) -> None:
        for name, value in (("timeout", timeout), ("deadline", deadline)):
            if value is not None and not (math.isfinite(value) and value > 0):
                raise ConfigError(f"{name} is {value!r}; allowed is a positive number of seconds, or None")
        self._timeout = timeout
        self._end = None if deadline is None else time.monotonic() + deadline
        self._breaker = breaker

    def seconds(self) -> float | None:
        """Seconds for a call that begins now; None without a limit."""
        left = self._left()
        known = [limit for limit in (self._timeout, None if math.isinf(left) else left) if limit is not None]
        return min(known, default=None)

    def refusal(self, call: ModelCall, wait: float) -> ModelReply | None:
        """The reply to a call that is not worth making after `wait` seconds; None when it is."""
        if self._left() <= wait:
            return failures.failed(failures.DEADLINE, f"a wait of {call.delay:.0f} s is longer" if wait else "")
        if self._breaker is not None and not self._breaker.admits(call.tier):
            return failures.failed(
                failures.UNAVAILABLE, "it failed several times in a row and is left alone for a while"
            )
        return None

    def saw(self, call: ModelCall, reply: ModelReply) -> None:
        """Takes note of how a call ended that was made."""
        if self._breaker is not None:
            self._breaker.saw(call.tier, reply)

    def _left(self) -> float:
        return math.inf if self._end is None else max(0.0, self._end - time.monotonic())
