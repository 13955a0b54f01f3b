"""The LLM judge: one batched request an answer, quotes checked in code, every reply survived."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import Any

from grounding_middleware.errors import ConfigError, JudgeError
from grounding_middleware.judges import failures, parsing
from grounding_middleware.judges.models import as_model
from grounding_middleware.judges.packing import CLAIMS_PER_REQUEST, Request, plan
from grounding_middleware.judges.parsing import unverified
from grounding_middleware.judges.patience import Patience
from grounding_middleware.judges.prompts import repair, reply_schema, verification
from grounding_middleware.judges.prompts.fences import one_line
from grounding_middleware.judges.protocol import (
    Batch,
    JudgeItem,
    JudgeTask,
    Model,
    ModelCall,
    ModelReply,
    Opinion,
    Replies,
)
from grounding_middleware.records import Label, sha256
from grounding_middleware.tokens import count_tokens

MAX_INPUT_TOKENS = 6_000
MAX_REPAIRED = 20_000
"""Characters of an unreadable reply that are handed back for repair."""

_TOKENS_A_VERDICT = 300
_TOKENS_A_REPLY = 200
_NAMED = 8  # passages named in a reason
_SHOWN = 160  # characters of a raw reply in a reason; the call log has all of it

_log = logging.getLogger(__name__)


class LLMJudge:
    """Asks a chat model about all claims of an answer at once.

    Long answers are split by `max_input_tokens` (by `count`) into several requests of one batch; `per_claim` asks about
    each claim by itself. An unreadable reply is handed back once for its form. A failed call is repeated where that can
    help, as often and after such a wait as `patience` allows, one whose reply was cut off with half of the claims each.
    Then the claims are UNVERIFIED with the reason. Raises `ConfigError` for a wrong setting.
    """

    def __init__(  # noqa: PLR0913  # the settings of one object, by keyword
        self,
        model: Model | Callable[..., Any],
        name: str = "llm",
        *,
        max_input_tokens: int = MAX_INPUT_TOKENS,
        per_claim: bool = False,
        count: Callable[[str], int] = count_tokens,
        patience: Patience | None = None,
    ) -> None:
        if max_input_tokens < 1:
            raise ConfigError(f"max_input_tokens is {max_input_tokens!r}; allowed is a positive number")
        if not name:
            raise ConfigError("name is empty; allowed is any text that no other tier has")
        self.model: Model = as_model(model)
        self.name = name
        self._budget = max_input_tokens
        self._per_request = 1 if per_claim else CLAIMS_PER_REQUEST
        self._count = count
        self._patience = patience or Patience()

    @property
    def version(self) -> str:
        """Hash of what is asked and how: prompts and budget. The model is known by its name."""
        asked = (verification.version(), repair.version(), self._budget, self._per_request)
        return sha256("\x00".join(map(str, asked)))[:12]

    def judge(self, task: JudgeTask) -> Generator[Batch, Replies, tuple[Opinion, ...]]:
        """One opinion for each item, in order; UNVERIFIED where the model could not be asked, read or believed."""
        planned = plan(task, self._budget, self._count, per_request=self._per_request)
        opinions = {item.claim.id: unverified(item, reason) for item, reason in planned.unasked}
        data = (task.question, task.answer, *(span.text for span in task.evidence))
        open_ = [_Attempt(request, self.name, self._patience) for request in planned.requests]
        while open_:
            replies = yield tuple(attempt.call for attempt in open_)
            if len(replies) != len(open_):
                raise JudgeError(f"{len(open_)} calls got {len(replies)} replies")
            outcomes = [attempt.answered(reply, data) for attempt, reply in zip(open_, replies, strict=True)]
            opinions.update((opinion.claim_id, opinion) for outcome in outcomes for opinion in outcome.opinions)
            open_ = [attempt for outcome in outcomes for attempt in outcome.attempts]
        return tuple(opinions[item.claim.id].replace(judge=self.name) for item in task.items)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What became of an attempt: opinions it ends with, or attempts that take its place."""

    opinions: tuple[Opinion, ...] = ()
    attempts: tuple[_Attempt, ...] = ()


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One request on its way: how often it failed, and an unreadable reply to it with what is wrong with that."""

    request: Request
    tier: str
    patience: Patience
    failures: int = 0
    delay: float = 0.0
    unreadable: tuple[str, str] | None = None

    @property
    def call(self) -> ModelCall:
        """What is asked next: the request itself, or the form of an unreadable reply to it."""
        prompt = repair if self.unreadable else verification
        request = self.request
        return ModelCall(
            tier=self.tier,
            role=prompt.ROLE,
            prompt_version=prompt.version(),
            system=prompt.SYSTEM,
            user=repair.user(*self.unreadable) if self.unreadable else request.user,
            reply_schema=reply_schema(list(request.items), [passage.name for passage in request.passages]),
            claim_ids=tuple(item.claim.id for item in request.items.values()),
            max_output_tokens=_TOKENS_A_REPLY + _TOKENS_A_VERDICT * len(request.items),
            delay=self.delay,
        )

    def answered(self, reply: ModelReply, data: tuple[str, ...]) -> _Outcome:
        """What the reply leads to; nothing is asked without bound."""
        if reply.error:
            return self._failed(reply)
        passages = {passage.name: passage for passage in self.request.passages}
        reading = parsing.read(reply.text, self.request.items, passages, data)
        for note in reading.notes:
            _log.info("judge %s: %s", self.tier, note)
        if not reading.problem:
            items = self.request.items.values()
            return _Outcome(opinions=tuple(map(self._complete, reading.opinions, items)))
        if self.unreadable:
            said = one_line(self.unreadable[0], _SHOWN)
            return self._gave_up(f"the judge's reply could not be read: {reading.problem}. It began: {said}")
        return _Outcome(attempts=(replace(self, unreadable=(reply.text[:MAX_REPAIRED], reading.problem), delay=0.0),))

    def _failed(self, reply: ModelReply) -> _Outcome:
        again = replace(self, failures=self.failures + 1)
        wait = self.patience.wait(reply, self.failures)
        if wait is not None:
            return _Outcome(attempts=(replace(again, delay=wait),))
        cut = failures.code(reply.error) == failures.CUT_OFF and self.failures < self.patience.retries
        if cut and len(self.request.claims) > 1 and not self.unreadable:
            return _Outcome(attempts=tuple(replace(again, request=half, delay=0.0) for half in self.request.halves()))
        asked = f", it asks to wait {reply.retry_after:.0f} s" if reply.retry_after else ""
        return self._gave_up(f"the judge failed: {reply.error}{asked}")

    def _gave_up(self, reason: str) -> _Outcome:
        return _Outcome(opinions=tuple(unverified(item, reason) for item in self.request.items.values()))

    def _complete(self, opinion: Opinion, item: JudgeItem) -> Opinion:
        """Names the passages that were not shown; without them nobody knows that an uncited claim has no support."""
        left_out = self.request.left_out
        if not left_out or (item.span_ids and opinion.label is Label.SUPPORTED):
            return opinion
        more = f" and {len(left_out) - _NAMED} more" if len(left_out) > _NAMED else ""
        hidden = f"not shown for want of room: {', '.join(left_out[:_NAMED])}{more}"
        if opinion.label is Label.INSUFFICIENT_EVIDENCE and not item.span_ids:
            return unverified(item, f"nothing found, but not everything was looked at; {hidden}")
        return opinion.replace(reason=one_line(f"{opinion.reason} ({hidden})", parsing.REASON_LENGTH))
