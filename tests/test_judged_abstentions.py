"""A judge confirms an abstention only by finding nothing: whatever else it says of one never lets it pass."""

from __future__ import annotations

import json

import pytest

from grounding_middleware import Grounder, Label

SOURCE = "Rabbits and guinea pigs are seen on Wednesdays, by appointment only."
ANSWER = "The documents do not mention whether guinea pigs are treated."
QUOTED = [{"source": "S1", "quote": SOURCE}]


@pytest.mark.parametrize(
    ("label", "evidence", "expected"),
    [
        ("INSUFFICIENT_EVIDENCE", [], Label.ABSTENTION),
        ("INSUFFICIENT_EVIDENCE", QUOTED, Label.UNVERIFIED),
        ("SUPPORTED", QUOTED, Label.UNVERIFIED),
        ("SUPPORTED", [], Label.UNVERIFIED),
        ("CONTRADICTED", QUOTED, Label.CONTRADICTED),
        ("CONTRADICTED", [{"source": "S1", "quote": "Guinea pigs are welcome."}], Label.UNVERIFIED),
    ],
)
def test_only_a_judge_that_finds_nothing_confirms(label: str, evidence: list[dict[str, str]], expected: Label) -> None:
    """A quotation that goes with agreement, or none that goes with a denial, leaves it undecided."""
    reply = json.dumps({"verdicts": [{"claim": 1, "evidence": evidence, "reason": "told", "label": label}]})
    grounder = Grounder(judge=lambda _prompt: reply)
    report = grounder.check(ANSWER, evidence=[{"id": "S1", "text": SOURCE}], question="Do you treat guinea pigs?")
    assert [claim.label for claim in report.claims] == [expected]
