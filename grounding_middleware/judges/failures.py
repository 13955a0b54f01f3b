"""Named reasons why a model gave no usable reply; each ends as UNVERIFIED, never as a label."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
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
REJECTED: Final = "rejected"
"""The provider refuses the request itself: key, model name or parameter."""
DEADLINE: Final = "deadline"
"""Not asked: the time for the whole answer is over, or would be before the call may be made."""
UNAVAILABLE: Final = "unavailable"
"""Not asked: the circuit breaker knows the model to be down."""
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
    ("protocolerror", CONNECTION),  # half a body, or none
    ("readerror", CONNECTION),
    ("incompleteread", CONNECTION),
    ("chunkedencoding", CONNECTION),
    ("payloaderror", CONNECTION),
    ("urlerror", CONNECTION),
    ("internalserver", SERVER),
    ("serviceunavailable", SERVER),
)
_BY_FINISH: Final = {
    **dict.fromkeys(("length", "max_tokens", "max_output_tokens", "model_length"), CUT_OFF),
    **dict.fromkeys(("content_filter", "safety", "recitation", "blocklist", "prohibited_content"), CONTENT_FILTER),
    **dict.fromkeys(("refusal", "refused"), REFUSED),
}
_TOO_MANY_REQUESTS = 429
_CLIENT_STATUS = 400
_SERVER_STATUS = 500
_REQUEST_TIMEOUTS = (408, 504)

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
    reason = _reason(error)
    if isinstance(error, JudgeError):
        return failed(reason, str(error))
    if getattr(error, "code", None) == "content_filter":  # a status 400, at some providers
        return failed(CONTENT_FILTER)
    status = _status(error)
    headers = getattr(getattr(error, "response", None), "headers", None) or getattr(error, "headers", None)
    return from_status(status, headers or {}) if status else failed(reason)


def from_status(status: int, headers: Mapping[str, str]) -> ModelReply:
    """The reply for an HTTP status that is no success, with the wait its headers ask for."""
    if status in _REQUEST_TIMEOUTS:
        reason = TIMEOUT
    elif status == _TOO_MANY_REQUESTS:
        reason = RATE_LIMIT
    else:
        reason = SERVER if status >= _SERVER_STATUS else REJECTED
    return failed(reason, f"HTTP {status}").replace(retry_after=retry_after(headers))


def from_finish(finish: object) -> str:
    """The named reason behind a provider's finish reason; empty for one that ends a whole reply."""
    return _BY_FINISH.get(finish.lower(), "") if isinstance(finish, str) else ""


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait by the headers of a reply (RFC 9110 10.2.3: a number or a date), None where they ask for none."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        seconds = _number(value) * unit
        if not math.isfinite(seconds):
            seconds = _until(value)
        if math.isfinite(seconds):
            return max(0.0, seconds)
    return None


def _number(value: str) -> float:
    try:
        return float(value)
    except ValueError:
        return math.nan


def _until(date: str) -> float:
    try:
        return (parsedate_to_datetime(date) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError):  # no date, or one without a zone
        return math.nan


def _status(error: BaseException) -> int:
    """The HTTP status an exception carries, wherever its client keeps it; 0 without one that means failure."""
    kept = (
        getattr(error, "status_code", None),
        getattr(getattr(error, "response", None), "status_code", None),
        getattr(error, "code", None),
    )
    return next((status for status in kept if isinstance(status, int) and status >= _CLIENT_STATUS), 0)


def _reason(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return TIMEOUT
    for kind in type(error).__mro__:
        name = kind.__name__.lower()
        found = next((reason for part, reason in _BY_NAME if part in name), None)
        if found:
            return found
    return f"{CRASHED}:{type(error).__name__}"
