"""Completeness: whether a text states the critical facts, by their words (SPEC ME-1).

A fact is there when one of its wordings stands in the text, after the normalisation that quotations have, and no
negation bears on it. Nothing is guessed: a true paraphrase that nobody listed counts as missing.
"""

from __future__ import annotations

from collections.abc import Iterable

from grounding_middleware.evaluation.golden import CriticalFact
from grounding_middleware.evaluation.runs import ScoredFact
from grounding_middleware.quotations import locate

__all__ = ["scored_facts", "states"]


def scored_facts(facts: Iterable[CriticalFact], answer: str, text: str) -> tuple[ScoredFact, ...]:
    """Each fact: in the answer as it was written, and in the text that reaches the reader."""
    return tuple(
        ScoredFact(id=fact.id, text=fact.text, in_answer=states(answer, fact), in_text=states(text, fact))
        for fact in facts
    )


def states(text: str, fact: CriticalFact) -> bool:
    """Whether the text says the fact in one of its wordings."""
    return bool(text) and any(_stands(wording, text) for wording in fact.wordings)


def _stands(wording: str, text: str) -> bool:
    found = locate(wording, text)
    return found.range is not None and found.cut_negation is None
