"""A judge that remembers: asks the judge it wraps only what nobody asked before.

The cache is asked like a model, by the same drivers, sync or async: so it never blocks an event loop, is bounded by the
same timeouts, and each look-up stands in the call log of the report. A cache that fails costs a model call, never a
verdict.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from pydantic import TypeAdapter, ValidationError

from grounding_middleware.errors import ConfigError
from grounding_middleware.judges.caching import keys
from grounding_middleware.judges.caching.verdicts import CachedVerdict, SourceState, VerdictCache
from grounding_middleware.judges.cascade import as_cascade, models_of
from grounding_middleware.judges.parsing import REASON_LENGTH
from grounding_middleware.judges.prompts.fences import one_line
from grounding_middleware.judges.protocol import (
    Batch,
    Judge,
    JudgeItem,
    JudgeTask,
    Model,
    ModelCall,
    ModelReply,
    Opinion,
    Replies,
)
from grounding_middleware.records import Label, Span

LOOK_UP: Final = "verdict_lookup"
KEEP: Final = "verdict_store"
_ENTRIES: Final = TypeAdapter(dict[str, CachedVerdict])
_MARK_LENGTH: Final = 20  # characters of " (cached 2026-05-04)"


class CachedJudge:
    """Gives the verdicts of `judge`, from `cache` where they are there; those say so in their reason.

    A verdict is found again only for the same claim, context, question, evidence, day, requester, judge, models and
    package version (`keys`). UNVERIFIED is never kept. `version` identifies what the judge does; it is needed where
    the judge has no `version` of its own. `clock` gives the moment. Raises `ConfigError` for a wrong setting.
    """

    def __init__(
        self,
        judge: Judge,
        cache: VerdictCache,
        *,
        version: str = "",
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        if not isinstance(judge, Judge):
            raise ConfigError(f"CachedJudge: got {type(judge).__name__}, allowed is a judge; `as_judge` makes one")
        known = version or str(getattr(judge, "version", ""))
        if not known:
            raise ConfigError(f"CachedJudge: {judge.name} has no version; give one: version='1'")
        self.name = judge.name
        self.model: Model = judge.model
        self.version = known
        self._tier = f"{judge.name}:cache"
        self.models: Mapping[str, Model] = {**models_of(judge), self._tier: _CacheModel(cache)}
        self._judge = as_cascade(judge)  # gives one opinion for each item, and none without proof
        self._verifier = keys.verifier(judge, known)
        self._clock = clock

    def judge(self, task: JudgeTask) -> Generator[Batch, Replies, tuple[Opinion, ...]]:
        """One opinion for each item, in order."""
        by_claim = {item.claim.id: keys.key(item, task, self._verifier) for item in task.items}
        looked_up = self._call(LOOK_UP, json.dumps(list(by_claim.values())), by_claim)
        found = _found(task, by_claim, (yield (looked_up,)))
        left = tuple(item for item in task.items if item.claim.id not in found)
        if left:
            fresh = yield from self._judge.judge(task.replace(items=left))
            found.update({opinion.claim_id: opinion for opinion in fresh})
            decided = [opinion for opinion in fresh if opinion.label is not Label.UNVERIFIED]
            if decided:
                kept = _ENTRIES.dump_json(self._entries(decided, task, by_claim)).decode()
                yield (self._call(KEEP, kept, [opinion.claim_id for opinion in decided]),)
        return tuple(found[item.claim.id] for item in task.items)

    def _call(self, role: str, user: str, claim_ids: Iterable[str]) -> ModelCall:
        return ModelCall(tier=self._tier, role=role, prompt_version=self.version, user=user, claim_ids=tuple(claim_ids))

    def _entries(
        self, opinions: Sequence[Opinion], task: JudgeTask, by_claim: Mapping[str, str]
    ) -> dict[str, CachedVerdict]:
        sources = tuple(dict.fromkeys(map(_state, task.evidence)))
        judged = self._clock()
        return {
            by_claim[opinion.claim_id]: CachedVerdict(
                opinion=opinion, judged=judged, sources=sources, as_of=task.as_of, requester=task.requester
            )
            for opinion in opinions
        }


class _CacheModel:
    """The cache behind the interface of a model: keys in, entries out, both as JSON."""

    def __init__(self, cache: VerdictCache) -> None:
        self._cache = cache
        self.name = cache.name

    def complete(self, call: ModelCall) -> ModelReply:
        """What is kept for the keys of a look-up; for a store, how many entries were kept."""
        if call.role == LOOK_UP:
            text = _ENTRIES.dump_json(self._cache.load(json.loads(call.user))).decode()
        else:
            entries = _ENTRIES.validate_json(call.user)
            self._cache.store(entries)
            text = str(len(entries))
        return ModelReply(text=text, model=self.name, input_tokens=0, output_tokens=0)

    async def acomplete(self, call: ModelCall) -> ModelReply:
        """As `complete`, in a thread."""
        return await asyncio.to_thread(self.complete, call)


def _state(span: Span) -> SourceState:
    return SourceState(
        source_id=span.source_id, version=span.version, effective_to=span.effective_to, audience=span.audience
    )


def _found(task: JudgeTask, by_claim: Mapping[str, str], replies: Replies) -> dict[str, Opinion]:
    """The opinions a look-up found that still can be true; anything unreadable counts as not found."""
    try:
        entries = _ENTRIES.validate_json(replies[0].text) if replies and not replies[0].error else {}
    except ValidationError:
        return {}
    spans = {span.id: span for span in task.evidence}
    hits = ((item, entries.get(by_claim[item.claim.id])) for item in task.items)
    return {item.claim.id: _marked(item, entry) for item, entry in hits if entry and _stands(entry.opinion, spans)}


def _stands(opinion: Opinion, spans: Mapping[str, Span]) -> bool:
    """Whether it is a decision whose quotes are in the evidence; a cache is not trusted more than a judge."""
    quoted = all(
        quote.span_id in spans and spans[quote.span_id].text[quote.start : quote.end] == quote.text
        for quote in opinion.quotes
    )
    unproved = opinion.label is Label.SUPPORTED and not opinion.quotes
    return opinion.label is not Label.UNVERIFIED and quoted and not unproved


def _marked(item: JudgeItem, entry: CachedVerdict) -> Opinion:
    reason = one_line(entry.opinion.reason, REASON_LENGTH - _MARK_LENGTH)
    mark = f"(cached {entry.judged.astimezone(UTC).date()})"
    return entry.opinion.replace(claim_id=item.claim.id, reason=f"{reason} {mark}".strip())
