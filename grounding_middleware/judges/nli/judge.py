"""A local model as a judge: sure, or silent (JU-7).

Premise is a passage, or a window of one that is too long; hypothesis is the claim. What the model is sure of in one
window and denies in another, what the checks doubt, and what cannot be read alone is left to the next judge.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from grounding_middleware.errors import ConfigError, JudgeError
from grounding_middleware.judges.nli.selection import nearest
from grounding_middleware.judges.nli.thresholds import Thresholds
from grounding_middleware.judges.nli.windows import windows
from grounding_middleware.judges.parsing import unverified
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
from grounding_middleware.records import Label, Quote, Range, Span, sha256

ROLE: Final = "local_inference"
MAX_WINDOWS = 64
"""Windows looked at for one claim; a claim that needs more is left to a judge with a larger view."""

PAIRS_A_CALL = 256
_LEAST_ROOM = 16  # tokens for a premise; less is no context


class PairModel(Model, Protocol):
    """Scores pairs: for each (premise, hypothesis) the probabilities of entailment, neutral and contradiction.

    `max_tokens` is what it reads of a pair, `special_tokens` included; `count` counts a text by its own tokenizer,
    without special tokens; `version` identifies its weights.
    """

    max_tokens: int
    special_tokens: int
    version: str
    thresholds: Thresholds | None

    def count(self, text: str) -> int:
        """Tokens of `text`."""


class _Pair(NamedTuple):
    span: Span
    window: Range
    hypothesis: str

    @property
    def texts(self) -> tuple[str, str]:
        return self.span.text[slice(*self.window)], self.hypothesis


@dataclass(frozen=True, slots=True)
class _Plan:
    """The pairs to score for one claim, or why there are none."""

    item: JudgeItem
    pairs: tuple[_Pair, ...] = ()
    windows: int = 0  # there are; `pairs` may hold only the nearest
    obstacle: str = ""


class _Scores(NamedTuple):
    entailment: float
    neutral: float
    contradiction: float


class NLIJudge:
    """Decides with a local `model` from `thresholds` on: the given ones, else those kept beside the model.

    Raises `ConfigError` for a wrong setting.
    """

    def __init__(self, model: PairModel, name: str = "nli", *, thresholds: Thresholds | None = None) -> None:
        if not name:
            raise ConfigError("name is empty; allowed is any text that no other tier has")
        self.model: Model = model
        self._reader = model
        self.name = name
        self._thresholds = thresholds or model.thresholds or Thresholds()

    @property
    def version(self) -> str:
        """Hash of weights and thresholds: everything that decides."""
        return sha256(f"{ROLE}\x00{self._reader.version}\x00{self._thresholds.model_dump_json()}")[:12]

    def judge(self, task: JudgeTask) -> Generator[Batch, Replies, tuple[Opinion, ...]]:
        """One opinion for each item, in order; UNVERIFIED where the model is not sure, or failed."""
        spans = {span.id: span for span in task.evidence}
        plans = [self._plan(item, [spans[key] for key in item.span_ids if key in spans], task) for item in task.items]
        pairs = [pair for plan in plans for pair in plan.pairs]
        calls = tuple(self._call(pairs[at : at + PAIRS_A_CALL], plans) for at in range(0, len(pairs), PAIRS_A_CALL))
        replies = (yield calls) if calls else ()
        if len(replies) != len(calls):
            raise JudgeError(f"{len(calls)} calls got {len(replies)} replies")
        failure = next((reply.error for reply in replies if reply.error), "") or _unusable(replies)
        if failure:
            return tuple(
                unverified(plan.item, plan.obstacle or f"the local model failed: {failure}").replace(judge=self.name)
                for plan in plans
            )
        scores = _scores(replies)
        return tuple(self._opinion(plan, [next(scores) for _ in plan.pairs]).replace(judge=self.name) for plan in plans)

    def _plan(self, item: JudgeItem, cited: list[Span], task: JudgeTask) -> _Plan:
        claim = item.claim
        if claim.needs_context or claim.context:
            return _Plan(item, obstacle="the claim cannot be read alone, as the local model would read it")
        if len(cited) < len(item.span_ids):
            return _Plan(item, obstacle="a cited passage is not among the evidence given to the judge")
        room = self._reader.max_tokens - self._reader.special_tokens - self._reader.count(claim.text)
        if room < _LEAST_ROOM:
            return _Plan(item, obstacle=f"the claim leaves {max(room, 0)} tokens for a passage")
        language = claim.language or "en"
        pairs = tuple(
            _Pair(span, window, claim.text)
            for span in (cited or task.evidence)
            for window in windows(span.text, room, self._reader.count, language)
        )
        if not pairs or len(pairs) > MAX_WINDOWS:
            return _Plan(item, obstacle=f"{len(pairs)} windows to look at; allowed are 1 to {MAX_WINDOWS}")
        most = self._thresholds.nearest or len(pairs)
        chosen = nearest(claim.text, [pair.texts[0] for pair in pairs], language, most)
        return _Plan(item, tuple(pairs[at] for at in sorted(chosen)), len(pairs))

    def _call(self, pairs: Sequence[_Pair], plans: Sequence[_Plan]) -> ModelCall:
        inside = {id(pair) for pair in pairs}
        asked = (plan.item.claim.id for plan in plans if any(id(pair) in inside for pair in plan.pairs))
        return ModelCall(
            tier=self.name,
            role=ROLE,
            prompt_version=self.version,
            pairs=tuple(pair.texts for pair in pairs),
            claim_ids=tuple(asked),
        )

    def _opinion(self, plan: _Plan, scores: Sequence[_Scores]) -> Opinion:
        if plan.obstacle:
            return unverified(plan.item, plan.obstacle)
        supported, contradicted = self._thresholds.least(plan.item.claim.language or "en", plan.windows)
        yes = max(range(len(scores)), key=lambda at: scores[at].entailment)
        no = max(range(len(scores)), key=lambda at: scores[at].contradiction)
        entailment, contradiction = scores[yes].entailment, scores[no].contradiction
        told = f"entailment {entailment:.2f}, contradiction {contradiction:.2f}"
        if entailment >= supported and contradiction >= 0.5:
            return unverified(plan.item, f"the passages disagree for the local model: {told}")
        if contradiction >= contradicted and entailment < 0.5:
            return self._decided(plan, Label.CONTRADICTED, plan.pairs[no], contradiction)
        if entailment < supported:
            return unverified(plan.item, f"the local model is not sure: {told}")
        if plan.item.doubts:
            return unverified(plan.item, f"the local model cannot answer what the checks doubt: {told}")
        return self._decided(plan, Label.SUPPORTED, plan.pairs[yes], entailment)

    def _decided(self, plan: _Plan, label: Label, pair: _Pair, probability: float) -> Opinion:
        start, end = pair.window
        return Opinion(
            claim_id=plan.item.claim.id,
            label=label,
            reason=f"{self.model.name}: {'entailed' if label is Label.SUPPORTED else 'contradicted'} by this passage",
            quotes=(Quote(span_id=pair.span.id, start=start, end=end, text=pair.span.text[start:end]),),
            confidence=min(probability, 1.0) if self._thresholds.measured else None,
        )


def _unusable(replies: Sequence[ModelReply]) -> str:
    """What is wrong with the rows; the drivers have checked that there is one finite row for each pair."""
    rows = (row for reply in replies for row in reply.scores)
    wrong = next((row for row in rows if len(row) != 3 or not all(0 <= value <= 1 for value in row)), None)
    return "" if wrong is None else f"a pair was scored {wrong}; allowed are three probabilities"


def _scores(replies: Sequence[ModelReply]) -> Iterator[_Scores]:
    return (_Scores(*row) for reply in replies for row in reply.scores)
