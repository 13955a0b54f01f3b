"""The cost table: nothing unknown counts as nothing, and no price is ours."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from grounding_middleware import Grounder
from grounding_middleware.judges.costs import Price, costs, table
from grounding_middleware.records import CallRecord


def call(tier: str = "llm", **fields: object) -> CallRecord:
    base = {"tier": tier, "role": "r", "model": "m", "prompt_version": "v", "claim_ids": ("a", "b")}
    return CallRecord.model_validate({**base, "input_tokens": 100, "output_tokens": 10, "latency_ms": 5, **fields})


def test_one_row_for_each_tier_and_model() -> None:
    """Calls, failures, claims, tokens and time add up by tier and model."""
    rows = costs([call("nli", model="n"), call(), call(error="timeout")])
    assert [(row.tier, row.model, row.calls, row.failed, row.claims) for row in rows] == [
        ("nli", "n", 1, 0, 2),
        ("llm", "m", 2, 1, 4),
    ]
    assert (rows[1].input_tokens, rows[1].output_tokens, rows[1].latency_ms) == (200, 20, 10)


def test_prices_are_the_users() -> None:
    """Money is tokens times the price of that very model, and unknown without one."""
    (row,) = costs([call(), call()], {"m": Price(input=2.0, output=10.0)})
    assert row.money == pytest.approx((200 * 2 + 20 * 10) / 1e6)
    assert costs([call()])[0].money is None
    assert costs([call()], {"other": Price(input=1, output=1)})[0].money is None


def test_what_nobody_counted_is_unknown() -> None:
    """One call without a count makes the sum unknown, not smaller."""
    (row,) = costs([call(), call(input_tokens=None)], {"m": Price(input=1, output=1)})
    assert row.input_tokens is None
    assert row.output_tokens == 20
    assert row.money is None


def test_table() -> None:
    """Estimates are marked, unknowns named, and the last line is the sum."""
    rows = costs([call("nli", input_tokens=None), call(tokens_estimated=True)], {"m": Price(input=1, output=1)})
    lines = [line.split() for line in table(rows).splitlines()]
    assert lines[1] == ["nli", "m", "1", "0", "2", "unknown", "10", "5", "unknown"]
    assert lines[2] == ["llm", "m", "1", "0", "2", "~100", "~10", "5", "0.0001"]
    assert lines[3] == ["all", "2", "0", "4", "unknown", "~20", "10", "unknown"]
    assert table(()).splitlines()[-1].split() == ["all", "0", "0", "0", "0", "0", "0", "0.0000"]


@pytest.mark.parametrize("value", [-1.0, float("nan"), float("inf")])
def test_wrong_price(value: float) -> None:
    """A price is a finite number, 0 or more."""
    with pytest.raises(ValidationError):
        Price(input=value, output=0)


def test_a_functions_tokens_are_counted() -> None:
    """A judge that is a plain function tells no counts; ours are in the log, marked as such."""
    report = Grounder(judge=lambda _: "no").check("Visitors like it.", evidence=["The desk opens at nine."])
    (row,) = costs(report.calls)
    assert row.estimated
    assert (row.input_tokens or 0) > 400
