"""What the judges of an answer cost: calls, tokens and time for each tier, and money at prices the user gives.

No price is known here. What nobody counted or priced stays unknown, it is never nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from pydantic import Field

from grounding_middleware.records import CallRecord, Record

MILLION = 1_000_000


class Price(Record):
    """What a model costs for a million tokens read and written, in a currency of the user's."""

    input: float = Field(ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)


class TierCost(Record):
    """The calls of one model in one tier.

    `claims` counts each claim once for each call that asks about it. Token counts are None when a call has none;
    `estimated` when any is ours. `money` is None without a price or without token counts.
    """

    tier: str
    model: str
    calls: int
    failed: int
    claims: int
    input_tokens: int | None
    output_tokens: int | None
    estimated: bool
    latency_ms: float
    money: float | None


def costs(calls: Iterable[CallRecord], prices: Mapping[str, Price] | None = None) -> tuple[TierCost, ...]:
    """One row for each tier and model, in the order of their first calls; `prices` are by model name."""
    groups: dict[tuple[str, str], list[CallRecord]] = defaultdict(list)
    for call in calls:
        groups[call.tier, call.model].append(call)
    return tuple(_cost(tier, model, made, (prices or {}).get(model)) for (tier, model), made in groups.items())


def table(rows: Sequence[TierCost]) -> str:
    """The rows as plain text, with their sum."""
    head = ("tier", "model", "calls", "failed", "claims", "in", "out", "ms", "money")
    sums = (
        "all",
        "",
        *(str(sum(getattr(row, name) for row in rows)) for name in ("calls", "failed", "claims")),
        _count(_total([row.input_tokens for row in rows]), estimated=any(row.estimated for row in rows)),
        _count(_total([row.output_tokens for row in rows]), estimated=any(row.estimated for row in rows)),
        f"{sum(row.latency_ms for row in rows):.0f}",
        _money(None if any(row.money is None for row in rows) else sum(row.money or 0.0 for row in rows)),
    )
    lines = [head, *map(_line, rows), sums]
    widths = [max(len(line[at]) for line in lines) for at in range(len(head))]
    padded = ("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)
    return "\n".join(line.rstrip() for line in padded)


def _cost(tier: str, model: str, made: Sequence[CallRecord], price: Price | None) -> TierCost:
    read = _total([call.input_tokens for call in made])
    written = _total([call.output_tokens for call in made])
    money = 0.0 if read == written == 0 else None  # a cache, for example: nothing read is nothing to pay
    if price is not None and read is not None and written is not None:
        money = (read * price.input + written * price.output) / MILLION
    return TierCost(
        tier=tier,
        model=model,
        calls=len(made),
        failed=sum(bool(call.error) for call in made),
        claims=sum(len(call.claim_ids) for call in made),
        input_tokens=read,
        output_tokens=written,
        estimated=any(call.tokens_estimated for call in made),
        latency_ms=sum(call.latency_ms for call in made),
        money=money,
    )


def _total(counts: Sequence[int | None]) -> int | None:
    """The sum; None when any count is missing."""
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def _line(row: TierCost) -> tuple[str, ...]:
    return (
        row.tier,
        row.model,
        str(row.calls),
        str(row.failed),
        str(row.claims),
        _count(row.input_tokens, estimated=row.estimated),
        _count(row.output_tokens, estimated=row.estimated),
        f"{row.latency_ms:.0f}",
        _money(row.money),
    )


def _count(tokens: int | None, *, estimated: bool) -> str:
    return "unknown" if tokens is None else f"{'~' if estimated else ''}{tokens}"


def _money(amount: float | None) -> str:
    return "unknown" if amount is None else f"{amount:.4f}"
