"""Which sentences of the evidence can stand by themselves in an answer (RE-5)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from grounding_middleware.evidence import build
from grounding_middleware.examining import Examiner
from grounding_middleware.repair import Original, Repair
from grounding_middleware.repair.ground import Ground
from grounding_middleware.repair.sentences import standalone

ROWS = yaml.safe_load((Path(__file__).parent / "sentences.yaml").read_text("utf-8"))
ANSWERS = {"de": "Das ist nicht richtig [S1].", "ja": "返金は行われます[S1]。"}


def taken(text: str, old: str = "") -> str:
    """The first sentence of an evidence of one span, as it would stand in an answer in its language."""
    evidence = build([text])
    language = "de" if "ist nicht" in text else "ja" if "は" in text else "en"
    examiner = Examiner()
    examined = examiner.examine(ANSWERS.get(language, "That is not the right one [S1]."), "", evidence)
    ground = Ground(Original(examiner, examined, examined.verdicts), Repair())
    return next((standalone(shelf, old, ground) for shelf in ground.library.shelves[:1]), "")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["text"][:50])
def test_row(row: dict[str, Any]) -> None:
    """A sentence is taken verbatim without its full stop, or not at all."""
    words = row.get("words", row["text"].rstrip(".。"))
    assert taken(row["text"]) == (words if row["alone"] else "")


def test_what_the_statement_says_its_replacement_may_say() -> None:
    """A sentence with "this lease" may stand where the statement that goes spoke of this lease."""
    text = "The landlord may not terminate this lease."
    assert taken(text) == ""
    assert taken(text, "The landlord may terminate this lease") == text[:-1]
