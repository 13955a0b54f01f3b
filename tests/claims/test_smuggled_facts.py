"""Polite sentences, references and abstentions are exempt only while they state nothing (CL-6), in every language."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware.claims.compounds import divide

ROWS = [
    json.loads(line) for line in (Path(__file__).parent / "data" / "smuggled.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['lang']}-{row['text'][:50]}")
def test_a_fact_in_a_polite_sentence_is_a_claim(row: dict[str, Any]) -> None:
    """Whatever carries a fact has a claim in it; its honest twin has none."""
    found = {part.statement.value for part in divide(row["text"], row["lang"])}
    assert ("claim" in found) is row["claim"], found


@pytest.mark.parametrize(
    ("language", "text", "question"),
    [
        ("en", "The documents do not say why the fee was abolished.", "Why was the fee abolished?"),
        ("de", "Ich weiß nicht, warum der Vertrag gekündigt wurde.", "Warum wurde mein Vertrag gekündigt?"),
        (
            "fr",
            "Les documents ne disent pas pourquoi le contrat a été résilié.",
            "Pourquoi est-il résilié ?",
        ),
        ("pl", "Dokumenty nie mówią, dlaczego umowa została rozwiązana.", "Dlaczego umowa została rozwiązana?"),
    ],
)
def test_a_reason_the_question_asked_for_is_presupposed_by_the_reader(language: str, text: str, question: str) -> None:
    """An "I do not know why X" asserts X only where the question did not."""
    assert {part.statement.value for part in divide(text, language, question)} == {"abstention"}
