"""A policy in words: every rule in the order it is tried, and every limit (DE-1)."""

from __future__ import annotations

from collections.abc import Iterator

from grounding_middleware.policy.model import Policy
from grounding_middleware.policy.rules import Rule


def explain(policy: Policy) -> tuple[str, ...]:
    """One line for the policy, one for each rule, one for each limit; the same policy gives the same lines."""
    return (
        f"policy {policy.name} (risk {policy.risk}, version {policy.version})",
        *(f"{number}. {_rule(rule)}" for number, rule in enumerate(policy.rules, 1)),
        f"escalate when more than {policy.escalate_above:g} of the claims are unsupported, or none is left",
        "review when claims that nobody judged are in the answer, or unsupported ones stay in the text",
        f"first pass: review when more than {policy.flag_review_above:g} of the sentences are flagged",
        f"otherwise: {policy.when_clean}; after cuts: {policy.when_revised}; without claims: {policy.when_no_claims}",
        f"the edited text is shown under: {', '.join(policy.shown) or 'no action'}",
    )


def _rule(rule: Rule) -> str:
    conditions = " and ".join(_conditions(rule)) or "anything"
    reason = f" ({rule.reason})" if rule.reason else ""
    return f"{rule.name}: {conditions} -> {rule.treatment}{reason}"


def _conditions(rule: Rule) -> Iterator[str]:
    for field in ("labels", "kinds", "severities", "risks"):
        values = getattr(rule, field)
        if values:
            yield " or ".join(values) + (" risk" if field == "risks" else "")
