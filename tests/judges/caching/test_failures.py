"""The verdict cache keeps no failure, and is trusted no more than a judge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from grounding_middleware import Label
from grounding_middleware.judges import Opinion
from grounding_middleware.judges.caching import (
    CachedVerdict,
    MemoryCache,
    VerdictCache,
)
from grounding_middleware.records import Quote

DAY = datetime(2026, 5, 4, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "failing",
    [
        {"label": "UNVERIFIED"},
        {"evidence": [{"source": "S1", "quote": "Pets are free of charge."}]},
        {"evidence": []},
        {"label": "nonsense"},
    ],
)
def test_a_failure_is_never_kept(kit: Any, cache: VerdictCache, failing: dict[str, Any]) -> None:
    """UNVERIFIED, an invented quote, SUPPORTED without proof, an unreadable reply: the next answer asks again."""
    model = kit.Scripted(**failing)
    asked = kit.grounder(model, cache)
    assert kit.check(asked).claims[0].label is Label.UNVERIFIED
    before = model.asked
    assert kit.check(asked).claims[0].label is Label.UNVERIFIED
    assert model.asked == 2 * before


class Down(MemoryCache):
    """A cache that cannot be reached."""

    def load(self, keys: Iterable[str]) -> dict[str, CachedVerdict]:
        """Fails."""
        raise OSError("the disk is gone")

    def store(self, verdicts: Mapping[str, CachedVerdict]) -> None:
        """Fails."""
        raise OSError("the disk is gone")


def test_a_cache_that_fails_costs_a_call_and_no_verdict(kit: Any) -> None:
    """The judge is asked as without it, and the failure stands in the call log."""
    report = kit.check(kit.grounder(kit.Scripted(), Down()))
    assert report.claims[0].label is Label.SUPPORTED
    assert [bool(call.error) for call in report.calls] == [True, False, True]


class Lying(MemoryCache):
    """A cache that gives what somebody put into it."""

    def __init__(self, opinion: Opinion) -> None:
        super().__init__()
        self._opinion = opinion

    def load(self, keys: Iterable[str]) -> dict[str, CachedVerdict]:
        """The same for every key."""
        return {key: CachedVerdict(opinion=self._opinion, judged=DAY) for key in keys}


@pytest.mark.parametrize(
    "opinion",
    [
        Opinion(claim_id="x", label=Label.SUPPORTED),
        Opinion(claim_id="x", label=Label.SUPPORTED, quotes=(Quote(span_id="S1", start=0, end=4, text="Cats"),)),
        Opinion(claim_id="x", label=Label.SUPPORTED, quotes=(Quote(span_id="S9", start=0, end=4, text="Dogs"),)),
        Opinion(claim_id="x", label=Label.UNVERIFIED),
    ],
)
def test_a_cache_is_not_trusted_more_than_a_judge(kit: Any, opinion: Opinion) -> None:
    """An entry without proof, or with a quote that is not there, is as if it were not there."""
    model = kit.Scripted(label="CONTRADICTED")
    assert kit.check(kit.grounder(model, Lying(opinion))).claims[0].label is Label.CONTRADICTED
    assert model.asked == 1
