"""How often and how long a judge asks again where that can help."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from grounding_middleware.errors import ConfigError
from grounding_middleware.judges import failures
from grounding_middleware.judges.protocol import ModelReply

MAX_RETRIES: Final = 2
"""The most a specification of bounded judging allows (JU-2)."""

_WAIT_FOR: Final = frozenset({failures.RATE_LIMIT, failures.SERVER, failures.CONNECTION})
"""A call that timed out has waited already, an empty reply needs no rest."""


@dataclass(frozen=True, slots=True)
class Patience:
    """At most `retries` further attempts; `backoff` seconds before the first, twice as many before the next.

    What the provider asks for in Retry-After goes before that, up to `longest` seconds; nobody waits longer.
    Raises `ConfigError` for a wrong setting.
    """

    retries: int = MAX_RETRIES
    backoff: float = 0.5
    longest: float = 30.0

    def __post_init__(self) -> None:
        if not 0 <= self.retries <= MAX_RETRIES:
            raise ConfigError(f"retries is {self.retries!r}; allowed are 0 to {MAX_RETRIES}")
        for name, value in (("backoff", self.backoff), ("longest", self.longest)):
            if not (math.isfinite(value) and value >= 0):
                raise ConfigError(f"{name} is {value!r}; allowed is a number of seconds, 0 or more")

    def wait(self, reply: ModelReply, failed_before: int) -> float | None:
        """Seconds to wait before the next attempt after this failure; None when there is none to be made."""
        reason = failures.code(reply.error)
        if failed_before >= self.retries or reason not in failures.RETRYABLE:
            return None
        if reply.retry_after is not None:
            return reply.retry_after if reply.retry_after <= self.longest else None
        return min(self.longest, self.backoff * 2**failed_before) if reason in _WAIT_FOR else 0.0
