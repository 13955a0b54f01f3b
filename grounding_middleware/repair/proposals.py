"""What a step wants to put in the place of a statement; nothing of it counts before it was verified."""

from __future__ import annotations

from dataclasses import dataclass

from grounding_middleware.repair.drafts import Change
from grounding_middleware.repair.targets import Target

__all__ = ["Proposal"]


@dataclass(frozen=True)
class Proposal:
    """Changes of the answer for one target; `span_ids` are what it then has to cite, None for what it cited before."""

    target: Target
    step: str
    changes: tuple[Change, ...]
    span_ids: tuple[str, ...] | None = None
