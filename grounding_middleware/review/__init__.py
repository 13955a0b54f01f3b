"""People look at answers: a durable queue, their rulings, and the golden set that comes out of it (SPEC §9)."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from grounding_middleware.exports import lazy

if TYPE_CHECKING:
    from grounding_middleware.review.golden import GoldenCase, export, golden_cases, load_golden
    from grounding_middleware.review.items import Case, Item, State
    from grounding_middleware.review.queue import ReviewQueue
    from grounding_middleware.review.rulings import Adjudication, AnswerRuling, ClaimRuling, Ruling

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


_found = lazy(
    __name__,
    {
        ".golden": ("GoldenCase", "export", "golden_cases", "load_golden"),
        ".items": ("Case", "Item", "State"),
        ".queue": ("ReviewQueue",),
        ".rulings": ("Adjudication", "AnswerRuling", "ClaimRuling", "Ruling"),
    },
)


def __getattr__(name: str) -> Any:
    """The public name; only the queue itself loads the extra `store`."""
    if name == "ReviewQueue":
        import_module("grounding_middleware.store")  # says what to install when it cannot be loaded
    return _found(name)
