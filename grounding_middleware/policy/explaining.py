"""A policy in words: every rule in the order it is tried, and every limit (DE-1)."""

from __future__ import annotations

from collections.abc import Iterator

from grounding_middleware.policy.model import Policy
from grounding_middleware.policy.rules import Rule
from grounding_middleware.records import Action

_OWN_TEXT = (Action.UNANSWERED, Action.ESCALATE)


def explain(policy: Policy) -> tuple[str, ...]:
    """One line for the policy, one for each rule, one for each limit; the same policy gives the same lines."""
    return (
        f"policy {policy.name} (risk {policy.risk}, version {policy.version})",
        *(f"{number}. {_rule(rule)}" for number, rule in enumerate(policy.rules, 1)),
        _limit(policy),
        "review when claims that nobody judged are in the answer, or unsupported ones stay in the text",
        _judging(policy),
        f"first pass: review when more than {policy.flag_review_above:g} of the sentences are flagged",
        f"otherwise: {policy.when_clean}; after cuts: {policy.when_revised}; without claims: {policy.when_no_claims}",
        f"the edited text is shown under: {', '.join(policy.shown) or 'no action'}",
        *(f"shown instead under {actions}: {' '.join(text.split())}" for actions, text in _instead(policy)),
        *(
            (f"below a text that lost statements: {' '.join(policy.texts.notice.split())}",)
            if policy.texts.notice
            else ()
        ),
    )


def _limit(policy: Policy) -> str:
    if policy.escalate_above == 1:
        return "escalate when no claim is left (limit 1)"
    return f"escalate when more than {policy.escalate_above:g} of the claims are unsupported, or none is left"


def _judging(policy: Policy) -> str:
    asked = "every answer" if policy.judge_sample == 1 else f"{policy.judge_sample:g} of the answers no check flags"
    return f"a judge is {'expected' if policy.needs_judge else 'optional'}; it sees {asked} with undecided claims"


def _instead(policy: Policy) -> Iterator[tuple[str, str]]:
    """Which fixed text the reader sees under which actions."""
    fallback = [action for action in Action if action not in policy.shown and action not in _OWN_TEXT]
    yield Action.UNANSWERED, policy.texts.unanswered
    yield Action.ESCALATE, policy.texts.escalation
    yield ", ".join(fallback), policy.texts.fallback


def _rule(rule: Rule) -> str:
    conditions = " and ".join(_conditions(rule)) or "anything"
    reason = f" ({rule.reason})" if rule.reason else ""
    return f"{rule.name}: {conditions} -> {rule.treatment}{reason}"


def _conditions(rule: Rule) -> Iterator[str]:
    for field in ("labels", "kinds", "severities", "risks"):
        values = getattr(rule, field)
        if values:
            yield " or ".join(values) + (" risk" if field == "risks" else "")
