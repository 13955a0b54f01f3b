"""People look at answers: a durable queue, their rulings, and the golden set that comes out of it (SPEC §9)."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grounding_middleware.review.golden import GoldenCase, export, golden_cases, load_golden
    from grounding_middleware.review.items import Case, Item, State
    from grounding_middleware.review.queue import ReviewQueue
    from grounding_middleware.review.rulings import Adjudication, AnswerRuling, ClaimRuling, Ruling

_HOME = {
    **dict.fromkeys(("GoldenCase", "export", "golden_cases", "load_golden"), "golden"),
    **dict.fromkeys(("Case", "Item", "State"), "items"),
    "ReviewQueue": "queue",
    **dict.fromkeys(("Adjudication", "AnswerRuling", "ClaimRuling", "Ruling"), "rulings"),
}

__all__ = [
    "Adjudication",
    "AnswerRuling",
    "Case",
    "ClaimRuling",
    "GoldenCase",
    "Item",
    "ReviewQueue",
    "Ruling",
    "State",
    "export",
    "golden_cases",
    "load_golden",
]


def __getattr__(name: str) -> Any:
    """The public name; only the queue itself loads the extra `store` (PEP 562)."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "ReviewQueue":
        import_module("grounding_middleware.store")  # says what to install when it cannot be loaded
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
