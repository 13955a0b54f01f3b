"""Whether a verified draft may stand: every repaired statement SUPPORTED, nothing lost, nothing else worse (RE-3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from grounding_middleware.policy.deciding import STAYS
from grounding_middleware.records import Label, Outcome, Range, Verdict
from grounding_middleware.repair.proposals import Proposal
from grounding_middleware.repair.verifying import Original, Verified
from grounding_middleware.verdicts import cited_spans

__all__ = ["objections", "of_target"]

_DROPPED: Final = frozenset({"condition-dropped", "hedge-dropped", "quantifier-dropped", "only-one-sided"})
"""Rules of the checks that see a qualification of the evidence missing in the text."""


def of_target(found: Verified, proposal: Proposal) -> tuple[Verdict, ...]:
    """The verdicts on what the target has become."""
    low, high = found.draft.region(proposal.target.place, proposal.changes)
    return tuple(verdict for verdict in found.verdicts if verdict.start < high and low < verdict.end)


def objections(
    found: Verified, proposals: Sequence[Proposal], original: Original, old: Sequence[Proposal] = ()
) -> Mapping[str, str]:
    """Target id to what speaks against its proposal; empty when the whole draft may stand.

    `old` are proposals that stood before: what got worse elsewhere is put down to the nearest of the new ones.
    """
    reasons = {one.target.id: reason for one in proposals if (reason := _objection(found, one))}
    for place, reason in _worse(found, [*old, *proposals], original):
        if proposals:
            nearest = min(proposals, key=lambda one: _distance(one.target.place, place))
            reasons.setdefault(nearest.target.id, reason)
    return reasons


def _objection(found: Verified, proposal: Proposal) -> str:
    verdicts = of_target(found, proposal)
    if not verdicts:
        return "nothing is left of the statement"
    wrong = next((one for one in verdicts if one.label is not Label.SUPPORTED), None)
    if wrong is not None:
        return f"verified again: {wrong.label}, {wrong.reason}"
    findings = (finding for verdict in verdicts for finding in verdict.findings)
    dropped = next((one for one in findings if one.rule in _DROPPED and one.outcome is Outcome.DOUBT), None)
    if dropped is not None:
        return f"a qualification is missing: {dropped.message}"
    cited = frozenset().union(*(cited_spans(one, found.setting) for one in verdicts if one.citations))
    if proposal.span_ids is not None and not cited >= frozenset(proposal.span_ids):
        return f"it would cite {', '.join(sorted(cited)) or 'nothing'} instead of {', '.join(proposal.span_ids)}"
    return ""


def _worse(found: Verified, proposals: Sequence[Proposal], original: Original) -> Iterator[tuple[Range, str]]:
    """Statements outside the targets that are new, gone, or lost their label, with their place in the answer."""
    changed = {claim_id for one in proposals for claim_id in one.target.claim_ids}
    repaired = {verdict.id for one in proposals for verdict in of_target(found, one)}
    now = {origin: verdict for origin, verdict in zip(found.origins, found.verdicts, strict=True) if origin is not None}
    for number, before in enumerate(original.verdicts):
        if before.id in changed:
            continue
        after = now.get(number)
        if after is None:
            yield (before.start, before.end), "another statement would not be read as one any more"
        elif before.treatment in STAYS and after.label not in (before.label, Label.SUPPORTED):
            yield (before.start, before.end), f"another statement would become {after.label}: {after.reason}"
    for verdict, origin in zip(found.verdicts, found.origins, strict=True):
        if origin is None and verdict.id not in repaired:
            yield (verdict.start, verdict.end), "the text would hold another statement"


def _distance(left: Range, right: Range) -> int:
    return max(left[0] - right[1], right[0] - left[1], 0)
