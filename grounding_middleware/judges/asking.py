"""One call, asked again as often as patience allows; without I/O."""

from __future__ import annotations

from collections.abc import Generator

from grounding_middleware.errors import JudgeError
from grounding_middleware.judges.patience import Patience
from grounding_middleware.judges.protocol import Batch, ModelCall, ModelReply, Replies


def ask(call: ModelCall, patience: Patience) -> Generator[Batch, Replies, ModelReply]:
    """The reply to `call`: the first that is no failure, else the last; at most `patience.retries` further ones."""
    failed = 0
    while True:
        replies = yield (call,)
        if len(replies) != 1:
            raise JudgeError(f"1 call got {len(replies)} replies")
        wait = patience.wait(replies[0], failed) if replies[0].error else None
        if wait is None:
            return replies[0]
        failed += 1
        call = call.replace(delay=wait)
