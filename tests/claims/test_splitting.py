"""Whole answers and sentences against golden tables: forms, types and exact texts of all statements."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware.claims import split
from grounding_middleware.claims.statements import classify
from grounding_middleware.records import Citation


def rows(name: str) -> list[dict[str, Any]]:
    text = (Path(__file__).parent / "data" / name).read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def named(row: dict[str, Any]) -> str:
    return str(row.get("rule") or row.get("text"))[:60]


@pytest.mark.parametrize("row", rows("answers.jsonl"), ids=named)
def test_answer_gives_the_statements_of_the_table(row: dict[str, Any]) -> None:
    """CL-2, CL-6: every form of text gives its statements, with what is no claim told apart."""
    found = split(row["answer"], (), row.get("question", ""))
    assert [[claim.form, claim.statement, claim.text] for claim in found] == row["statements"]


@pytest.mark.parametrize("row", rows("sentences.jsonl"), ids=named)
def test_sentences_end_where_the_table_says(row: dict[str, Any]) -> None:
    """CL-2: abbreviations, decimals, versions, legal references and punctuation of any language."""
    found = split(row["text"], ())
    assert [claim.text for claim in found] == row["statements"]
    assert {claim.language for claim in found} == {row["lang"]}


@pytest.mark.parametrize("row", rows("statements.jsonl"), ids=named)
def test_statement_has_the_type_of_the_table(row: dict[str, Any]) -> None:
    """CL-6: only what surely is no claim is none; facts, promises and instructions never hide in politeness."""
    assert classify(row["text"], row["lang"], row.get("question", "")).value == row["type"]


def test_a_claim_ends_before_its_marker() -> None:
    """CL-1: the range leaves out a marker at the end and the stop behind it, and keeps markers inside."""
    answer = "[S1] Dogs [S2] are welcome [S1]. [S2]"
    marker = [Citation(marker=answer[low:high], ref="x", start=low, end=high) for low, high in _brackets(answer)]
    (claim,) = split(answer, marker)
    assert claim.text == "Dogs [S2] are welcome"


def _brackets(answer: str) -> list[tuple[int, int]]:
    starts = [at for at, letter in enumerate(answer) if letter == "["]
    return [(at, answer.index("]", at) + 1) for at in starts]


def test_ids_are_stable_and_tell_equal_statements_apart() -> None:
    """CL-4: the same wording has the same id in every run, whatever its emphasis; a repetition has its own."""
    first = split("The fee is **5** EUR. Dogs bark. Dogs bark.", ())
    again = split("Dogs bark. The fee is 5 EUR.", ())
    assert first[0].id == again[1].id
    assert first[1].id == again[0].id
    assert len({claim.id for claim in first}) == 3


def test_context_is_the_text_needed_to_read_a_statement() -> None:
    """CL-5: rows carry their header, list items the line above, fields their siblings, parts their sentence."""
    answer = "You need:\n- a passport\n\n| Pet | Fee |\n|---|---|\n| Dog | 5 |\n"
    by_text = {claim.text: claim.context for claim in split(answer, ())}
    assert by_text["a passport"] == "You need:"
    assert by_text["Dog | 5"] == "Pet | Fee"
    fields = split('{"product": "lamp", "price": {"net": 40}}', ())
    assert fields[1].context == "product: lamp; price"
    sentence = "Delivery costs EUR 5, but the documents do not say when it arrives."
    assert {claim.context for claim in split(sentence, ())} == {sentence}


def test_an_answer_without_text_has_no_statements() -> None:
    """EV-8 starts here: nothing is said, so nothing is claimed."""
    assert split("", ()) == ()
    assert split(" \n\n---\n```\n```\n", ()) == ()
