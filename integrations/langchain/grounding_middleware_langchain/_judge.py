"""Judges from LangChain: a chat model, or the name of one, behind the core's model protocol."""

from __future__ import annotations

from typing import Any

JudgeLike = Any


def as_core_judge(judge: Any) -> Any:
    return judge
