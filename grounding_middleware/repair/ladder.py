"""The steps of a repair, one after the other, each result verified before the next one is tried (SPEC RE-2, RE-5).

    targets -> for each step: proposals -> one draft -> rules and judges -> what stands is kept, the rest tries on

A draft that holds something unverified is never the result: what fails is taken back, and the smaller draft is verified
again. Bounded: each step asks the judges at most once, the model step once in each of its rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from grounding_middleware.judges import Batch, Replies
from grounding_middleware.judging import is_undecided
from grounding_middleware.records import Label, RepairAttempt
from grounding_middleware.repair.accepting import objections, of_target
from grounding_middleware.repair.correct import corrected
from grounding_middleware.repair.drafts import Change, Draft
from grounding_middleware.repair.ground import Ground
from grounding_middleware.repair.proposals import Proposal
from grounding_middleware.repair.recite import added, recited
from grounding_middleware.repair.regenerating import Regenerator
from grounding_middleware.repair.replace import replaced
from grounding_middleware.repair.settings import Step
from grounding_middleware.repair.targets import Target, targets
from grounding_middleware.repair.verifying import Verified, Verifier

__all__ = ["Ladder"]

_MOST_TRIED: Final = 4  # proposals of one step for one target that are looked at

_SENTENCES: Final = (Step.REPLACE, Step.MODEL)  # put a whole sentence in the place of another
_STEPS: Final = MappingProxyType[Step, Callable[[Target, Ground], Iterator[Proposal]]](
    {Step.RECITE: recited, Step.CORRECT: corrected, Step.REPLACE: replaced}
)
_NOTHING: Final = MappingProxyType(
    {
        Step.RECITE: "no other source was found that may be cited for it",
        Step.CORRECT: "no single value, word or name to put in the place of another",
        Step.REPLACE: "no sentence of the evidence that could stand in its place",
    }
)


@dataclass
class Ladder:
    """One answer on its way through the steps; `accepted` stand in `verified`, the last draft that was verified."""

    ground: Ground
    verifier: Verifier
    risk: str
    accepted: list[Proposal] = field(default_factory=list)
    attempts: list[RepairAttempt] = field(default_factory=list)
    drafts: list[str] = field(default_factory=list)
    verified: Verified = field(init=False)

    def __post_init__(self) -> None:
        self.verified = self.verifier.untouched()

    def climb(self) -> Generator[Batch, Replies, None]:
        """All steps, for everything the settings choose."""
        chosen = targets(self.ground.verdicts, self.ground.settings)
        for step in self.ground.settings.steps:
            left = self._left(chosen)
            if not left:
                break
            if step is Step.MODEL:
                yield from self._regenerate(left)
            else:
                yield from self._step(step, left)
        if self.ground.settings.cite:
            yield from self._settle(list(added(self.ground)))

    def _left(self, chosen: Sequence[Target]) -> list[Target]:
        done = {one.target.id for one in self.accepted}
        return [target for target in chosen if target.id not in done]

    def _step(self, step: Step, left: Sequence[Target]) -> Generator[Batch, Replies, None]:
        proposals: list[Proposal] = []
        for target in left:
            found = self._likeliest(list(_first(_STEPS[step](target, self.ground))))
            if found is None:
                self._record_nothing(target, step, _NOTHING[step])
            else:
                proposals.append(found)
        yield from self._settle(proposals)

    def _likeliest(self, proposals: Sequence[Proposal]) -> Proposal | None:
        """The first that rules support, else the first that a judge could, else the first."""
        if len(proposals) == 1:
            return proposals[0]
        labels = [self._looks(one) for one in proposals]
        for wanted in (Label.SUPPORTED, Label.UNVERIFIED):
            if wanted in labels:
                return proposals[labels.index(wanted)]
        return proposals[0] if proposals else None

    def _looks(self, proposal: Proposal) -> Label:
        """What rules say of one proposal by itself: SUPPORTED, UNVERIFIED when they leave it to a judge, or else."""
        found = self.verifier.by_rules(self._draft([proposal]))
        verdicts = of_target(found, proposal)
        if all(one.label is Label.SUPPORTED for one in verdicts) and not objections(
            found, [proposal], self.verifier.original, self.accepted
        ):
            return Label.SUPPORTED
        judged = all(one.label is Label.SUPPORTED or is_undecided(one) for one in verdicts)
        return Label.UNVERIFIED if judged and verdicts else Label.CONTRADICTED

    def _regenerate(self, left: Sequence[Target]) -> Generator[Batch, Replies, None]:
        model = Regenerator(self.ground, self.risk)
        failed: dict[str, str] = {}
        for _ in range(self.ground.settings.rounds):
            left = self._left(left)
            if not left:
                return
            offer = yield from model.round(left, self._changes(), failed)
            for target in left:
                if target.id in offer.problems:
                    self._record_nothing(target, Step.MODEL, offer.problems[target.id])
            failed = {**offer.problems, **(yield from self._settle(offer.proposals))}

    def _settle(self, proposals: Sequence[Proposal]) -> Generator[Batch, Replies, Mapping[str, str]]:
        """Accept what stands in a verified draft, take back the rest; the reasons by target id."""
        new, failed = self._apart(proposals), dict[str, str]()
        if not new:
            return failed
        found = yield from self.verifier.judged(self.verifier.by_rules(self._draft(new)))
        while new:
            wrong = objections(found, new, self.verifier.original, self.accepted)
            if not wrong:
                break
            failed.update(wrong)
            for one in new:
                if one.target.id in wrong:
                    self._record(found, one, wrong[one.target.id], accepted=False)
            new = [one for one in new if one.target.id not in wrong]
            found = self.verifier.by_rules(self._draft(new))
        for one in new:
            self._record(found, one, "", accepted=True)
        if new:
            self.accepted += new
            self.verified = found
        return failed

    def _apart(self, proposals: Sequence[Proposal]) -> list[Proposal]:
        """The proposals in order, without those that change text another one changes or say what another one says."""
        found: list[Proposal] = []
        for one in proposals:
            if any(_says_the_same(one, other) for other in (*self.accepted, *found)):
                self._record_nothing(one.target, one.step, "another repair says the same")
                continue
            try:
                self._draft([*found, one])
            except ValueError:
                self._record_nothing(one.target, one.step, "another repair changes the same text")
            else:
                found.append(one)
        return found

    def _changes(self) -> list[Change]:
        return [change for one in self.accepted for change in one.changes]

    def _draft(self, new: Sequence[Proposal]) -> Draft:
        return Draft.of(self.ground.answer, [*self._changes(), *(change for one in new for change in one.changes)])

    def _record(self, found: Verified, proposal: Proposal, reason: str, *, accepted: bool) -> None:
        text = found.draft.text
        if text not in self.drafts:
            self.drafts.append(text)
        low, high = found.draft.region(proposal.target.place, proposal.changes)
        verdicts = of_target(found, proposal)
        worst = next((one.label for one in verdicts if one.label is not Label.SUPPORTED), None)
        label = worst or (verdicts[0].label if verdicts else None)
        self.attempts.append(
            self._attempt(proposal.target, proposal.step).replace(
                after=text[low:high],
                after_start=low,
                after_end=high,
                draft=self.drafts.index(text),
                accepted=accepted,
                label=label,
                reason=reason,
            )
        )

    def _record_nothing(self, target: Target, step: str, reason: str) -> None:
        self.attempts.append(self._attempt(target, step).replace(reason=reason))

    def _attempt(self, target: Target, step: str) -> RepairAttempt:
        start, end = target.place
        return RepairAttempt(
            claim_ids=target.claim_ids, step=step, before=self.ground.answer[start:end], start=start, end=end
        )


def _says_the_same(one: Proposal, other: Proposal) -> bool:
    """Whether both put the same sentence in, or one the sentence of the other: a reader would get it twice."""
    if one.step not in _SENTENCES or other.step not in _SENTENCES:
        return False
    mine, theirs = (proposal.changes[0].text.casefold().rstrip(".!") for proposal in (one, other))
    return mine in theirs or theirs in mine


def _first(found: Iterator[Proposal]) -> Iterator[Proposal]:
    for _, one in zip(range(_MOST_TRIED), found, strict=False):
        yield one
