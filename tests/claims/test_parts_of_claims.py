"""What is read inside one claim: quotations, detachable parts, referents, language."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware.claims.language import detect, detect_beside
from grounding_middleware.claims.parts import parts
from grounding_middleware.claims.quoted import quotations
from grounding_middleware.claims.references import needs_context


def rows(name: str) -> list[dict[str, Any]]:
    text = (Path(__file__).parent / "data" / name).read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def named(row: dict[str, Any]) -> str:
    return str(row.get("text") or row.get("parts"))[:60]


@pytest.mark.parametrize("row", rows("quotations.jsonl"), ids=named)
def test_quotations_are_found_in_every_style(row: dict[str, Any]) -> None:
    """CL-8: all quotation marks, nested ones too; apostrophes and inch signs are none."""
    assert [row["text"][low:high] for low, high in quotations(row["text"])] == row["quotations"]


@pytest.mark.parametrize("row", rows("parts.jsonl"), ids=named)
def test_parts_are_cut_only_where_both_sides_stand_alone(row: dict[str, Any]) -> None:
    """CL-1: coordinated main clauses and time limits are parts, lists and conditions are not cut."""
    text = "".join(row["parts"])
    assert [text[low:high] for low, high in parts(text, row["lang"])] == row["parts"]


@pytest.mark.parametrize("row", rows("references.jsonl"), ids=named)
def test_statements_that_lean_on_others_are_marked(row: dict[str, Any]) -> None:
    """CL-5: pronoun subjects and bare answers need context; expletives and commands do not."""
    assert needs_context(row["text"], row["lang"]) is row["needs_context"]


@pytest.mark.parametrize("row", rows("languages.jsonl"), ids=named)
def test_language_is_told_by_script_letters_and_closed_class_words(row: dict[str, Any]) -> None:
    """CH-11: one language an answer; text without a telling word has none."""
    assert detect(row["text"]) == row["lang"]


def test_the_question_decides_when_the_answer_does_not() -> None:
    """CH-11: "42" answers in the language of the question; a source leans to the language of the answer."""
    assert detect("42", "Wie hoch ist die Gebühr?") == "de"
    assert detect_beside("Max. 5 kg", "de") == "de"
    assert detect_beside("The fee is due in May and it is not refundable.", "de") == "en"


def test_a_mark_right_behind_the_connective_is_no_clause() -> None:
    """CL-1: "and , they say," has no words before its first mark; the sentence stays whole."""
    text = "The hall is open and , they say, the desk is closed."
    assert parts(text, "en") == ((0, len(text)),)
