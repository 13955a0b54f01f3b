"""Reports on the groups of a streamed answer, put together: calls keep their claims and their time."""

from __future__ import annotations

from grounding_middleware import Grounder, Policy
from grounding_middleware_langchain._merge import Part, merged


def test_calls_name_claims_of_the_whole_and_follow_one_another() -> None:
    """Each call asks about claims that are in the merged report, and begins after the groups before were done."""
    grounder = Grounder(judge=lambda _prompt: "", policy=Policy(needs_judge=False))
    reports = [grounder.check(text, evidence=["Dogs pay."]) for text in ("Cats like it here. ", "Cats like it here.")]
    whole = merged([Part(report, 0, blocked=False) for report in reports])
    ids = {claim.id for claim in whole.claims}
    assert [set(call.claim_ids) <= ids for call in whole.calls] == [True] * len(whole.calls)
    first, second = (len(report.calls) for report in reports)
    assert len({call.claim_ids for call in whole.calls}) == 2
    assert all(call.started_ms >= reports[0].elapsed_ms for call in whole.calls[first:])
    assert len(whole.calls) == first + second
