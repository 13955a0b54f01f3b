"""Passages of the evidence that contradict each other: found, ruled on, and kept from supporting anything (SPEC EV-6).

    a claim -> the statements it rests on or touches -> statements that cannot hold beside them -> who prevails

Only statements that a claim aligns with are compared, each with a bounded number of others looked up by word.
"""

from __future__ import annotations

from grounding_middleware.conflicts.settling import conflicts_of, settled

__all__ = ["conflicts_of", "settled"]
