"""Prices of tiers as the command line gives them."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import ValidationError

from grounding_middleware.errors import InputError
from grounding_middleware.judges.costs import Price

__all__ = ["prices"]


def prices(given: Iterable[str]) -> dict[str, Price]:
    """`TIER=IN,OUT` as prices by tier, for a million tokens read and written; raises `InputError` for anything else."""
    return dict(map(_price, given))


def _price(text: str) -> tuple[str, Price]:
    tier, _, amounts = text.rpartition("=")
    read, _, written = amounts.partition(",")
    try:
        price = Price.model_validate({"input": read, "output": written})
    except ValidationError:
        price = None
    if not tier or price is None:
        raise InputError(
            f"--price: {text!r:.80} is wrong; allowed is TIER=IN,OUT, numbers of 0 or more, as llm=0.4,1.6"
        )
    return tier, price
