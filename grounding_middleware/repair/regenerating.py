"""The affected statements written again by a model, from the verified text and the usable spans (SPEC RE-2).

Without I/O: yields calls like a judge does. Bounded by tokens and time for one answer, whatever the model does. What
comes back is a proposal like any other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from grounding_middleware.judges import Batch, ModelCall, ModelReply, Patience, Replies
from grounding_middleware.judges.asking import ask
from grounding_middleware.judges.prompts import regeneration as prompt
from grounding_middleware.judges.prompts.fences import boundary
from grounding_middleware.judges.prompts.regeneration import Gap
from grounding_middleware.judges.prompts.verification import Passage, names, opening
from grounding_middleware.judging import as_delivered
from grounding_middleware.policy.deciding import STAYS
from grounding_middleware.repair.drafts import Change, Draft
from grounding_middleware.repair.ground import Ground
from grounding_middleware.repair.proposals import Proposal
from grounding_middleware.repair.replace import is_sentence, rewritten, stands_already
from grounding_middleware.repair.replies import read
from grounding_middleware.repair.settings import Step
from grounding_middleware.repair.targets import Target
from grounding_middleware.tokens import count_tokens

__all__ = ["TIER", "Offer", "Regenerator"]

TIER: Final = "repair"
"""The name under which a driver finds the repair model."""

_TOKENS_A_REPLY: Final = 100
_TOKENS_A_STATEMENT: Final = 200
_PATIENCE: Final = Patience(retries=1)


@dataclass(frozen=True)
class Offer:
    """What one round brought: proposals, and for the other targets by id why there is none."""

    proposals: tuple[Proposal, ...] = ()
    problems: Mapping[str, str] = field(default_factory=dict)


class Regenerator:
    """Asks the repair model for one answer, until its tokens or its time are used up."""

    def __init__(self, ground: Ground, risk: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._ground, self._risk, self._clock = ground, risk, clock
        self._tokens = ground.settings.tokens
        self._end = clock() + ground.settings.seconds
        self._passages = names([as_delivered(span) for span in ground.setting.evidence.usable])

    def round(
        self, targets: Sequence[Target], accepted: Sequence[Change], failed: Mapping[str, str]
    ) -> Generator[Batch, Replies, Offer]:
        """One request about all `targets`; `failed` says by target id what was wrong with the last text."""
        problems = {one.id: "it is no sentence of its own" for one in targets if not is_sentence(one, self._ground)}
        able = [one for one in targets if one.id not in problems]
        asked = self._request(able, accepted, failed)
        if isinstance(asked, str):
            return Offer(problems={**problems, **dict.fromkeys((one.id for one in able), asked)})
        reply = yield from ask(asked.call, _PATIENCE)
        self._tokens -= _spent(asked.call, reply)
        if reply.error:
            why = f"the repair model failed: {reply.error}"
            return Offer(problems={**problems, **dict.fromkeys((one.id for one in able), why)})
        return self._offer(able, asked, reply.text, problems)

    def _request(
        self, targets: Sequence[Target], accepted: Sequence[Change], failed: Mapping[str, str]
    ) -> _Request | str:
        """The request, or why none is made."""
        if not targets:
            return "nothing to ask"
        if self._clock() >= self._end:
            return f"the {self._ground.settings.seconds:g} seconds for repair are over"
        gaps = tuple(_gap(number, one, failed) for number, one in enumerate(targets, 1))
        text = self._text(targets, accepted)
        question = self._ground.setting.question
        shown = dict(self._passages)
        while True:
            request = self._call(gaps, text, question, tuple(shown.values()))
            if request.tokens <= self._tokens:
                return request
            spare = [span_id for span_id in shown if span_id not in self._needed(targets)]
            if not spare:
                return f"the request takes {request.tokens} tokens, {max(0, self._tokens)} are left for repair"
            del shown[spare[-1]]

    def _call(self, gaps: Sequence[Gap], text: str, question: str, passages: Sequence[Passage]) -> _Request:
        data = (
            question,
            text,
            *(part for one in passages for part in (one.name, one.span.source_id, one.span.version, one.span.section)),
            *(one.span.text for one in passages),
            *(part for gap in gaps for part in (gap.text, gap.reason, gap.failed)),
        )
        code = boundary(data)
        call = ModelCall(
            tier=TIER,
            role=prompt.ROLE,
            prompt_version=prompt.version(),
            system=prompt.SYSTEM,
            user=prompt.user(code, opening(code, question, self._risk), passages, text, gaps),
            reply_schema=prompt.schema([gap.number for gap in gaps], [one.name for one in passages]),
            max_output_tokens=_TOKENS_A_REPLY + _TOKENS_A_STATEMENT * len(gaps),
        )
        return _Request(call, {one.name: one.span.id for one in passages}, data)

    def _text(self, targets: Sequence[Target], accepted: Sequence[Change]) -> str:
        """The answer with what was repaired so far, a number in the place of each target, and without other losses."""
        wanted = {claim_id for one in targets for claim_id in one.claim_ids}
        gaps = [Change(*one.place, f"[statement {number}]") for number, one in enumerate(targets, 1)]
        taken = [*gaps, *accepted]
        for verdict in self._ground.verdicts:
            free = all(verdict.end <= one.start or one.end <= verdict.start for one in taken)
            if verdict.treatment not in STAYS and verdict.id not in wanted and free:
                gaps.append(Change(verdict.start, verdict.end, "[removed]"))
        return Draft.of(self._ground.answer, [*gaps, *accepted]).text

    def _needed(self, targets: Sequence[Target]) -> set[str]:
        """The spans that the statements cite, and those that speak against them."""
        cited = {
            span_id for one in targets for n in one.citations for span_id in self._ground.setting.citations[n].span_ids
        }
        return cited | {quote.span_id for one in targets for verdict in one.verdicts for quote in verdict.quotes}

    def _offer(self, targets: Sequence[Target], asked: _Request, reply: str, problems: dict[str, str]) -> Offer:
        numbers = range(1, len(targets) + 1)
        reading = read(reply, numbers, asked.passages.keys(), asked.data, self._ground.scribe)
        proposals: list[Proposal] = []
        for number, target in enumerate(targets, 1):
            rewrite = reading.rewrites.get(number)
            if rewrite is None:
                problems[target.id] = reading.problems[number]
                continue
            spans = tuple(asked.passages[name] for name in rewrite.sources)
            found = rewritten(target, Step.MODEL, self._ground, rewrite.text, spans)
            if stands_already(rewrite.text, target, self._ground):
                problems[target.id] = "the answer says it already"
            elif found is None:
                problems[target.id] = "its citation cannot be written"
            else:
                proposals.append(found)
        return Offer(tuple(proposals), problems)


@dataclass(frozen=True)
class _Request:
    """A call with the span id behind each passage name, and everything of others that it shows."""

    call: ModelCall
    passages: Mapping[str, str]
    data: tuple[str, ...]

    @property
    def tokens(self) -> int:
        """What it may cost, input and output."""
        return count_tokens(self.call.system) + count_tokens(self.call.user) + (self.call.max_output_tokens or 0)


def _gap(number: int, target: Target, failed: Mapping[str, str]) -> Gap:
    text = " ".join(verdict.text for verdict in target.verdicts)
    reason = "; ".join(dict.fromkeys(verdict.reason for verdict in target.verdicts if verdict.reason))
    return Gap(number, text, reason, failed.get(target.id, ""))


def _spent(call: ModelCall, reply: ModelReply) -> int:
    """The provider's figures, or ours where it gives none."""
    used_in = reply.input_tokens
    used_out = reply.output_tokens
    return (count_tokens(call.system) + count_tokens(call.user) if used_in is None else used_in) + (
        count_tokens(reply.text) if used_out is None else used_out
    )
