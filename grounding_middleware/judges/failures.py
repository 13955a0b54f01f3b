"""Named reasons why a model gave no usable reply; each ends as UNVERIFIED, never as a label."""

from __future__ import annotations

import logging
from typing import Final

from grounding_middleware.errors import JudgeError
from grounding_middleware.judges.protocol import ModelReply

TIMEOUT: Final = "timeout"
REFUSED: Final = "refused"
CONNECTION: Final = "connection"
RATE_LIMIT: Final = "rate_limit"
SERVER: Final = "server_error"
CONTENT_FILTER: Final = "content_filter"
CUT_OFF: Final = "cut_off"
EMPTY: Final = "empty"
NOT_TEXT: Final = "not_text"
CRASHED: Final = "crashed"
"""Followed by the name of the exception: `crashed:ValueError`."""

RETRYABLE: Final = frozenset({TIMEOUT, CONNECTION, RATE_LIMIT, SERVER, EMPTY})
"""Worth asking again unchanged; the others would fail the same way."""

# Clients name their exceptions alike; matching on names keeps every one of them out of our imports.
_BY_NAME: Final = (
    ("timeout", TIMEOUT),
    ("ratelimit", RATE_LIMIT),
    ("contentfilter", CONTENT_FILTER),
    ("lengthfinish", CUT_OFF),
    ("refusal", REFUSED),
    ("connect", CONNECTION),
    ("internalserver", SERVER),
    ("serviceunavailable", SERVER),
)
_TOO_MANY_REQUESTS = 429
_SERVER_STATUS = 500

_log = logging.getLogger(__name__)


def failed(reason: str, detail: str = "") -> ModelReply:
    """A reply that carries only a named reason; `detail` follows it after a colon and a blank."""
    return ModelReply(error=f"{reason}: {detail}" if detail else reason)


def code(error: str) -> str:
    """The named reason of `ModelReply.error`, without its detail; `crashed` for every crash."""
    return error.split(":", 1)[0].strip()


def from_exception(error: BaseException) -> ModelReply:
    """The reply for a model call that raised; messages of others go to the debug log only, they may hold keys."""
    _log.debug("a model call failed", exc_info=error)
    return failed(_reason(error), str(error) if isinstance(error, JudgeError) else "")


def _reason(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return TIMEOUT
    status = getattr(error, "status_code", None)
    if isinstance(status, int) and status >= _SERVER_STATUS:
        return SERVER
    if status == _TOO_MANY_REQUESTS:
        return RATE_LIMIT
    for kind in type(error).__mro__:
        name = kind.__name__.lower()
        found = next((reason for part, reason in _BY_NAME if part in name), None)
        if found:
            return found
    return f"{CRASHED}:{type(error).__name__}"
