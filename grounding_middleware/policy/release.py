"""What reaches the reader: the edited text only under the actions the policy shows, else a configured text."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from grounding_middleware.policy.deciding import STAYS
from grounding_middleware.policy.model import Policy
from grounding_middleware.records import Action, Decision, Verdict


def released(decision: Decision, edited_text: str, policy: Policy, withheld_statements: int = 0) -> str:
    """The text that may be shown; never the answer under `escalate`, `blocked` or `unanswered` (DE-4, DE-5).

    With a notice configured, a shown text that lost statements ends with one line that counts them (RE-6).
    """
    if decision.action not in policy.shown or not edited_text.strip():
        return _instead(decision.action, policy)
    if not policy.texts.notice or withheld_statements <= 0:
        return edited_text
    notice = policy.texts.notice.replace("{count}", str(withheld_statements))
    body = edited_text.rstrip()
    return f"{body}\n\n{notice}{edited_text[len(body) :]}"


def withheld(verdicts: Iterable[Verdict], repaired: Collection[str] = ()) -> int:
    """How many claims the edited text lacks; headings that went along and claims that were `repaired` do not count."""
    return sum(
        verdict.label.is_claim and verdict.treatment not in STAYS and verdict.id not in repaired for verdict in verdicts
    )


def _instead(action: Action, policy: Policy) -> str:
    if action is Action.UNANSWERED:
        return policy.texts.unanswered
    return policy.texts.escalation if action is Action.ESCALATE else policy.texts.fallback
