"""Repair and removal together: from treated verdicts to the text, its edits and what became of every statement.

A repaired statement keeps its verdict, because that is what the model said, with treatment REPAIR; one that could not
be repaired goes, with treatment REMOVE and the reason. Removal works on the repaired text, so that it sees what a
reader would see.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from grounding_middleware.editing import edit
from grounding_middleware.judges import Batch, Cascade, Replies
from grounding_middleware.policy import Policy, decide, weigh
from grounding_middleware.policy.deciding import STAYS
from grounding_middleware.records import Edit, RepairAttempt, Treatment, Verdict
from grounding_middleware.repair.accepting import of_target
from grounding_middleware.repair.drafts import Change, Draft, composed
from grounding_middleware.repair.ground import Ground
from grounding_middleware.repair.ladder import Ladder
from grounding_middleware.repair.recite import CITE
from grounding_middleware.repair.settings import Repair
from grounding_middleware.repair.targets import targets
from grounding_middleware.repair.verifying import Original, Verifier

__all__ = ["Outcome", "removed", "repaired"]

_NOT_CHOSEN: Final = "it is not among what is repaired here"


@dataclass(frozen=True)
class Outcome:
    """The edited text; `edits` lead there from the answer, `verdicts` are those on the answer with final treatments.

    `repaired` are the ids of the claims that stand in the text with other words.
    """

    text: str
    edits: tuple[Edit, ...]
    verdicts: tuple[Verdict, ...]
    repaired: frozenset[str] = frozenset()
    attempts: tuple[RepairAttempt, ...] = ()
    drafts: tuple[str, ...] = ()


def removed(original: Original) -> Outcome:
    """Without repair: what the policy does not keep is cut."""
    return Outcome(*edit(original.setting.answer, original.verdicts, original.setting.citations))


def repaired(
    original: Original, settings: Repair, policy: Policy, cascade: Cascade | None
) -> Generator[Batch, Replies, Outcome]:
    """Repair what `settings` choose, then cut what is left; nothing is tried for an answer no repair could show."""
    chosen = frozenset(one for target in targets(original.verdicts, settings) for one in target.claim_ids)
    best = weigh(original.verdicts, policy, chosen)
    if best.action not in policy.shown:
        return _without(removed(original), f"the answer would be {best.action} all the same")
    if not chosen and not settings.cite:
        return _without(removed(original), _NOT_CHOSEN)
    ladder = Ladder(Ground(original, settings), Verifier(original, cascade, policy.risk), policy.risk)
    yield from ladder.climb()
    return _outcome(original, ladder, policy)


def _without(outcome: Outcome, why: str) -> Outcome:
    """Where nothing is tried, what the policy wants repaired is removed."""
    return replace(outcome, verdicts=tuple(_unrepaired(verdict, why) for verdict in outcome.verdicts))


def _unrepaired(verdict: Verdict, why: str) -> Verdict:
    if verdict.treatment is not Treatment.REPAIR:
        return verdict
    return _treated(verdict, Treatment.REMOVE, f"{verdict.treatment_reason}; not repaired: {why}")


def _outcome(original: Original, ladder: Ladder, policy: Policy) -> Outcome:
    found = ladder.verified
    new = {verdict.id for one in ladder.accepted if one.step != CITE for verdict in of_target(found, one)}
    treated = tuple(
        decide((verdict,), policy)[0][0]
        if origin is None or verdict.id in new
        else _treated_like(verdict, original.verdicts[origin])
        for verdict, origin in zip(found.verdicts, found.origins, strict=True)
    )
    text, edits, after = edit(found.draft.text, treated, found.setting.citations)
    gone = {verdict.id: verdict.treatment_reason for verdict in after if verdict.treatment not in STAYS}
    lost = {
        claim_id: next(gone[verdict.id] for verdict in of_target(found, one) if verdict.id in gone)
        for one in ladder.accepted
        if any(verdict.id in gone for verdict in of_target(found, one))
        for claim_id in one.target.claim_ids
    }
    steps = {
        claim_id: one.step
        for one in ladder.accepted
        if one.step != CITE
        for claim_id in one.target.claim_ids
        if claim_id not in lost
    }
    cascaded = {
        origin: verdict for verdict, origin in zip(after, found.origins, strict=True) if verdict.id in gone and origin
    }
    return Outcome(
        text=text,
        edits=composed(_explained(ladder), edits),
        verdicts=tuple(
            _final(verdict, steps, lost, cascaded.get(number), ladder)
            for number, verdict in enumerate(original.verdicts)
        ),
        repaired=frozenset(steps),
        attempts=tuple(_withdrawn(one, lost) for one in ladder.attempts),
        drafts=tuple(ladder.drafts),
    )


def _treated_like(verdict: Verdict, before: Verdict) -> Verdict:
    names = ("severity", "treatment", "treatment_reason")
    return verdict.model_copy(update={name: getattr(before, name) for name in names})


def _explained(ladder: Ladder) -> Draft:
    """The draft whose changes say which claim they repair and how."""
    changes = (
        Change(change.start, change.end, change.text, one.target.id, f"repaired: {one.step}")
        for one in ladder.accepted
        for change in one.changes
    )
    return Draft.of(ladder.ground.answer, changes)


def _final(
    verdict: Verdict, steps: Mapping[str, str], lost: Mapping[str, str], after: Verdict | None, ladder: Ladder
) -> Verdict:
    """The verdict on the original statement, with what has become of it."""
    if verdict.id in steps:
        return _treated(verdict, Treatment.REPAIR, f"{verdict.treatment_reason}; repaired: {steps[verdict.id]}")
    if verdict.id in lost:
        return _treated(verdict, Treatment.REMOVE, lost[verdict.id])
    if verdict.treatment is Treatment.REPAIR:
        tried = [one.reason for one in ladder.attempts if verdict.id in one.claim_ids and one.reason]
        return _unrepaired(verdict, tried[-1] if tried else _NOT_CHOSEN)
    if after is not None and after.treatment is not verdict.treatment:
        return _treated(verdict, after.treatment, after.treatment_reason)
    return verdict


def _treated(verdict: Verdict, treatment: Treatment, reason: str) -> Verdict:
    return verdict.model_copy(update={"treatment": treatment, "treatment_reason": reason})


def _withdrawn(attempt: RepairAttempt, lost: Mapping[str, str]) -> RepairAttempt:
    """A repair that was taken along when what it leans on was removed stands nowhere."""
    reason = next((lost[claim_id] for claim_id in attempt.claim_ids if claim_id in lost), "")
    return attempt.replace(accepted=False, reason=reason) if attempt.accepted and reason else attempt
