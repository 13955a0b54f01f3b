"""Judging a stored answer again: under another policy, by another verifier, or on other evidence (SPEC AU-4, CHG)."""

from __future__ import annotations

from collections.abc import Callable

from grounding_middleware.editing import edit
from grounding_middleware.grounder import Grounder
from grounding_middleware.policy import Policy, decide, released, weigh, withheld
from grounding_middleware.records import Evidence, FrozenDict, Report, Verdict


def under_policy(report: Report, policy: Policy) -> Report:
    """What `policy` makes of the same verdicts: treatments, action and text may differ, labels do not.

    Repairs are not made again: under another policy, what was repaired is removed.
    """
    version = policy.version
    if report.repairs and report.versions.get("policy") == version:
        return report
    verdicts, decision = decide(report.claims, policy)
    text, edits, verdicts = edit(report.answer, verdicts, report.citations)
    decision = weigh(verdicts, policy)
    return report.model_copy(
        update={
            "claims": verdicts,
            "decision": decision,
            "edits": edits,
            "repairs": (),
            "drafts": (),
            "text": released(decision, text, policy, withheld(verdicts)),
            "versions": FrozenDict({**report.versions, "policy": version}),
        }
    )


def by_verifier(
    report: Report, grounder: Grounder, *, evidence: Evidence | None = None, stands: Callable[[Verdict], bool]
) -> Report:
    """The answer verified again by `grounder`, whose sinks are not called; on other evidence if it is given.

    Verdicts of the report that stand are kept, whatever the verifier says now.
    """
    fresh = grounder.silent().check(
        report.answer, evidence=evidence or report.evidence, question=report.question, capture=report.capture
    )
    kept = [verdict for verdict in report.claims if stands(verdict)]
    if not kept:
        return fresh
    new = [verdict for verdict in fresh.claims if not any(_overlap(verdict, old) for old in kept)]
    claims = tuple(sorted((*kept, *new), key=lambda verdict: (verdict.start, verdict.end)))
    return under_policy(fresh.model_copy(update={"claims": claims}), grounder.policy)


def _overlap(one: Verdict, other: Verdict) -> bool:
    return one.start < other.end and other.start < one.end
