"""The seam between the pure pipeline and the models: calls out, replies in, nothing else.

A judge is written without I/O. It yields batches of `ModelCall`, is sent the replies in the same order and returns its
opinions; whoever drives the generator talks to the model. Sync and async therefore share every line of logic.
"""

from __future__ import annotations

from collections.abc import Generator
from datetime import date
from typing import Protocol, runtime_checkable

from pydantic import Field

from grounding_middleware.records import Attributes, Claim, Finding, Kind, Label, Quote, Record, Span

Batch = tuple["ModelCall", ...]
Replies = tuple["ModelReply", ...]


class ModelCall(Record):
    """One request to a model: a chat prompt (`system` and `user`) or premise/hypothesis `pairs` for a classifier.

    `tier` names the judge that asks, so that the driver finds its model. `reply_schema` is a JSON Schema for models
    with constrained output; the prompt alone must be enough for the others. `delay` is the number of seconds to wait
    before the call is made, counted from when the batch is asked for.
    """

    tier: str
    role: str
    prompt_version: str
    system: str = ""
    user: str = ""
    pairs: tuple[tuple[str, str], ...] = ()
    reply_schema: Attributes | None = None
    claim_ids: tuple[str, ...] = ()
    max_output_tokens: int | None = None
    delay: float = Field(default=0.0, ge=0, allow_inf_nan=False)


class ModelReply(Record):
    """What came back: `text`, `scores` for pairs, or an `error` that names the reason. Never both empty and fine.

    `retry_after` is the number of seconds the provider wants nobody to ask again. `tokens_estimated` tells that the
    token counts are ours, not the provider's.
    """

    text: str = ""
    scores: tuple[tuple[float, ...], ...] = ()
    error: str = ""
    model: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    tokens_estimated: bool = False
    latency_ms: float = 0.0
    retry_after: float | None = Field(default=None, ge=0, allow_inf_nan=False)


@runtime_checkable
class Model(Protocol):
    """The I/O edge. Both methods may raise; the drivers turn any exception into a reply with `error`."""

    name: str

    def complete(self, call: ModelCall) -> ModelReply:
        """Ask the model and wait."""

    async def acomplete(self, call: ModelCall) -> ModelReply:
        """Ask the model without blocking the event loop."""


class JudgeItem(Record):
    """One undecided claim with the spans it may rest on and what the checks doubted about it.

    `span_ids` are the spans it cites; without any it may rest on all of the evidence. `number` is its place among the
    claims of the answer, from 1: a judge that reads the answer counts like that. Without numbers the items are
    numbered as they come.
    """

    claim: Claim
    span_ids: tuple[str, ...]
    doubts: tuple[Finding, ...] = ()
    number: int | None = Field(default=None, ge=1)


class JudgeTask(Record):
    """Everything a judge may see: the question, the answer, the usable evidence and the undecided claims.

    `risk` is the level the operator chose for this material: low, standard or high. `evidence` holds only authorised,
    delivered, applicable spans, each cut to what was delivered. `as_of` and `requester` are what made them applicable:
    no prompt names them, but an opinion holds for them alone.
    """

    question: str
    answer: str
    evidence: tuple[Span, ...]
    items: tuple[JudgeItem, ...]
    risk: str = "standard"
    as_of: date | None = None
    requester: Attributes | None = None


class Opinion(Record):
    """A judge's label for one claim. Quotes are already verified against the spans; without them no SUPPORTED.

    `judge` is the name of the judge that gave it.
    """

    claim_id: str
    label: Label
    kind: Kind | None = None
    reason: str = ""
    quotes: tuple[Quote, ...] = ()
    confidence: float | None = Field(default=None, ge=0, le=1)
    judge: str = ""


@runtime_checkable
class Judge(Protocol):
    """Decides claims the checks could not. Must return one opinion for each item, UNVERIFIED when it cannot tell."""

    name: str
    model: Model

    def judge(self, task: JudgeTask) -> Generator[Batch, Replies, tuple[Opinion, ...]]:
        """Yield batches of calls, receive their replies in order, return the opinions."""


__all__ = [
    "Batch",
    "Judge",
    "JudgeItem",
    "JudgeTask",
    "Model",
    "ModelCall",
    "ModelReply",
    "Opinion",
    "Replies",
]
