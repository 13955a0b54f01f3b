"""From verdicts to treatments and one action; the order of the claims never matters (SPEC DE-2, DE-3, DE-7)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from grounding_middleware.policy.model import Policy
from grounding_middleware.policy.rules import effective_severity
from grounding_middleware.policy.severity import is_undecided, severity_of
from grounding_middleware.records import Action, Claim, Decision, Kind, Label, Treatment, Verdict

Verdicts = tuple[Verdict, ...]

WORST_FIRST = (
    Action.BLOCKED,
    Action.UNANSWERED,
    Action.ESCALATE,
    Action.REVIEW,
    Action.REVISED,
    Action.DRAFT_REVIEW,
    Action.OK,
)
STAYS = frozenset({Treatment.KEEP, Treatment.ANNOTATE, Treatment.REVIEW})
"""Treatments that leave the statement in the text."""


def decide(verdicts: Sequence[Verdict], policy: Policy) -> tuple[Verdicts, Decision]:
    """Every verdict with severity, treatment and the rule behind it, and what happens to the whole answer."""
    treated = tuple(_treat(verdict, policy) for verdict in verdicts)
    return treated, weigh(treated, policy)


def weigh(verdicts: Sequence[Verdict], policy: Policy, repaired: Collection[str] = ()) -> Decision:
    """The decision that follows from treated verdicts; call it again when editing had to remove more of them.

    `repaired` are the ids of claims that stand in the text with other words, verified again. They still count as
    unsupported, because that is what the model said: the share and its limit judge the answer, not the repair. But they
    are not gone, and the action of an answer that nothing else speaks against is `when_revised`.
    """
    claims = [verdict for verdict in verdicts if verdict.label.is_claim]
    undecided = sum(is_undecided(verdict) for verdict in claims)
    unsupported = sum(verdict.label is not Label.SUPPORTED for verdict in claims) - undecided
    share = unsupported / len(claims) if claims else 0.0
    states = [
        *_blocking(verdicts),
        *_emptied(verdicts, claims, policy, repaired),
        *_over_limit(unsupported, len(claims), policy),
        *_for_review(claims, undecided),
        *_contested(claims),
        *_cut(verdicts, claims, policy, repaired),
    ] or [(policy.when_clean, _clean(len(claims)))]
    states.sort(key=lambda found: WORST_FIRST.index(found[0]))
    return Decision(
        action=states[0][0],
        reason="; ".join(reason for _, reason in states),
        claims=len(claims),
        unsupported=unsupported,
        undecided=undecided,
        share=round(share, 2),
        limit=policy.escalate_above,
        policy=policy.name,
    )


def first_pass(flagged: int, sentences: int, policy: Policy) -> Treatment:
    """What to do with the candidates of a first pass: drop them, or review when too many are flagged (DE-7).

    Flags are candidates, not verdicts: KEEP only says that there is nothing to drop.
    """
    if flagged <= 0 < sentences:
        return Treatment.KEEP
    if sentences <= 0 or flagged / sentences > policy.flag_review_above:
        return Treatment.REVIEW
    return Treatment.REMOVE


def complete(claims: Iterable[Claim], verdicts: Iterable[Verdict]) -> Verdicts:
    """One verdict for each claim, in order: a claim the verifier returned nothing for is UNVERIFIED (JU-4)."""
    known = {verdict.id: verdict for verdict in verdicts}
    return tuple(
        known.get(claim.id)
        or Verdict.of(
            claim, label=Label.UNVERIFIED, kind=Kind.VERIFIER_FAILURE, reason="the verifier returned no verdict"
        )
        for claim in claims
    )


def _treat(verdict: Verdict, policy: Policy) -> Verdict:
    rule = policy.rule_for(verdict)
    severity = severity_of(verdict)
    raised = effective_severity(verdict, policy.risk)
    note = f" ({severity} counts as {raised} at risk {policy.risk})" if severity is not raised and severity else ""
    return verdict.model_copy(
        update={
            "severity": severity,
            "treatment": rule.treatment,
            "treatment_reason": f"{rule.name}: {rule.reason}{note}" if rule.reason else f"{rule.name}{note}",
        }
    )


def _blocking(verdicts: Sequence[Verdict]) -> list[tuple[Action, str]]:
    """A single claim can withhold the answer (DE-4). Rule names are sorted, so the order of claims shows nowhere."""
    blocked = [verdict for verdict in verdicts if verdict.treatment is Treatment.BLOCK]
    if not blocked:
        return []
    reasons = ", ".join(sorted({verdict.treatment_reason for verdict in blocked}))
    return [(Action.BLOCKED, f"withheld by {_count(len(blocked), 'claim')}: {reasons}")]


def _emptied(
    verdicts: Sequence[Verdict], claims: Sequence[Verdict], policy: Policy, repaired: Collection[str]
) -> list[tuple[Action, str]]:
    if not verdicts:
        return [(Action.UNANSWERED, "the answer is empty")]
    if not claims:
        no_claims = (policy.when_no_claims, "the answer asserts nothing: no claim was checked, none is supported")
        return [] if policy.when_no_claims is Action.OK else [no_claims]
    if not any(claim.treatment in STAYS or claim.id in repaired for claim in claims):
        return [(Action.ESCALATE, "no claim is left")]
    return []


def _over_limit(unsupported: int, claims: int, policy: Policy) -> list[tuple[Action, str]]:
    share = unsupported / claims if claims else 0.0
    if share <= policy.escalate_above:
        return []
    reason = f"{unsupported} of {_count(claims, 'claim')} not supported, {share:.3f} is above {policy.escalate_above:g}"
    return [(Action.ESCALATE, reason)]


def _for_review(claims: Sequence[Verdict], undecided: int) -> list[tuple[Action, str]]:
    """Undecided claims make it `review` whatever the rules say; so do unsupported claims that stay in the text."""
    kept = sum(
        claim.treatment in (Treatment.REVIEW, Treatment.ANNOTATE) and not is_undecided(claim) for claim in claims
    )
    found = []
    if undecided:
        found.append((Action.REVIEW, f"{undecided} of {_count(len(claims), 'claim')} checked by nobody"))
    if kept:
        found.append((Action.REVIEW, f"{kept} of {_count(len(claims), 'claim')} in the text need review"))
    return found


def _contested(claims: Sequence[Verdict]) -> list[tuple[Action, str]]:
    """Sources that contradict each other are for a person, also when the claims that rest on them are cut (EV-6)."""
    found = sum(claim.kind is Kind.CONFLICTING_SOURCES for claim in claims)
    told = f"{found} of {_count(len(claims), 'claim')} rests on sources that contradict each other"
    return [(Action.REVIEW, told if found == 1 else told.replace("rests", "rest"))] if found else []


def _cut(
    verdicts: Sequence[Verdict], claims: Sequence[Verdict], policy: Policy, repaired: Collection[str]
) -> list[tuple[Action, str]]:
    if all(verdict.treatment in STAYS for verdict in verdicts) and not repaired:
        return []
    mended = sum(claim.id in repaired for claim in claims)
    gone = sum(claim.treatment not in STAYS and claim.id not in repaired for claim in claims)
    reasons = [f"{gone} of {_count(len(claims), 'claim')} withheld"] if gone or not mended else []
    reasons += [f"{mended} of {_count(len(claims), 'claim')} repaired"] if mended else []
    return [(policy.when_revised, ", ".join(reasons))]


def _clean(claims: int) -> str:
    if claims:
        return f"all {_count(claims, 'claim')} supported"
    return "the answer asserts nothing: no claim was checked, none is supported"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
