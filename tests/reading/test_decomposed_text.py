"""Text written with combining signs is read as the same text without them; offsets stay those of what was written."""

from __future__ import annotations

import unicodedata
from itertools import product

import pytest

from grounding_middleware import Grounder
from grounding_middleware.reading.tokens import tokenize

TEXTS = ["Noël won't go to Zürich-West", "L'accès à l'entrepôt", "हिन्दी भाषा", "مُحَمَّد", "Škoda řekl", "Tiếng Việt"]
FORMS = tuple(product(("NFC", "NFD"), repeat=2))
SOURCE = "Noël Müller wurde in Zürich geboren. Die Gebühr beträgt 5 €. L'accès n'est pas autorisé après 22 h."


@pytest.mark.parametrize("text", TEXTS)
def test_both_forms_have_the_same_words(text: str) -> None:
    """Equal norms, and every token stands where it says."""
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert [token.norm for token in tokenize(composed)] == [token.norm for token in tokenize(decomposed)]
    assert all(decomposed[token.start : token.end] == token.text for token in tokenize(decomposed))


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("Noël Müller wurde in Zürich geboren.", "SUPPORTED"),
        ("Die Gebühr beträgt 6 €.", "CONTRADICTED"),
        ("L'accès est autorisé après 22 h.", "CONTRADICTED"),
        ("L'accès n'est pas autorisé après 22 h.", "SUPPORTED"),
    ],
)
def test_the_verdict_does_not_depend_on_the_form(claim: str, label: str) -> None:
    """Whichever side is decomposed."""
    grounder = Grounder.from_spec("draft")
    for mine, theirs in FORMS:
        evidence = [unicodedata.normalize(theirs, SOURCE)]
        report = grounder.check(unicodedata.normalize(mine, claim), evidence=evidence)
        assert [verdict.label for verdict in report.claims] == [label], (mine, theirs)
