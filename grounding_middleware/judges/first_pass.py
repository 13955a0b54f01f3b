"""The first pass (JU-5): a cheap look at an answer without evidence, which marks candidates and decides nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from grounding_middleware.errors import ConfigError
from grounding_middleware.judges import strict_json
from grounding_middleware.judges.asking import ask
from grounding_middleware.judges.models import as_model
from grounding_middleware.judges.patience import Patience
from grounding_middleware.judges.places import places
from grounding_middleware.judges.prompts import first_pass as prompt
from grounding_middleware.judges.prompts.fences import one_line
from grounding_middleware.judges.protocol import Batch, Model, ModelCall, Replies
from grounding_middleware.records import Claim, Record

REASON_LENGTH = 200
MAX_FLAGS = 500

_TOKENS_A_REPLY = 2_000

_log = logging.getLogger(__name__)


class Flag(Record):
    """A passage somebody should check; `answer[start:end] == text`."""

    start: int
    end: int
    text: str
    reason: str = ""


class FirstLook(Record):
    """What a first pass marked, in order, or the `problem` that kept it from looking; then nothing is known.

    `total` is the model's own count of sentences. `notes` name what was discarded.
    """

    flags: tuple[Flag, ...] = ()
    total: int | None = None
    problem: str = ""
    notes: tuple[str, ...] = ()


class FirstPass:
    """Asks a chat model, without evidence, what in an answer has to be checked; how much depends on `risk`.

    Raises `ConfigError` for a wrong setting.
    """

    def __init__(
        self,
        model: Model | Callable[..., Any],
        name: str = "first-pass",
        *,
        risk: str = "standard",
        patience: Patience | None = None,
    ) -> None:
        if risk not in prompt.STRICTNESS:
            raise ConfigError(f"risk is {risk!r}; allowed are {', '.join(prompt.STRICTNESS)}")
        if not name:
            raise ConfigError("name is empty; allowed is any text")
        self.name = name
        self.models: Mapping[str, Model] = {name: as_model(model)}
        self._risk = str(risk)
        self._patience = patience or Patience()

    def scan(self, answer: str, question: str = "") -> Generator[Batch, Replies, FirstLook]:
        """What to check in `answer`; an answer without text is looked at without a call."""
        if not answer.strip():
            return FirstLook(total=0)
        reply = yield from ask(self._call(answer, question), self._patience)
        if reply.error:
            return FirstLook(problem=f"the first pass failed: {reply.error}")
        look = read(reply.text, answer)
        for note in look.notes:
            _log.info("first pass %s: %s", self.name, note)
        return look

    def _call(self, answer: str, question: str) -> ModelCall:
        return ModelCall(
            tier=self.name,
            role=prompt.ROLE,
            prompt_version=prompt.version(),
            system=prompt.SYSTEM,
            user=prompt.user(answer, question, self._risk),
            reply_schema=prompt.schema(),
            max_output_tokens=_TOKENS_A_REPLY,
        )


class _RawFlag(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True)

    text: str
    start: int | None = None
    reason: str | None = None


class _RawLook(BaseModel):
    """The reply as the format has it; unknown keys have no effect."""

    model_config = ConfigDict(strict=True, frozen=True)

    flags: Annotated[list[_RawFlag], Field(max_length=MAX_FLAGS)]
    total: Annotated[int, Field(ge=0)] | None = None


def read(reply: str, answer: str) -> FirstLook:
    """What `reply` marks in `answer`, with true offsets; text that is not there is discarded and noted (JU-4)."""
    try:
        raw, _ = strict_json.read_as(_RawLook, reply)
    except strict_json.UnreadableError as error:
        return FirstLook(problem=one_line(f"the first pass could not be read: {error}", REASON_LENGTH))
    found: dict[tuple[int, int], Flag] = {}
    notes = []
    for one in raw.flags:
        where = places(one.text, answer, one.start)
        if not where:
            notes.append(one_line(f"discarded a flag whose text is not in the answer: {one.text!r}", REASON_LENGTH))
        reason = one_line(one.reason or "", REASON_LENGTH)
        for start, end in where:
            found.setdefault((start, end), Flag(start=start, end=end, text=answer[start:end], reason=reason))
    return FirstLook(flags=tuple(found[place] for place in sorted(found)), total=raw.total, notes=tuple(notes))


def flagged(flags: Sequence[Flag], claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims that a flag touches, in order."""
    return tuple(claim for claim in claims if any(flag.start < claim.end and claim.start < flag.end for flag in flags))
