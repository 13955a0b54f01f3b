"""Risk of a claim: whether it makes somebody act, pay, or change production (CL-9)."""

from __future__ import annotations

from grounding_middleware.claims.lexicon import template
from grounding_middleware.claims.wording import plain
from grounding_middleware.records import Risk

__all__ = ["risk_of"]


def risk_of(text: str, language: str, form: str) -> Risk:
    """ACTION for commands and for statements about money, commitments and production; else INFORMATION."""
    if form == "code":
        return Risk.ACTION
    pattern = template(language, "action")
    return Risk.ACTION if pattern and pattern.search(plain(text)) else Risk.INFORMATION
