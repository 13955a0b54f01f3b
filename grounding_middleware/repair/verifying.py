"""A changed answer through the same tiers again: nothing is published because of how it came about (SPEC RE-2, RE-3).

Rules read the whole changed text. A statement that no change touches, that the rules see as before and that does not
lean on a changed one keeps its verdict; all others go to the judge again when no rule decides them.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field, replace

from grounding_middleware.editing.dangling import Lean, leaning
from grounding_middleware.examining import Examined, Examiner
from grounding_middleware.judges import Batch, Cascade, Replies
from grounding_middleware.judging import consulted, is_undecided
from grounding_middleware.records import Verdict
from grounding_middleware.repair.drafts import Draft
from grounding_middleware.verdicts import Setting, cited_spans

__all__ = ["Original", "Verified", "Verifier"]

_Key = tuple[str, frozenset[str], str]
_OPINION = ("label", "kind", "reason", "quotes", "confidence", "decided_by")


@dataclass(frozen=True)
class Original:
    """The answer as it was verified: `examined` by rules before any judge, `verdicts` treated, in the same order."""

    examiner: Examiner
    examined: Examined
    verdicts: tuple[Verdict, ...]

    @property
    def setting(self) -> Setting:
        """What its claims were judged against."""
        return self.examined.setting

    @property
    def rules(self) -> tuple[Verdict, ...]:
        """What the rules alone said."""
        return self.examined.verdicts


@dataclass(frozen=True)
class Verified:
    """A draft with its verdicts; `origins` gives for each the number of the same statement of the original, or None.

    `fresh` are the ids of the statements whose verdict is new.
    """

    draft: Draft
    setting: Setting
    verdicts: tuple[Verdict, ...]
    origins: tuple[int | None, ...]
    fresh: frozenset[str]


@dataclass
class Verifier:
    """Verifies drafts of one answer; what a judge once said of the same words behind the same words is remembered."""

    original: Original
    cascade: Cascade | None
    risk: str
    _memory: dict[_Key, Verdict] = field(default_factory=dict)

    def by_rules(self, draft: Draft) -> Verified:
        """The draft as far as rules, verdicts that still hold and remembered opinions go."""
        found = self.original.examiner.again(self.original.examined, draft.text)
        places = {draft.moved((one.start, one.end)): n for n, one in enumerate(self.original.verdicts)}
        origins = tuple(places.get((verdict.start, verdict.end)) for verdict in found.verdicts)
        verdicts: list[Verdict] = []
        fresh: set[str] = set()
        shaken = False
        for number, (verdict, origin) in enumerate(zip(found.verdicts, origins, strict=True)):
            kept = (
                None if origin is None or (shaken and _leans(verdict)) else self._kept(verdict, origin, found.setting)
            )
            shaken = kept is None
            if kept is None:
                fresh.add(verdict.id)
                kept = self._remembered(verdict, _key(found.verdicts, number, found.setting))
            verdicts.append(kept)
        return Verified(draft, found.setting, tuple(verdicts), origins, frozenset(fresh))

    def untouched(self) -> Verified:
        """The answer as it is."""
        verdicts = self.original.verdicts
        draft = Draft(self.original.setting.answer)
        return Verified(draft, self.original.setting, verdicts, tuple(range(len(verdicts))), frozenset())

    def judged(self, found: Verified) -> Generator[Batch, Replies, Verified]:
        """The same with the opinions of the judges on everything fresh that no rule decides; one batch of calls."""
        asked = {verdict.id for verdict in found.verdicts if verdict.id in found.fresh and is_undecided(verdict)}
        if self.cascade is None or not asked:
            return found
        verdicts = yield from consulted(found.verdicts, asked, found.setting, self.cascade, self.risk)
        for number, verdict in enumerate(verdicts):
            if verdict.id in asked:
                self._memory[_key(verdicts, number, found.setting)] = verdict
        return replace(found, verdicts=verdicts)

    def _kept(self, verdict: Verdict, origin: int, setting: Setting) -> Verdict | None:
        """The verdict of the original, if the rules see the statement as they saw it there."""
        rules, before = self.original.rules[origin], self.original.verdicts[origin]
        same = (rules.label, rules.kind, rules.statement) == (verdict.label, verdict.kind, verdict.statement)
        cites = cited_spans(verdict, setting) == cited_spans(rules, self.original.setting)
        named = bool(verdict.citations) == bool(rules.citations)
        return _with(verdict, before) if same and cites and named else None

    def _remembered(self, verdict: Verdict, key: _Key) -> Verdict:
        known = self._memory.get(key) if is_undecided(verdict) else None
        return verdict if known is None else _with(verdict, known)


def _with(verdict: Verdict, known: Verdict) -> Verdict:
    return verdict.model_copy(update={name: getattr(known, name) for name in _OPINION})


def _key(verdicts: tuple[Verdict, ...] | list[Verdict], number: int, setting: Setting) -> _Key:
    """What a judge's opinion depends on: the words, what they cite, and the words before if they lean on them."""
    verdict = verdicts[number]
    before = verdicts[number - 1].text if number and _leans(verdict) else ""
    return verdict.text, cited_spans(verdict, setting), before


def _leans(verdict: Verdict) -> bool:
    """Whether the statement is read together with the one before it."""
    return verdict.needs_context or leaning(verdict.text, verdict.language) is not Lean.NOTHING
