"""Statements of an answer: splitting, types, ledger, parts, quotations."""

from grounding_middleware.claims.splitting import split

__all__ = ["split"]
